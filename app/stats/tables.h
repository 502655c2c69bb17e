/* Counts per channel of one picture, and their total over pictures of different formats and
 * depths. */
#ifndef IMGTOOL_APP_STATS_TABLES_H
#define IMGTOOL_APP_STATS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* The channels, in the order in which they are printed. A gray picture has gray, but no luma. In
 * other files of this directory, "brightness" means luma or gray. Luma and gray are comparable,
 * because the luma of equal red, green and blue is their common value. */
typedef enum Channel {
    CHANNEL_RED,
    CHANNEL_GREEN,
    CHANNEL_BLUE,
    CHANNEL_GRAY,
    CHANNEL_LUMA,
    CHANNEL_ALPHA,
    CHANNEL_COUNT
} Channel;

/* Returns the name of a channel, such as "red". */
const char *channel_name(Channel channel);

/* The counts of each channel. Initialise it with TABLES_NONE, and free it with tables_free. */
typedef struct Tables {
    int bits;                    /* bits per sample; a table has 2^bits entries */
    uint64_t pixels;             /* number of counted pixels; the same in each table */
    uint64_t *of[CHANNEL_COUNT]; /* table of each channel; NULL: the channel does not exist */
    uint64_t *block;             /* owned memory; NULL: the tables are borrowed */
} Tables;

#define TABLES_NONE ((Tables){0})

/* Largest size of the tables of a picture in bytes: red, green, blue, luma and alpha with 16
 * bits. */
enum { TABLES_BYTES_MOST = 5 * 8 << 16 };

/* Allocates zeroed tables for the channels in the bit set `channels` (1 << CHANNEL_RED and so on),
 * which must not be empty. */
ImgStatus tables_alloc(int bits, unsigned channels, Tables *tables, ImgError *err);
void tables_free(Tables *tables);

/* Sums of the counts of several pictures. Initialise it with TOTAL_NONE, and free it with
 * total_free. */
typedef struct Total {
    size_t files;
    bool color, luma, alpha; /* true if at least one picture has colour, luma or alpha */
    bool mixed;              /* the pictures have different depths */
    Tables sums;
} Total;

#define TOTAL_NONE ((Total){.files = 0, .sums = TABLES_NONE})

/* Adds the counts of a picture, without rounding. The total has the largest depth of all pictures;
 * samples of smaller depths are scaled to it. If any picture has colour, gray pictures count as
 * equal red, green and blue. If any picture has alpha, pictures without alpha count as opaque. */
ImgStatus total_add(Total *total, const Tables *tables, ImgError *err);

/* Adds the pictures of the total `other` to `total`, as if they were added one by one. */
ImgStatus total_merge(Total *total, const Total *other, ImgError *err);

/* Returns tables that borrow the counts of the total. Channels that no picture has are left out. */
Tables total_tables(const Total *total);

void total_free(Total *total);

#endif
