/* Recognises files by their first bytes: the formats that users mistake for PNG, mostly because of
 * a wrong extension. */
#include "io/sniff.h"

#include <string.h>

typedef struct Magic {
    const char *name;
    size_t offset;
    const char *bytes;
    size_t size;
} Magic;

static const Magic MAGICS[] = {
    {"JPEG", 0, "\xff\xd8\xff", 3}, {"GIF", 0, "GIF8", 4},           {"BMP", 0, "BM", 2},
    {"TIFF", 0, "II*\0", 4},        {"TIFF", 0, "MM\0*", 4},         {"WebP", 8, "WEBP", 4},
    {"AVIF", 4, "ftypavif", 8},     {"AVIF", 4, "ftypavis", 8},      {"HEIC", 4, "ftyphei", 7},
    {"HEIC", 4, "ftyphev", 7},      {"HEIC", 4, "ftypmif1", 8},      {"JPEG XL", 0, "\xff\x0a", 2},
    {"JPEG XL", 4, "JXL \r\n", 6},  {"JPEG 2000", 4, "jP  \r\n", 6}, {"MNG", 0, "\x8aMNG", 4},
    {"JNG", 0, "\x8bJNG", 4},       {"PNM", 0, "P5\n", 3},           {"PNM", 0, "P6\n", 3},
    {"Photoshop", 0, "8BPS", 4},    {"QOI", 0, "qoif", 4},           {"SVG", 0, "<svg", 4},
    {"PDF", 0, "%PDF", 4},
};

const char *img_sniff(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof MAGICS / sizeof MAGICS[0]; i++) {
        const Magic *magic = &MAGICS[i];
        if (size >= magic->offset + magic->size &&
            memcmp(data + magic->offset, magic->bytes, magic->size) == 0)
            return magic->name;
    }
    return NULL;
}

const char *img_sniff_article(const char *name)
{
    static const char *const with_an[] = {"AVIF", "MNG", "SVG"};
    for (size_t i = 0; i < sizeof with_an / sizeof *with_an; i++)
        if (strcmp(name, with_an[i]) == 0)
            return "an";
    return "a";
}
