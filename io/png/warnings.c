#include "io/png/warnings.h"

#include <stdio.h>

static const char EXTRA_DATA[] = "image data (IDAT) past the end of the picture is dropped";

static void add(ImgPngWarnings *warnings, bool so, const char *line)
{
    size_t n = 0;
    while (warnings->lines[n] != NULL)
        n++;
    if (so && n < IMG_PNG_WARNINGS_MAX)
        warnings->lines[n] = line;
}

void img_png_warn_of_scan(const ImgPngScan *scan, size_t file_bytes, ImgPngWarnings *warnings)
{
    snprintf(warnings->wrong_crc, sizeof warnings->wrong_crc,
             "damaged chunks are dropped (wrong CRC): %s", scan->wrong_crc);
    add(warnings, scan->odd_animation,
        "animation chunks without an animation (acTL) are dropped: it is a still picture");
    add(warnings, scan->frames > 0, "animated PNG: only the still picture is kept");
    add(warnings, scan->wrong_crc[0] != '\0', warnings->wrong_crc);
    add(warnings, scan->palette.useless,
        "an invalid palette (PLTE), which this picture does not need, is dropped");
    add(warnings, scan->palette.too_long, "palette colours that no pixel can use are dropped");
    add(warnings, scan->palette.beyond, "hIST or bKGD for colours outside the palette is dropped");
    add(warnings, scan->palette.transparency,
        "transparency (tRNS) of a wrong size or in a wrong place is dropped, as by libpng");
    add(warnings, scan->late_idat, EXTRA_DATA);
    add(warnings, scan->full_end, "the last chunk (IEND) is not empty: its content is dropped");
    add(warnings, scan->size < file_bytes, "data after the end of the PNG is dropped");
}

void img_png_warn_of_extra_data(const ImgPngScan *scan, ImgPngWarnings *warnings)
{
    add(warnings, !scan->late_idat, EXTRA_DATA);
}
