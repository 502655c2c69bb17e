/* Follows the PNG specification, third edition, 11.2.2 (PLTE), 11.3.1.1 (tRNS), 11.3.5.1 (bKGD) and
 * 11.3.5.2 (hIST). Handles violations as libpng 1.6 does. */
#include "io/png/palette.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_BYTES = 3, ENTRIES_MAX = 256 };

ImgStatus img_png_take_palette(ImgFormat format, const uint8_t *data, uint32_t size,
                               bool after_idat, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws,
                               ImgError *err)
{
    bool gray = format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
    bool fits = size % ENTRY_BYTES == 0 && size <= ENTRY_BYTES * ENTRIES_MAX;
    bool needed = format.color == IMG_COLOR_PALETTE;
    if (!needed && (gray || after_idat || !fits)) {
        flaws->useless = true;
        return IMG_OK;
    }
    if (size == 0 || !fits)
        return img_fail(err, IMG_E_FORMAT, "damaged: a palette (PLTE) of %u bytes", size);

    int entries = (int)size / ENTRY_BYTES;
    int most = needed ? 1 << format.bits : (int)ENTRIES_MAX;
    flaws->too_long = entries > most;
    if (entries >
        /* Pixels cannot refer to the entries beyond `most`, and a PNG must not contain them. */
        most)
        entries = most;
    memcpy(metadata->palette, data, (size_t)entries * ENTRY_BYTES);
    metadata->palette_size = entries;
    return IMG_OK;
}

/* Removes the part of a chunk that refers to palette entries from number `entries` on. hIST has two
 * bytes for each palette entry; bKGD refers to one entry. Returns false if nothing of the chunk
 * remains. */
static bool fit_chunk(ImgChunk *chunk, uint32_t entries)
{
    if (strcmp(chunk->type, "hIST") == 0 && chunk->size > 2 * entries)
        chunk->size = 2 * entries;
    return strcmp(chunk->type, "bKGD") != 0 || chunk->size != 1 || chunk->data[0] < entries;
}

void img_png_fit_to_palette(ImgMetadata *metadata, ImgPngPaletteFlaws *flaws)
{
    size_t kept = 0;
    bool changed = false;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        uint32_t size = chunk.size;
        bool stays = fit_chunk(&chunk, (uint32_t)metadata->palette_size);
        changed |= !stays || chunk.size != size;
        if (stays)
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
    flaws->beyond = changed && !flaws->too_long;
}

/* --- Transparency ----------------------------------------------------------------------------- */

/* Returns true if the tRNS chunk has a valid size and a valid position in the file. */
static bool fits(const ImgChunk *trns, ImgFormat format, uint32_t entries)
{
    switch (format.color) {
    case IMG_COLOR_GRAY:
        return trns->place != IMG_AFTER_IDAT && trns->size == 2;
    case IMG_COLOR_RGB:
        return trns->place != IMG_AFTER_IDAT && trns->size == 6;
    case IMG_COLOR_PALETTE:
        return trns->place == IMG_BEFORE_IDAT && trns->size > 0 && trns->size <= entries;
    default:
        return false;
    }
}

/* Returns true if libpng applies this tRNS chunk. In libpng a palette cancels a tRNS before it,
 * even if it is only the suggested palette of an RGB picture. A later tRNS is still rejected as a
 * duplicate. */
static bool counts(const ImgChunk *trns, const ImgMetadata *metadata)
{
    return trns->place != IMG_BEFORE_PLTE || metadata->palette_size == 0;
}

void img_png_select_transparency(ImgFormat format, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws)
{
    size_t kept = 0;
    bool found = false;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        const bool trns = strcmp(chunk->type, "tRNS") == 0;
        const bool first = trns && !found && fits(chunk, format, (uint32_t)metadata->palette_size);
        found |= first;
        if (!trns || (first && counts(chunk, metadata))) {
            metadata->chunks[kept++] = *chunk;
        } else {
            flaws->transparency = true;
            free(chunk->data);
        }
    }
    metadata->count = kept;
}
