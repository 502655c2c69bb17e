/* Chooses the writer by the name of the file. */
#include "io/encode.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/export.h"
#include "io/output_path.h"

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

ImgStatus img_file_format_from_path(const char *path, ImgFileFormat *format, ImgError *err)
{
    *format = IMG_FILE_PNG;
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof EXTENSIONS / sizeof EXTENSIONS[0]; i++) {
        if (strcasecmp(dot, EXTENSIONS[i].extension) == 0) {
            *format = EXTENSIONS[i].format;
            return IMG_OK;
        }
    }
    if (is_stream(path))
        return IMG_OK;
    if (slash != NULL && slash[1] == '\0')
        return img_fail(err, IMG_E_IO, "is the name of a folder, not of a file");
    if (dot == NULL || dot[1] == '\0')
        return img_fail(err, IMG_E_USAGE, "has no extension that names a format: use %s",
                        KNOWN_EXTENSIONS);
    return img_fail(err, IMG_E_USAGE, "cannot be written: unknown extension '%s'; use %s", dot,
                    KNOWN_EXTENSIONS);
}

const char *img_encode_loss(ImgFileFormat format, const ImgImage *image,
                            const ImgMetadata *metadata)
{
    return format == IMG_FILE_PNG ? NULL : img_export_loss(format, image, metadata);
}

uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata)
{
    return format == IMG_FILE_PNG ? 0 : img_export_bytes(format, shape, metadata);
}

ImgStatus img_encode(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     const ImgEncodeOptions *options, ImgOutput *output, ImgPngEncodeReport *report,
                     ImgError *err)
{
    if (options->level < 0 || options->level > 9)
        return img_fail(err, IMG_E_USAGE, "level %d is not within 0 to 9", options->level);
    if (options->quality < 1 || options->quality > 100)
        return img_fail(err, IMG_E_USAGE, "quality %d is not within 1 to 100", options->quality);
    if (format == IMG_FILE_PNG) {
        ImgPngEncodeOptions how = {options->level, options->threads, options->index};
        return img_png_encode(image, metadata, &how, output, report, err);
    }
    return img_export(format, image, metadata, options->quality, output, err);
}
