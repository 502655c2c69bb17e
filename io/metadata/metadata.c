/* Manages the list of chunks: allocates and frees it, searches it, and removes chunks. */
#include "io/metadata/metadata.h"

#include <stdlib.h>
#include <string.h>

void img_metadata_free(ImgMetadata *metadata)
{
    for (size_t i = 0; i < metadata->count; i++)
        free(metadata->chunks[i].data);
    free(metadata->chunks);
    *metadata = IMG_METADATA_NONE;
}

/* The memory of a chunk's list entry counts twice, because the list grows by doubling: up to half
 * of its entries may be unused. */
uint64_t img_metadata_chunk_bytes(size_t number, uint32_t size)
{
    enum { OWN_ENTRIES = 1 << 12, BLOCK_BESIDE = 32 /* bytes that malloc adds to a block */ };
    return size + (number > OWN_ENTRIES ? 2 * sizeof(ImgChunk) + BLOCK_BESIDE : 0);
}

uint64_t img_metadata_bytes(const ImgMetadata *metadata)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < metadata->count; i++)
        bytes += img_metadata_chunk_bytes(i + 1, metadata->chunks[i].size);
    return bytes;
}

const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type)
{
    for (size_t i = 0; i < metadata->count; i++) {
        if (strcmp(metadata->chunks[i].type, type) == 0)
            return &metadata->chunks[i];
    }
    return NULL;
}

void img_metadata_drop(ImgMetadata *metadata, const char *type)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk chunk = metadata->chunks[i];
        if (strcmp(chunk.type, type) != 0)
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
}

static ImgStatus make_room(ImgMetadata *metadata, ImgError *err)
{
    if (metadata->count < metadata->capacity)
        return IMG_OK;
    size_t capacity = metadata->capacity == 0 ? 16 : 2 * metadata->capacity;
    ImgChunk *chunks = realloc(metadata->chunks, capacity * sizeof *chunks);
    if (chunks == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    metadata->chunks = chunks;
    metadata->capacity = capacity;
    return IMG_OK;
}

ImgStatus img_metadata_add_space(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                                 uint32_t size, uint8_t **data, ImgError *err)
{
    ImgStatus status = make_room(metadata, err);
    if (status != IMG_OK)
        return status;
    ImgChunk chunk = {.place = place, .size = size, .data = malloc(size > 0 ? size : 1)};
    if (chunk.data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    memcpy(chunk.type, type, 4);
    metadata->chunks[metadata->count++] = chunk;
    *data = chunk.data;
    return IMG_OK;
}

ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err)
{
    uint8_t *to = NULL;
    const ImgStatus status = img_metadata_add_space(metadata, type, place, size, &to, err);
    if (status == IMG_OK && size > 0)
        memcpy(to, data, size);
    return status;
}

/* --- The palette ------------------------------------------------------------------------------ */

/* Converts palettes as in the PNG specification, third edition, 11.2.2 (PLTE) and 11.3.1.1 (tRNS).
 * Entries without a value in tRNS are opaque. */
enum { OPAQUE = 255, RGB_BYTES = 3, ALPHA = 3 };

void img_metadata_palette(const ImgMetadata *metadata, int bits, ImgPalette *palette)
{
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    *palette = (ImgPalette){.count = metadata->palette_size, .room = INT32_C(1) << bits};
    if (palette->count > palette->room) /* pixels cannot refer to entries past `room` */
        palette->count = palette->room;
    for (int32_t i = 0; i < palette->count; i++) {
        memcpy(palette->colors[i], metadata->palette[i], RGB_BYTES);
        palette->colors[i][ALPHA] =
            trns != NULL && (uint32_t)i < trns->size ? trns->data[i] : OPAQUE;
    }
}

/* Sets `alphas` to the alpha values of all entries. Returns their number without the opaque entries
 * at the end. */
static uint32_t find_alphas(const ImgPalette *palette, uint8_t alphas[IMG_PALETTE_MAX])
{
    uint32_t size = 0;
    for (int32_t i = 0; i < palette->count; i++) {
        alphas[i] = palette->colors[i][ALPHA];
        if (alphas[i] != OPAQUE)
            size = (uint32_t)i + 1;
    }
    return size;
}

static ImgStatus add_alphas(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err)
{
    uint8_t alphas[IMG_PALETTE_MAX];
    const uint32_t size = find_alphas(palette, alphas);
    return size > 0 ? img_metadata_add(metadata, "tRNS", IMG_BEFORE_IDAT, alphas, size, err)
                    : IMG_OK;
}

/* Writes tRNS with the alpha values of all entries, except opaque entries at the end. Keeps a tRNS
 * that is already right. */
static ImgStatus set_alphas(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err)
{
    uint8_t alphas[IMG_PALETTE_MAX];
    const uint32_t size = find_alphas(palette, alphas);
    const ImgChunk *old = img_metadata_find(metadata, "tRNS");
    const uint32_t old_size = old != NULL ? old->size : 0;
    if (size <= old_size && old_size <= (uint32_t)metadata->palette_size)
        return IMG_OK;
    img_metadata_drop(metadata, "tRNS");
    return add_alphas(metadata, palette, err);
}

ImgStatus img_metadata_add_entries(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err)
{
    if (palette->count <= metadata->palette_size)
        return IMG_OK;
    const ImgStatus status = set_alphas(metadata, palette, err);
    if (status != IMG_OK)
        return status;
    for (int32_t i = metadata->palette_size; i < palette->count; i++)
        memcpy(metadata->palette[i], palette->colors[i], RGB_BYTES);
    metadata->palette_size = palette->count;
    img_metadata_drop(metadata, "hIST");
    return IMG_OK;
}

static bool fits_new_palette(const ImgChunk *chunk)
{
    static const char *const voids[] = {"tRNS", "hIST", "sPLT", "bKGD"};
    for (size_t i = 0; i < sizeof voids / sizeof *voids; i++)
        if (strcmp(chunk->type, voids[i]) == 0)
            return false;
    return true;
}

ImgStatus img_metadata_set_palette(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        metadata->chunks[i].data = NULL;
        if (chunk.place == IMG_BEFORE_IDAT)
            chunk.place = IMG_BEFORE_PLTE; /* as in a file that had no palette */
        if (fits_new_palette(&chunk))
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
    metadata->palette_size = 0;
    const ImgStatus status = add_alphas(metadata, palette, err);
    if (status != IMG_OK)
        return status;
    for (int32_t i = 0; i < palette->count; i++)
        memcpy(metadata->palette[i], palette->colors[i], RGB_BYTES);
    metadata->palette_size = palette->count;
    return IMG_OK;
}
