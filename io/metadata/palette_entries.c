/* Converts palettes as in the PNG specification, third edition, 11.2.2 (PLTE) and 11.3.1.1 (tRNS).
 * Entries without a value in tRNS are opaque. */
#include "io/metadata/palette_entries.h"

#include <string.h>

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

/* Writes tRNS with the alpha values of all entries, except opaque entries at the end. Keeps a tRNS
 * that is already right. */
static ImgStatus set_alphas(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err)
{
    uint8_t alphas[IMG_PALETTE_MAX];
    uint32_t size = 0;
    for (int32_t i = 0; i < palette->count; i++) {
        alphas[i] = palette->colors[i][ALPHA];
        if (alphas[i] != OPAQUE)
            size = (uint32_t)i + 1;
    }
    const ImgChunk *old = img_metadata_find(metadata, "tRNS");
    const uint32_t old_size = old != NULL ? old->size : 0;
    if (size <= old_size && old_size <= (uint32_t)metadata->palette_size)
        return IMG_OK;
    img_metadata_drop(metadata, "tRNS");
    return size > 0 ? img_metadata_add(metadata, "tRNS", IMG_BEFORE_IDAT, alphas, size, err)
                    : IMG_OK;
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
