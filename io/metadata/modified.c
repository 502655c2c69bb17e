/* Reads the clock, and writes tIME (PNG specification, third edition, section 11.3.4.1). */
#include "io/metadata/modified.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIME_BYTES = 7, DAY = 86400, HOUR = 3600, MINUTE = 60 };

static const int64_t SECONDS_MOST = 253402300799; /* the end of the year 9999, in UTC */

ImgStatus img_modified_time(const char *epoch, int64_t *seconds, ImgError *err)
{
    struct timespec now;
    char *end;
    if (epoch == NULL || *epoch == '\0') {
        clock_gettime(CLOCK_REALTIME, &now);
        *seconds = now.tv_sec;
        return IMG_OK;
    }
    errno = 0;
    const long long number = strtoll(epoch, &end, 10);
    if (*epoch < '0' || *epoch > '9' || *end != '\0' || errno != 0 || number > SECONDS_MOST)
        return img_fail(err, IMG_E_USAGE,
                        "SOURCE_DATE_EPOCH is '%s'; set it to a number of seconds since 1970, or "
                        "unset it",
                        epoch);
    *seconds = number;
    return IMG_OK;
}

static bool is_time(const ImgChunk *chunk)
{
    return strcmp(chunk->type, "tIME") == 0 && chunk->size == TIME_BYTES;
}

static bool changes_pixels(const ImgEffect *effect)
{
    const bool scaled = (effect->scale_x > 0 && effect->scale_x != 1) ||
                        (effect->scale_y > 0 && effect->scale_y != 1);
    return scaled || effect->turn != IMG_TURN_NONE || effect->cropped || effect->values_changed ||
           effect->to_gray || effect->to_color || effect->depth_changed;
}

bool img_modified_is_due(const ImgMetadata *metadata, const ImgEffect *effect)
{
    for (size_t i = 0; i < metadata->count; i++)
        if (is_time(&metadata->chunks[i]))
            return changes_pixels(effect);
    return false;
}

static int days_of_year(int year)
{
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return leap ? 366 : 365;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && days_of_year(year) == 366 ? 29 : days[month - 1];
}

/* Writes the date `days` days after 1 January 1970: year (two bytes), month, day. Does not use
 * gmtime_r, which would read the time zone file; the sandbox forbids that access. */
static void put_date(int64_t days, uint8_t *to)
{
    int year = 1970, month = 1;
    for (; days >= days_of_year(year); year++)
        days -= days_of_year(year);
    for (; days >= days_of_month(year, month); month++)
        days -= days_of_month(year, month);
    to[0] = (uint8_t)(year >> 8);
    to[1] = (uint8_t)year;
    to[2] = (uint8_t)month;
    to[3] = (uint8_t)(days + 1);
}

void img_modified_set(ImgMetadata *metadata, int64_t seconds)
{
    uint8_t data[TIME_BYTES];
    const int64_t time = seconds < 0 ? 0 : seconds > SECONDS_MOST ? SECONDS_MOST : seconds;
    put_date(time / DAY, data);
    data[4] = (uint8_t)(time % DAY / HOUR);
    data[5] = (uint8_t)(time % HOUR / MINUTE);
    data[6] = (uint8_t)(time % MINUTE);
    for (size_t i = 0; i < metadata->count; i++)
        if (is_time(&metadata->chunks[i]))
            memcpy(metadata->chunks[i].data, data, sizeof data);
}
