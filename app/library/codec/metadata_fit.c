/* Adapts the metadata of a file to another pixel format, or to another file. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/metadata.h"
#include "app/library/context.h"
#include "app/library/picture.h"
#include "io/bytes.h"
#include "io/expand.h"
#include "io/metadata/metadata_follow.h"
#include "io/metadata/profile.h"

static const ImgLimits limits = {.max_text = IMG_DEFAULT_MAX_TEXT};

/* --- Another format --------------------------------------------------------------------------- */

static bool is_gray(imgtool_color color)
{
    return color == IMGTOOL_GRAY || color == IMGTOOL_GRAY_ALPHA;
}

/* Returns true if the channels stay the same and the samples get more bits. Only then can the
 * colours in tRNS and bKGD be scaled instead of dropped. */
static bool only_depth_grows(imgtool_format before, imgtool_format after)
{
    return after.color == before.color && after.bits > before.bits && after.bits <= 16 &&
           (after.color == IMGTOOL_GRAY || after.color == IMGTOOL_RGB);
}

/* Scales the samples that a chunk contains from `before` to `after` bits. The largest value of the
 * greater depth is a multiple of the largest value of the smaller depth, so multiplication is
 * exact. Only the lowest `before` bits of a stored sample are used. */
static void scale_chunk_samples(ImgMetadata *metadata, const char *type, int32_t before,
                                int32_t after)
{
    const uint32_t maximum = (1U << before) - 1, factor = ((1U << after) - 1) / maximum;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        if (strcmp(chunk->type, type) != 0)
            continue;
        for (uint32_t at = 0; at + 1 < chunk->size; at += 2) {
            const uint32_t sample = (img_get_be16(chunk->data + at) & maximum) * factor;
            chunk->data[at] = (uint8_t)(sample >> 8);
            chunk->data[at + 1] = (uint8_t)sample;
        }
    }
}

/* Adapts metadata to a format with the same channels and more bits. */
static ImgStatus fit_to_depth(ImgMetadata *metadata, imgtool_format before, imgtool_format after,
                              ImgError *err)
{
    static const ImgEffect effect = {0};
    scale_chunk_samples(metadata, "tRNS", before.bits, after.bits);
    scale_chunk_samples(metadata, "bKGD", before.bits, after.bits);
    return img_metadata_follow(metadata, &effect, &limits, err);
}

/* Returns the file format whose rules for metadata apply to pixels of the format `format`. The byte
 * order does not matter, and floats count as 16-bit samples. */
static ImgFormat metadata_format(imgtool_format format)
{
    ImgFormat own = {IMG_COLOR_GRAY, 8};
    if (format.color == IMGTOOL_BGRA)
        format.color = IMGTOOL_RGBA;
    if (format.bits > 16)
        format.bits = 16;
    /* cannot fail: the lines above replaced BGRA and floats, which ImgFormat does not have */
    (void)img_lib_format(format, &own);
    return own;
}

/* Adapts the chunk sBIT, which has one entry per channel. Adds entries for new channels and limits
 * all entries to the new depth. */
static ImgStatus follow_significant_bits(ImgMetadata *metadata, ImgFormat before, ImgFormat after,
                                         ImgError *err)
{
    ImgChunk *chunk = NULL;
    for (size_t i = 0; i < metadata->count && chunk == NULL; i++)
        if (strcmp(metadata->chunks[i].type, "sBIT") == 0)
            chunk = &metadata->chunks[i];
    if (chunk == NULL || chunk->size != (uint32_t)img_format_channels(before))
        return IMG_OK;
    const uint32_t channels = (uint32_t)img_format_channels(after);
    if (channels > chunk->size) {
        uint8_t *data = realloc(chunk->data, channels);
        if (data == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
        data[chunk->size] = (uint8_t)after.bits;
        chunk->data = data;
    }
    chunk->size = channels;
    for (uint32_t i = 0; i < channels; i++)
        if (chunk->data[i] > after.bits)
            chunk->data[i] = (uint8_t)after.bits;
    return IMG_OK;
}

/* Adapts metadata to other channels or to fewer bits. Several old colours can then become one
 * colour, so that no colour stands for the transparent one alone. tRNS is therefore dropped. */
static ImgStatus follow_channels(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                 ImgError *err)
{
    const ImgFormat expanded = img_expanded_shape((ImgShape){1, 1, before}, metadata).format;
    const bool was_gray = is_gray(img_lib_format_of(expanded).color);
    const ImgEffect effect = {
        .to_gray = is_gray(after.color) && !was_gray,
        .to_color = !is_gray(after.color) && was_gray,
        .depth_changed = after.bits != expanded.bits,
    };
    ImgStatus status = img_expand_metadata(metadata, before, err);
    if (status == IMG_OK && (effect.to_gray || effect.to_color || effect.depth_changed))
        status = img_metadata_follow(metadata, &effect, &limits, err);
    if (effect.to_gray || effect.to_color)
        img_metadata_drop(metadata, "sBIT");
    else if (status == IMG_OK)
        status = follow_significant_bits(metadata, expanded, metadata_format(after), err);
    return status;
}

ImgStatus img_lib_metadata_follow(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                  ImgError *err)
{
    const imgtool_format read = img_lib_format_of(before);
    if ((after.color == read.color && after.bits == read.bits) || after.color == IMGTOOL_PALETTE)
        return IMG_OK;
    return only_depth_grows(read, after) ? fit_to_depth(metadata, read, after, err)
                                         : follow_channels(metadata, before, after, err);
}

imgtool_status imgtool_metadata_convert(imgtool_metadata *metadata, imgtool_format before,
                                        imgtool_format after, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    if (metadata == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "metadata is NULL");
    if (imgtool_pixel_size(before) == 0 || imgtool_pixel_size(after) == 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s: unknown pixel format",
                            imgtool_pixel_size(before) == 0 ? "before" : "after");
    const ImgStatus status =
        img_lib_metadata_follow(&metadata->own, metadata_format(before), after, &failure);
    return img_lib_end(NULL, status, &failure, error);
}

/* --- Another file ----------------------------------------------------------------------------- */

/* Checks that sBIT has one entry per channel, each from 1 to the number of bits of a sample. */
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

/* Returns true if the chunk has the content that a picture of this format needs. Unknown chunks
 * always fit. */
static bool chunk_fits(const ImgChunk *chunk, const ImgMetadata *metadata, ImgFormat format)
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
    if (strcmp(chunk->type, "iCCP") == 0)
        return img_profile_fits(chunk, format.color);
    if (strcmp(chunk->type, "hIST") == 0)
        return !gray && entries > 0 && chunk->size == 2 * entries;
    /* A digital signature (dSIG) is valid for one file only, so it fits no other picture. */
    return strcmp(chunk->type, "dSIG") != 0;
}

void img_lib_metadata_fit(ImgMetadata *metadata, ImgFormat format)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk chunk = metadata->chunks[i];
        if (chunk_fits(&chunk, metadata, format))
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
}
