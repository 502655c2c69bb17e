/* Reads and writes PNGs in memory with imgtool's library. */
#include "tests/peers/png_peers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/encode.h"
#include "io/png/index/index.h"

bool complain(const char *what, const char *message)
{
    fprintf(stderr, "png_codec: %s: %s\n", what, message);
    return false;
}

static bool read_all(int fd, File *file)
{
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0)
        return false;
    file->size = (size_t)info.st_size;
    file->data = malloc(file->size);
    size_t done = 0;
    while (file->data != NULL && done < file->size) {
        ssize_t got = pread(fd, file->data + done, file->size - done, (off_t)done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return file->data != NULL;
}

bool file_read(const char *path, File *file)
{
    FILE *stream = fopen(path, "rb");
    bool ok = stream != NULL && read_all(fileno(stream), file);
    if (stream != NULL)
        (void)fclose(stream);
    return ok || complain(path, strerror(errno));
}

bool our_decode(const File *file, int threads, ImgImage *image, ImgPngDecodeReport *report)
{
    ImgPngHeader header;
    ImgPngScan scan;
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgError err = {IMG_OK, ""};
    ImgStatus status = img_png_header(file->data, &header, &err);
    if (status == IMG_OK)
        status = img_png_scan(file->data, file->size, &header,
                              (ImgPngBudget){0, UINT64_MAX, NULL, NULL}, &metadata, &scan, &err);
    const ImgPngDecodeOptions options = {.index = img_png_index_find(&metadata),
                                         .threads = threads};
    if (status == IMG_OK)
        status = img_png_decode(file->data, &header, &scan, &options, image, report, &err);
    img_metadata_free(&metadata);
    return status == IMG_OK || complain("decoding", err.message);
}

static ImgEncodeOptions encode_options(int level, int threads)
{
    return (ImgEncodeOptions){
        .level = level, .threads = threads, .index = true, .quality = IMG_DEFAULT_QUALITY};
}

bool our_encode(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                const char *path, size_t *bytes)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    const ImgEncodeOptions options = encode_options(level, threads);
    ImgStatus status = img_output_open(path, NULL, &output, &err);
    if (status == IMG_OK)
        status = img_encode(IMG_FILE_PNG, image, metadata, &options, output, NULL, &err);
    if (status == IMG_OK) {
        *bytes = (size_t)img_output_bytes(output);
        status = img_output_commit(&output, &err);
    }
    img_output_discard(&output);
    return status == IMG_OK || complain("encoding", err.message);
}

bool our_encode_to(const ImgImage *image, const ImgMetadata *metadata, int level, int threads,
                   File *file)
{
    char path[32];
    size_t bytes = 0;
    int fd = memfd_create("png_codec", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    bool ok =
        fd >= 0 && our_encode(image, metadata, level, threads, path, &bytes) && read_all(fd, file);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool same_pixels(const ImgView *a, const ImgView *b)
{
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    bool same = a->width == b->width && a->height == b->height &&
                a->format.color == b->format.color && a->format.bits == b->format.bits;
    for (int32_t y = 0; same && y < a->height; y++)
        same = memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row) == 0;
    return same;
}
