/* Counts of a picture by channel, and their total over pictures of all kinds and depths. */
#ifndef IMGTOOL_APP_STATS_TABLES_H
#define IMGTOOL_APP_STATS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* In the order in which they are printed. Luma and gray are both called brightness here: a gray
 * picture has no other, and of a coloured one with the same pixels luma is the same. */
typedef enum Channel {
    CHANNEL_RED,
    CHANNEL_GREEN,
    CHANNEL_BLUE,
    CHANNEL_GRAY,
    CHANNEL_LUMA,
    CHANNEL_ALPHA,
    CHANNEL_COUNT
} Channel;

/* "red" */
const char *channel_name(Channel channel);

/* Start with TABLES_NONE, end with tables_free. */
typedef struct Tables {
    int bits;                    /* of a sample: a table has 2^bits entries */
    uint64_t pixels;             /* counted; the same in each table */
    uint64_t *of[CHANNEL_COUNT]; /* NULL: there is no such channel */
    uint64_t *block;             /* what is owned; NULL: the tables are somebody else's */
} Tables;

#define TABLES_NONE ((Tables){0})

/* The most that a picture's tables take: those of red, green, blue, luma and alpha at 16 bits. */
enum { TABLES_BYTES_MOST = 5 * 8 << 16 };

/* Zeroed tables for the channels whose bits, 1 << CHANNEL_RED and so on, are set; one at least. */
ImgStatus tables_alloc(int bits, unsigned channels, Tables *tables, ImgError *err);
void tables_free(Tables *tables);

/* Of its channels, the one that says most alone: luma, or gray. NULL where luma is not wanted. */
const uint64_t *tables_brightness(const Tables *tables);

/* Start with TOTAL_NONE, end with total_free. */
typedef struct Total {
    size_t files;
    bool color, luma, alpha; /* any picture has it */
    bool mixed;              /* pictures differ in depth */
    Tables sums;
} Total;

#define TOTAL_NONE ((Total){.files = 0, .sums = TABLES_NONE})

/* Adds a picture, exactly: at the largest depth that was added so far, each sample as it is in
 * proportion; gray as equal parts of red, green and blue, beside coloured pictures; what has no
 * alpha as opaque, beside pictures that have one. */
ImgStatus total_add(Total *total, const Tables *tables, ImgError *err);

/* Adds the pictures of another total, as if they had been added one by one. */
ImgStatus total_merge(Total *total, const Total *other, ImgError *err);

/* The sums, those tables that mean something: borrowed from the total. */
Tables total_tables(const Total *total);

void total_free(Total *total);

#endif
