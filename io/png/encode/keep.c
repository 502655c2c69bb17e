#include "io/png/encode/keep.h"

#include "io/png/chunks.h"
#include "io/png/encode/write_chunk.h"

static size_t index_count(const ImgPngKept *kept)
{
    return kept->indexes != NULL ? kept->indexes->count : 0;
}

uint64_t img_png_kept_bytes(const ImgPngKept *kept)
{
    uint64_t bytes = img_png_chunks_bytes(kept->shape, kept->metadata) + kept->idat->size +
                     (uint64_t)kept->idat->count * IMG_PNG_FRAME_BYTES;
    for (size_t i = 0; i < index_count(kept); i++)
        bytes += IMG_PNG_FRAME_BYTES + kept->indexes->chunks[i].size;
    return bytes;
}

/* Writes bytes of the file from offset `at` on. */
static ImgStatus copy(const ImgIdat *idat, uint64_t at, uint64_t size, ImgOutput *output,
                      ImgError *err)
{
    uint8_t buffer[IMG_PIECE_BYTES];
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && size > 0) {
        const size_t now = size < sizeof buffer ? (size_t)size : sizeof buffer;
        status = img_output_write(output, img_file_bytes(idat->file, idat->pieces, at, now, buffer),
                                  now, err);
        at += now;
        size -= now;
    }
    return status;
}

/* Writes the indexes before or after the pixels. */
static ImgStatus write_indexes(const ImgPngKept *kept, bool after, ImgOutput *output, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < index_count(kept); i++) {
        const ImgChunk *chunk = &kept->indexes->chunks[i];
        if ((chunk->place == IMG_AFTER_IDAT) == after)
            status = img_png_write_chunk(output, chunk->type, chunk->data, chunk->size, err);
    }
    return status;
}

ImgStatus img_png_write_kept(const ImgPngKept *kept, ImgOutput *output, ImgError *err)
{
    const ImgIdat *idat = kept->idat;
    ImgStatus status = img_png_write_start(output, kept->shape, kept->metadata, err);
    if (status == IMG_OK)
        status = write_indexes(kept, false, output, err);
    for (size_t i = 0; status == IMG_OK && i < idat->count; i++) {
        const ImgIdatPart *part = &idat->parts[i];
        status = copy(idat, part->at - 8, (uint64_t)part->size + IMG_PNG_FRAME_BYTES, output, err);
    }
    if (status == IMG_OK)
        status = write_indexes(kept, true, output, err);
    return status == IMG_OK ? img_png_write_end(output, kept->metadata, err) : status;
}
