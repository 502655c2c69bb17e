/* Reads whole files, steps through chunks, and decodes pixels with libspng without any
 * conversion. */
#include "tests/tools/png_read.h"

#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Bytes bytes_read(const char *path)
{
    Bytes bytes = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return bytes;
    }
    size_t capacity = 0;
    for (;;) {
        if (bytes.size == capacity) {
            capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
            uint8_t *grown = realloc(bytes.data, capacity);
            if (grown == NULL) {
                fprintf(stderr, "%s: out of memory\n", path);
                break;
            }
            bytes.data = grown;
        }
        size_t got = fread(bytes.data + bytes.size, 1, capacity - bytes.size, file);
        bytes.size += got;
        if (got == 0) {
            break;
        }
    }
    if (ferror(file)) {
        perror(path);
    }
    (void)fclose(file);
    return bytes;
}

static uint32_t read_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

bool png_next_chunk(Bytes png, size_t *offset, PngChunkView *chunk)
{
    if (*offset == 0) {
        *offset = 8;
    }
    if (*offset > png.size || png.size - *offset < 12) {
        return false;
    }
    const uint8_t *p = png.data + *offset;
    uint32_t size = read_u32(p);
    if (size > png.size - *offset - 12) {
        return false;
    }
    memcpy(chunk->type, p + 4, 4);
    chunk->type[4] = '\0';
    chunk->size = size;
    chunk->data = p + 8;
    chunk->crc = read_u32(p + 8 + size);
    *offset += (size_t)size + 12;
    return true;
}

/* Reads PLTE and tRNS without libspng, which would convert them. */
static void read_tables(Bytes png, Picture *picture)
{
    PngChunkView chunk;
    size_t offset = 0;
    while (png_next_chunk(png, &offset, &chunk)) {
        if (strcmp(chunk.type, "PLTE") == 0 && chunk.size <= sizeof picture->palette) {
            picture->palette_size = (int)(chunk.size / 3);
            memcpy(picture->palette, chunk.data, chunk.size);
        } else if (strcmp(chunk.type, "tRNS") == 0 && chunk.size <= sizeof picture->trns) {
            picture->trns_size = (int)chunk.size;
            memcpy(picture->trns, chunk.data, chunk.size);
        }
    }
}

/* Returns sample number `index` of a row. Samples below 8 bits are packed, those of 16 bits are
 * big-endian. */
static uint16_t unpack(const uint8_t *row, size_t index, int depth)
{
    if (depth == 16) {
        return (uint16_t)(row[2 * index] << 8 | row[2 * index + 1]);
    }
    size_t per_byte = 8 / (size_t)depth;
    size_t shift = (per_byte - 1 - index % per_byte) * (size_t)depth;
    return (uint16_t)(row[index / per_byte] >> shift & ((1 << depth) - 1));
}

static void unpack_all(const uint8_t *raw, Picture *picture)
{
    size_t count = (size_t)picture->width * (size_t)png_channels(picture->color);
    size_t bytes = (count * (size_t)picture->depth + 7) / 8;
    for (uint32_t y = 0; y < picture->height; y++) {
        uint16_t *samples = picture_at(picture, 0, y);
        for (size_t i = 0; i < count; i++) {
            samples[i] = unpack(raw + y * bytes, i, picture->depth);
        }
    }
}

bool png_decode(Bytes png, const char *name, Picture *picture)
{
    bool ok = false;
    uint8_t *raw = NULL;
    struct spng_ihdr header;
    size_t size = 0;
    spng_ctx *context = spng_ctx_new(0);
    int error = spng_set_png_buffer(context, png.data, png.size);
    error = error ? error : spng_get_ihdr(context, &header);
    error = error ? error : spng_decoded_image_size(context, SPNG_FMT_RAW, &size);
    if (error) {
        goto done;
    }
    raw = calloc(1, size); /* zeros, because libspng ORs interlaced samples of less than 8 bits into
                              the memory */
    if (raw == NULL) {
        goto done;
    }
    error = spng_decode_image(context, raw, size, SPNG_FMT_RAW, 0);
    error = error ? error : spng_decode_chunks(context);
    if (error) {
        goto done;
    }
    *picture = picture_make(header.width, header.height, header.color_type, header.bit_depth);
    picture->interlaced = header.interlace_method != 0;
    unpack_all(raw, picture);
    read_tables(png, picture);
    ok = true;

done:
    if (!ok) {
        fprintf(stderr, "%s: %s\n", name, error ? spng_strerror(error) : "out of memory");
    }
    free(raw);
    spng_ctx_free(context);
    return ok;
}
