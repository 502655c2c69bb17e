/* png_same [--pixels] A B: compares two PNGs: pixels, colour type, depth and interlacing. Without
 * --pixels it also compares all chunks except IDAT, byte by byte and in order. Exit code 1 if the
 * files differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/png_read.h"

static bool same_pixels(const Picture *a, const Picture *b)
{
    if (a->width != b->width || a->height != b->height) {
        fprintf(stderr, "%u x %u and %u x %u\n", a->width, a->height, b->width, b->height);
        return false;
    }
    if (a->color != b->color || a->depth != b->depth || a->interlaced != b->interlaced) {
        fprintf(stderr, "colour type %d and %d, depth %d and %d, interlaced %d and %d\n", a->color,
                b->color, a->depth, b->depth, a->interlaced, b->interlaced);
        return false;
    }
    size_t channels = (size_t)png_channels(a->color);
    size_t count = (size_t)a->width * a->height * channels;
    for (size_t i = 0; i < count; i++) {
        if (a->samples[i] != b->samples[i]) {
            size_t pixel = i / channels;
            fprintf(stderr, "pixel (%zu, %zu) channel %zu: %u and %u\n", pixel % a->width,
                    pixel / a->width, i % channels, a->samples[i], b->samples[i]);
            return false;
        }
    }
    return true;
}

static bool next_other_chunk(Bytes png, size_t *offset, PngChunkView *chunk)
{
    do {
        if (!png_next_chunk(png, offset, chunk)) {
            return false;
        }
    } while (strcmp(chunk->type, "IDAT") == 0);
    return true;
}

static bool same_chunks(Bytes a, Bytes b)
{
    size_t offset_a = 0;
    size_t offset_b = 0;
    for (;;) {
        PngChunkView chunk_a = {"end", 0, 0, NULL};
        PngChunkView chunk_b = {"end", 0, 0, NULL};
        bool more_a = next_other_chunk(a, &offset_a, &chunk_a);
        bool more_b = next_other_chunk(b, &offset_b, &chunk_b);
        if (!more_a && !more_b) {
            return true;
        }
        if (more_a != more_b || strcmp(chunk_a.type, chunk_b.type) != 0 ||
            chunk_a.size != chunk_b.size || memcmp(chunk_a.data, chunk_b.data, chunk_a.size) != 0) {
            fprintf(stderr, "chunk %s of %u bytes and %s of %u bytes\n", chunk_a.type, chunk_a.size,
                    chunk_b.type, chunk_b.size);
            return false;
        }
    }
}

int main(int argc, char **argv)
{
    bool pixels_only = argc > 1 && strcmp(argv[1], "--pixels") == 0;
    if (argc != (pixels_only ? 4 : 3)) {
        fprintf(stderr, "usage: png_same [--pixels] A B\n");
        return 2;
    }
    const char *name_a = argv[argc - 2];
    const char *name_b = argv[argc - 1];
    Picture picture_a = {0};
    Picture picture_b = {0};
    Bytes a = bytes_read(name_a);
    Bytes b = bytes_read(name_b);
    bool same = a.data != NULL && b.data != NULL && png_decode(a, name_a, &picture_a) &&
                png_decode(b, name_b, &picture_b) && same_pixels(&picture_a, &picture_b) &&
                (pixels_only || same_chunks(a, b));
    if (!same) {
        fprintf(stderr, "%s and %s differ\n", name_a, name_b);
    }
    free(picture_a.samples);
    free(picture_b.samples);
    free(a.data);
    free(b.data);
    return same ? 0 : 1;
}
