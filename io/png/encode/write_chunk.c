/* Writes chunks, each with its length and CRC, in the order that the PNG specification requires
 * (third edition, section 5.6). */
#include "io/png/encode/write_chunk.h"

#include <libdeflate.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/chunks.h"
#include "io/png/index/index.h"

static const uint8_t SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

enum { IHDR_BYTES = 13 };

ImgStatus img_png_write_chunk(ImgOutput *output, const char type[4], const void *data,
                              uint32_t size, ImgError *err)
{
    uint8_t head[8], tail[4];
    img_put_be32(head, size);
    memcpy(head + 4, type, 4);
    uint32_t crc = libdeflate_crc32(0, head + 4, 4);
    if (size > 0)
        crc = libdeflate_crc32(crc, data, size);
    img_put_be32(tail, crc);
    ImgStatus status = img_output_write(output, head, sizeof head, err);
    if (status == IMG_OK && size > 0)
        status = img_output_write(output, data, size, err);
    if (status == IMG_OK)
        status = img_output_write(output, tail, sizeof tail, err);
    return status;
}

static uint8_t color_type(ImgColor color)
{
    static const uint8_t types[] = {[IMG_COLOR_GRAY] = 0,
                                    [IMG_COLOR_GRAY_ALPHA] = 4,
                                    [IMG_COLOR_RGB] = 2,
                                    [IMG_COLOR_RGBA] = 6,
                                    [IMG_COLOR_PALETTE] = 3};
    return types[color];
}

static ImgStatus write_header(ImgOutput *output, ImgShape shape, bool interlaced, ImgError *err)
{
    /* The two bytes before the last stay 0, which means deflate and adaptive filtering. */
    uint8_t ihdr[IHDR_BYTES] = {0};
    img_put_be32(ihdr, (uint32_t)shape.width);
    img_put_be32(ihdr + 4, (uint32_t)shape.height);
    ihdr[8] = (uint8_t)shape.format.bits;
    ihdr[9] = color_type(shape.format.color);
    ihdr[12] = interlaced;
    ImgStatus status = img_output_write(output, SIGNATURE, sizeof SIGNATURE, err);
    return status != IMG_OK ? status : img_png_write_chunk(output, "IHDR", ihdr, sizeof ihdr, err);
}

static ImgStatus write_kept(ImgOutput *output, const ImgMetadata *metadata, ImgChunkPlace place,
                            ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        if (chunk->place == place && !img_png_is_index(chunk->type))
            status = img_png_write_chunk(output, chunk->type, chunk->data, chunk->size, err);
    }
    return status;
}

/* Returns true if the file gets a PLTE chunk. */
static bool has_palette(ImgFormat format, const ImgMetadata *metadata)
{
    return metadata->palette_size > 0 && format.color != IMG_COLOR_GRAY &&
           format.color != IMG_COLOR_GRAY_ALPHA;
}

static ImgStatus write_palette(ImgOutput *output, ImgFormat format, const ImgMetadata *metadata,
                               ImgError *err)
{
    int entries = metadata->palette_size;
    bool is_palette = format.color == IMG_COLOR_PALETTE;
    if (is_palette && (entries == 0 || entries > 1 << format.bits))
        return img_fail(err, IMG_E_FORMAT,
                        "cannot be written as PNG (a palette of %d entries with indices of %d "
                        "bits)",
                        entries, format.bits);
    if (!has_palette(format, metadata))
        return IMG_OK;
    return img_png_write_chunk(output, "PLTE", metadata->palette, (uint32_t)entries * 3, err);
}

ImgStatus img_png_write_start(ImgOutput *output, ImgShape shape, const ImgMetadata *metadata,
                              ImgError *err)
{
    ImgStatus status = write_header(output, shape, metadata->interlaced, err);
    if (status == IMG_OK)
        status = write_kept(output, metadata, IMG_BEFORE_PLTE, err);
    if (status == IMG_OK)
        status = write_palette(output, shape.format, metadata, err);
    if (status == IMG_OK)
        status = write_kept(output, metadata, IMG_BEFORE_IDAT, err);
    return status;
}

ImgStatus img_png_write_end(ImgOutput *output, const ImgMetadata *metadata, ImgError *err)
{
    ImgStatus status = write_kept(output, metadata, IMG_AFTER_IDAT, err);
    return status != IMG_OK ? status : img_png_write_chunk(output, "IEND", NULL, 0, err);
}

uint64_t img_png_chunks_bytes(ImgShape shape, const ImgMetadata *metadata)
{
    uint64_t bytes = sizeof SIGNATURE + IMG_PNG_FRAME_BYTES + IHDR_BYTES + IMG_PNG_FRAME_BYTES;
    if (has_palette(shape.format, metadata))
        bytes += IMG_PNG_FRAME_BYTES + (uint64_t)metadata->palette_size * 3;
    for (size_t i = 0; i < metadata->count; i++)
        if (!img_png_is_index(metadata->chunks[i].type))
            bytes += IMG_PNG_FRAME_BYTES + metadata->chunks[i].size;
    return bytes;
}
