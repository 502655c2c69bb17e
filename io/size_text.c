/* Formats amounts of memory with one decimal, which is enough to see by how much they exceed a
 * limit. */
#include "io/size_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *print_bytes(uint64_t bytes, char text[IMG_SIZE_TEXT])
{
    snprintf(text, IMG_SIZE_TEXT, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    return text;
}

static const char *print_units(uint64_t bytes, unsigned step, const char *const units[6],
                               char text[IMG_SIZE_TEXT])
{
    if (bytes < step)
        return print_bytes(bytes, text);
    int unit = 0;
    double value = (double)bytes / step;
    /* The next unit begins 0.05 below the step: with one decimal, larger values would already be
     * printed as 1024.0 or 1000.0. */
    while (value >= step - 0.05 && unit < 5) {
        value /= step;
        unit++;
    }
    const double tenths = value * 10;
    uint64_t nearest = (uint64_t)(tenths + 0.5);
    if ((double)nearest - tenths == 0.5) /* Ties are rounded to the even digit, as in printf. */
        nearest &= ~UINT64_C(1);
    /* The format "%.1f" is not used, because its decimal point depends on the locale of the
     * program. */
    snprintf(text, IMG_SIZE_TEXT, "%" PRIu64 ".%" PRIu64 " %s", nearest / 10, nearest % 10,
             units[unit]);
    return text;
}

const char *img_size_text(uint64_t bytes, char text[IMG_SIZE_TEXT])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return print_units(bytes, 1024, units, text);
}

const char *img_thousands_text(uint64_t bytes, char text[IMG_SIZE_TEXT])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    return print_units(bytes, 1000, units, text);
}

void img_size_texts(uint64_t a, uint64_t b, ImgSizeText texts[2])
{
    img_size_text(a, texts[0].text);
    img_size_text(b, texts[1].text);
    if (a == b || strcmp(texts[0].text, texts[1].text) != 0)
        return;
    print_bytes(a, texts[0].text);
    print_bytes(b, texts[1].text);
}

ImgStatus img_fail_memory(const char *what, uint64_t need, uint64_t limit, const char *more,
                          ImgError *err)
{
    ImgSizeText texts[2];
    img_size_texts(need, limit, texts);
    return img_fail(
        err, IMG_E_LIMIT, "%s need at least %s of memory, more than the limit of %s%s%s", what,
        texts[0].text, texts[1].text, more != NULL ? "; " : "", more != NULL ? more : "");
}
