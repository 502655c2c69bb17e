/* Expands palette indices and transparent colours to separate channels, and adapts the metadata.
 * The layouts of PLTE, tRNS, bKGD and sBIT are those of the PNG specification, third edition,
 * chapter 11. */
#include "io/expand.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "kernels/core/op.h"

enum { OPAQUE = 255, COLOR_BYTES = 6 /* bytes of bKGD in an RGB picture */ };

static bool has_key(ImgFormat format, const ImgChunk *trns)
{
    return trns != NULL && ((format.color == IMG_COLOR_GRAY && trns->size == 2) ||
                            (format.color == IMG_COLOR_RGB && trns->size == 6));
}

ImgShape img_expanded_shape(ImgShape shape, const ImgMetadata *metadata)
{
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    ImgFormat *format = &shape.format;
    if (format->color == IMG_COLOR_PALETTE) {
        bool has_alphas = trns != NULL && trns->size > 0;
        *format = (ImgFormat){has_alphas ? IMG_COLOR_RGBA : IMG_COLOR_RGB, 8};
    } else if (has_key(*format, trns)) {
        format->color = format->color == IMG_COLOR_GRAY ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_RGBA;
        format->bits = format->bits < 8 ? 8 : format->bits;
    }
    return shape;
}

/* --- Pixels --------------------------------------------------------------------------------- */

static void set_palette(ImgExpansion *expansion, const ImgMetadata *metadata, const ImgChunk *trns)
{
    for (int i = 0; i < IMG_EXPANSION_COLORS; i++) {
        if (i < metadata->palette_size)
            memcpy(expansion->colors[i], metadata->palette[i], 3);
        bool has_alpha = i < metadata->palette_size && trns != NULL && (uint32_t)i < trns->size;
        expansion->colors[i][3] = has_alpha ? trns->data[i] : OPAQUE;
    }
}

static void set_key(ImgExpansion *expansion, ImgFormat format, const ImgChunk *trns)
{
    size_t channels = (size_t)img_format_channels(format);
    expansion->sample = format.bits == 16 ? 2 : 1;
    expansion->size = channels * expansion->sample;
    expansion->scale = format.bits < 8 ? OPAQUE / img_format_maximum(format) : 1;
    for (size_t c = 0; c < channels; c++) {
        uint16_t sample = (uint16_t)(img_get_be16(trns->data + 2 * c) & img_format_maximum(format));
        if (expansion->sample == 2)
            memcpy(expansion->key + 2 * c, &sample, 2);
        else
            expansion->key[c] = (uint8_t)sample;
    }
}

ImgExpansion img_expansion(ImgFormat from, const ImgMetadata *metadata)
{
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    ImgExpansion expansion = {.is_palette = from.color == IMG_COLOR_PALETTE};
    if (expansion.is_palette)
        set_palette(&expansion, metadata, trns);
    else
        set_key(&expansion, from, trns);
    return expansion;
}

/* The context of expand_palette and expand_key, which each expand a range of the picture's rows. */
typedef struct Rows {
    const ImgExpansion *how;
    const ImgView *src, *dst;
} Rows;

static void expand_palette(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    size_t size = img_format_pixel_size(rows->dst->format);
    for (int64_t y = first; y < end; y++) {
        const uint8_t *from = rows->src->data + (size_t)y * rows->src->stride;
        uint8_t *to = rows->dst->data + (size_t)y * rows->dst->stride;
        for (int32_t x = 0; x < rows->src->width; x++, to += size)
            memcpy(to, rows->how->colors[from[x]], size);
    }
}

/* Expands rows `first` to `end` (exclusive) of a picture with a transparent colour. Works on bytes:
 * samples of 8 and 16 bits are copied, and smaller samples, which take a byte each, are scaled. */
static void expand_key(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    const ImgExpansion *how = rows->how;
    size_t size = how->size, sample = how->sample;
    for (int64_t y = first; y < end; y++) {
        const uint8_t *from = rows->src->data + (size_t)y * rows->src->stride;
        uint8_t *to = rows->dst->data + (size_t)y * rows->dst->stride;
        for (int32_t x = 0; x < rows->src->width; x++, from += size, to += size + sample) {
            for (size_t i = 0; i < size; i++)
                to[i] = (uint8_t)(from[i] * how->scale);
            memset(to + size, memcmp(from, how->key, size) == 0 ? 0 : OPAQUE, sample);
        }
    }
}

void img_expand_rows(const ImgExpansion *expansion, const ImgView *src, const ImgView *dst,
                     ImgTeam *team, int threads)
{
    Rows rows = {expansion, src, dst};
    if (dst->stride * (size_t)dst->height < IMG_BYTES_WORTH_THREADS)
        threads = 1;
    img_parallel_for(team, threads, src->height,
                     expansion->is_palette ? expand_palette : expand_key, &rows);
}

/* --- Metadata ------------------------------------------------------------------------------- */

/* Returns the chunk of the given type for modification, or NULL. img_metadata_find returns only
 * const chunks. */
static ImgChunk *find(ImgMetadata *metadata, const char *type)
{
    for (size_t i = 0; i < metadata->count; i++)
        if (strcmp(metadata->chunks[i].type, type) == 0)
            return &metadata->chunks[i];
    return NULL;
}

/* Returns true if the chunk is meaningless after expansion. This applies to tRNS. For palette
 * pictures it also applies to hIST, and to a bKGD that still contains a palette index. */
static bool is_void(const ImgChunk *chunk, bool palette)
{
    return strcmp(chunk->type, "tRNS") == 0 ||
           (palette && (strcmp(chunk->type, "hIST") == 0 ||
                        (strcmp(chunk->type, "bKGD") == 0 && chunk->size != COLOR_BYTES)));
}

/* Removes all chunks that are meaningless after expansion (is_void). Uses a single pass, because a
 * file may have very many chunks. */
static void drop_void(ImgMetadata *metadata, bool palette)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk chunk = metadata->chunks[i];
        if (is_void(&chunk, palette))
            free(chunk.data);
        else
            metadata->chunks[kept++] = chunk;
    }
    metadata->count = kept;
}

/* Enlarges the memory of a chunk to at least `size` bytes. Called before the first change of the
 * metadata, so that no later step can fail. */
static ImgStatus make_room(ImgChunk *chunk, size_t size, ImgError *err)
{
    if (chunk == NULL || chunk->size >= size)
        return IMG_OK;
    uint8_t *data = realloc(chunk->data, size);
    if (data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    chunk->data = data;
    return IMG_OK;
}

/* Adapts the background colour (bKGD) to the expanded picture: replaces a palette index by its
 * colour, and scales gray of fewer than 8 bits to 8 bits. */
static void follow_background(ImgMetadata *metadata, ImgFormat from)
{
    ImgChunk *chunk = find(metadata, "bKGD");
    if (chunk == NULL)
        return;
    if (from.color == IMG_COLOR_PALETTE) {
        if (chunk->size != 1 || chunk->data[0] >= metadata->palette_size) {
            chunk->size = 0;
            return;
        }
        const uint8_t *color = metadata->palette[chunk->data[0]];
        memcpy(chunk->data, (uint8_t[]){0, color[0], 0, color[1], 0, color[2]}, COLOR_BYTES);
        chunk->size = COLOR_BYTES;
    } else if (from.bits < 8 && chunk->size == 2) {
        uint32_t maximum = img_format_maximum(from);
        chunk->data[0] = 0;
        chunk->data[1] = (uint8_t)((chunk->data[1] & maximum) * (OPAQUE / maximum));
    }
}

static void follow_significant_bits(ImgMetadata *metadata, ImgFormat to)
{
    ImgChunk *chunk = find(metadata, "sBIT");
    if (chunk != NULL && img_format_has_alpha(to) &&
        chunk->size + 1 == (uint32_t)img_format_channels(to))
        chunk->data[chunk->size++] = (uint8_t)to.bits;
}

static ImgStatus make_rooms(ImgMetadata *metadata, ImgError *err)
{
    ImgStatus status = make_room(find(metadata, "bKGD"), COLOR_BYTES, err);
    return status == IMG_OK ? make_room(find(metadata, "sBIT"), 4, err) : status;
}

static void follow(ImgMetadata *metadata, ImgFormat before, ImgFormat after)
{
    follow_background(metadata, before);
    follow_significant_bits(metadata, after);
    drop_void(metadata, before.color == IMG_COLOR_PALETTE);
    if (before.color == IMG_COLOR_PALETTE)
        metadata->palette_size = 0;
}

ImgStatus img_expand_metadata(ImgMetadata *metadata, ImgFormat before, ImgError *err)
{
    const ImgFormat after = img_expanded_shape((ImgShape){1, 1, before}, metadata).format;
    if (after.color == before.color)
        return IMG_OK;
    ImgStatus status = make_rooms(metadata, err);
    if (status == IMG_OK)
        follow(metadata, before, after);
    return status;
}

ImgStatus img_expand(ImgImage *image, ImgMetadata *metadata, ImgTeam *team, int threads,
                     ImgError *err)
{
    ImgShape before = img_view_shape(&image->view), after = img_expanded_shape(before, metadata);
    if (after.format.color == before.format.color)
        return IMG_OK;
    ImgImage result = IMG_IMAGE_NONE;
    ImgStatus status = make_rooms(metadata, err);
    if (status == IMG_OK)
        status = img_image_alloc_in(image->store, after, &result, err);
    if (status != IMG_OK)
        return status;

    const ImgExpansion expansion = img_expansion(before.format, metadata);
    img_expand_rows(&expansion, &image->view, &result.view, team, threads);
    img_image_free(image);
    *image = result;
    follow(metadata, before.format, after.format);
    return IMG_OK;
}
