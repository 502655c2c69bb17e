/* One decimal is enough to see by how much a limit is missed. */
#include "io/human.h"

#include <stdio.h>
#include <string.h>

static void format(uint64_t bytes, ImgSizeText *out)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(out->text, sizeof out->text, "%u bytes", (unsigned)bytes);
        return;
    }
    int unit = 0;
    double value = (double)bytes / 1024;
    while (value >= 1023.95 && unit < 5) { /* from there "%.1f" would print 1024.0 */
        value /= 1024;
        unit++;
    }
    snprintf(out->text, sizeof out->text, "%.1f %s", value, units[unit]);
}

void img_size_texts(uint64_t a, uint64_t b, ImgSizeText texts[2])
{
    format(a, &texts[0]);
    format(b, &texts[1]);
    if (a == b || strcmp(texts[0].text, texts[1].text) != 0)
        return;
    snprintf(texts[0].text, sizeof texts[0].text, "%llu bytes", (unsigned long long)a);
    snprintf(texts[1].text, sizeof texts[1].text, "%llu bytes", (unsigned long long)b);
}
