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
