/* Metadata of a file for pixels of another format, and for another file. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/metadata.h"
#include "app/library/picture.h"
#include "io/expand.h"
#include "io/metadata/metadata_follow.h"

static bool is_gray(imgtool_color color)
{
    return color == IMGTOOL_GRAY || color == IMGTOOL_GRAY_ALPHA;
}

ImgStatus img_lib_metadata_follow(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                  ImgError *err)
{
    static const ImgLimits limits = {.max_text = IMG_DEFAULT_MAX_TEXT};
    const imgtool_format read = img_lib_format_of(before);
    if (after.color == read.color && after.bits == read.bits)
        return IMG_OK;
    ImgEffect effect = {0};
    ImgStatus status = IMG_OK;
    if (after.color != IMGTOOL_PALETTE) {
        const ImgFormat expanded = img_expanded_shape((ImgShape){1, 1, before}, metadata).format;
        status = img_expand_metadata(metadata, before, err);
        effect.to_gray = is_gray(after.color) && !is_gray(img_lib_format_of(expanded).color);
        effect.depth_changed = after.bits != expanded.bits;
    }
    if (status == IMG_OK && (effect.to_gray || effect.depth_changed))
        status = img_metadata_follow(metadata, &effect, &limits, err);
    return status;
}

/* An entry for each channel, of as many bits as there are at most. */
static bool fits_significant_bits(const ImgChunk *chunk, ImgFormat format)
{
    const bool palette = format.color == IMG_COLOR_PALETTE;
    const int most = palette ? 8 : format.bits;
    if (chunk->size != (palette ? 3 : (uint32_t)img_format_channels(format)))
        return false;
    for (uint32_t i = 0; i < chunk->size; i++)
        if (chunk->data[i] < 1 || chunk->data[i] > most)
            return false;
    return true;
}

/* Has the chunk the form that it has beside such pixels? Of what is not known, any. */
static bool fits(const ImgChunk *chunk, const ImgMetadata *metadata, ImgFormat format)
{
    const bool palette = format.color == IMG_COLOR_PALETTE;
    const bool gray = format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
    const uint32_t entries = (uint32_t)metadata->palette_size;
    if (strcmp(chunk->type, "tRNS") == 0 && palette)
        return chunk->size <= entries;
    if (strcmp(chunk->type, "tRNS") == 0)
        return !img_format_has_alpha(format) && chunk->size == (gray ? 2 : 6);
    if (strcmp(chunk->type, "bKGD") == 0)
        return chunk->size == (palette ? 1 : gray ? 2 : 6);
    if (strcmp(chunk->type, "sBIT") == 0)
        return fits_significant_bits(chunk, format);
    if (strcmp(chunk->type, "hIST") == 0)
        return !gray && entries > 0 && chunk->size == 2 * entries;
    return strcmp(chunk->type, "dSIG") != 0; /* signs the bytes of one file */
}

void img_lib_metadata_fit(ImgMetadata *metadata, ImgFormat format)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk chunk = metadata->chunks[i];
        if (fits(&chunk, metadata, format))
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
}
