#include "io/file_format.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/output/output_path.h"

static const struct {
    const char *extension;
    ImgFileFormat format;
} EXTENSIONS[] = {
    {".png", IMG_FILE_PNG}, {".jpg", IMG_FILE_JPEG}, {".jpeg", IMG_FILE_JPEG},
    {".bmp", IMG_FILE_BMP}, {".tga", IMG_FILE_TGA},
};

#define KNOWN_EXTENSIONS ".png, .jpg, .jpeg, .bmp or .tga"

static bool is_stream(const char *path)
{
    struct stat info;
    int fd;
    return strcmp(path, "-") == 0 || img_output_is_descriptor(path, &fd) ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

/* Returns the extension with its dot, or NULL if the name has none. */
static const char *find_extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strrchr(slash != NULL ? slash : path, '.');
}

bool img_file_format_from_extension(const char *name, ImgFileFormat *format)
{
    const char *dot = find_extension(name);
    for (size_t i = 0; dot != NULL && i < sizeof EXTENSIONS / sizeof EXTENSIONS[0]; i++) {
        if (strcasecmp(dot, EXTENSIONS[i].extension) == 0) {
            *format = EXTENSIONS[i].format;
            return true;
        }
    }
    return false;
}

ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err)
{
    *format = IMG_FILE_PNG;
    if (img_file_format_from_extension(path, format) || is_stream(path))
        return IMG_OK;
    const char *slash = strrchr(path, '/'), *dot = find_extension(path);
    if (slash != NULL && slash[1] == '\0')
        return img_fail(err, IMG_E_IO,
                        "is the name of a directory, not of a file; add a file name");
    if (dot == NULL || dot[1] == '\0')
        return img_fail(err, IMG_E_USAGE, "has no extension that names a format: use %s",
                        KNOWN_EXTENSIONS);
    return img_fail(err, IMG_E_USAGE, "cannot be written: unknown extension '%s'; use %s", dot,
                    KNOWN_EXTENSIONS);
}

/* First bytes of files that users mistake for PNG, mostly because of a wrong extension. */
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
