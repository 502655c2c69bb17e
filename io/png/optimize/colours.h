/* Private: the chunks of a PNG whose contents depend on the colour type and depth: PLTE, tRNS,
 * bKGD, sBIT and hIST (PNG specification, third edition, section 11). Reductions convert this
 * struct; only the picture that is written gets chunks again. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_COLOURS_H
#define IMGTOOL_IO_PNG_OPTIMIZE_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

enum { IMG_COLOURS_MAX = 256, IMG_COLOUR_ALPHA = 3, IMG_COLOUR_CHANNELS = 4, IMG_OPAQUE = 255 };

typedef struct ImgColours {
    /* Red, green, blue and alpha of PLTE and tRNS. In RGB and RGBA pictures PLTE is only suggested,
     * and alpha is 255. */
    uint8_t palette[IMG_COLOURS_MAX][IMG_COLOUR_CHANNELS];
    int entries; /* number of entries; 0: no PLTE */
    bool has_key;
    uint16_t key[3]; /* the transparent colour; gray pictures use key[0] */
    bool has_background;
    uint16_t background[3]; /* background[0] is the gray value or the palette index */
    bool has_significant;
    /* Significant bits of each channel, in the order of the samples; three for a palette. */
    uint8_t significant[IMG_COLOUR_CHANNELS];
    bool has_histogram;
    uint16_t histogram[IMG_COLOURS_MAX]; /* one number for each entry of the palette */
    /* The iCCP chunk allows gray types; it allows RGB, RGBA and palettes. */
    bool allows_gray, allows_rgb;
    /* Write a tRNS of at least one value for a palette, even if all entries are opaque. */
    bool writes_alpha;
} ImgColours;

/* Reads the chunks of a picture of format `format`. Chunks of a wrong size or with impossible
 * values are left out, as readers ignore them. */
ImgColours img_colours_read(const ImgMetadata *metadata, ImgFormat format);

/* Replaces the chunks by those that `colours` describes, for a picture of format `format`. May fail
 * with IMG_E_MEMORY. */
ImgStatus img_colours_write(const ImgColours *colours, ImgFormat format, ImgMetadata *metadata,
                            ImgError *err);

/* Returns the bytes of the chunks that depend on the form of a picture, to compare forms. hIST and
 * a suggested palette do not count: a form must not win because it cannot keep them. */
uint64_t img_colours_bytes(const ImgColours *colours, ImgFormat format);

/* Removes the chunks that describe the encoding of the old file: indexes, and the signature caBX.
 */
void img_drop_stale_chunks(ImgMetadata *metadata);

#endif
