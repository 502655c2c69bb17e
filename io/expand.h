/* Expands a picture to separate colour and alpha channels, for code that works on channels. The
 * colours of a palette picture are in its metadata. A gray or RGB picture may have a key: one
 * colour that its tRNS chunk declares transparent. */
#ifndef IMGTOOL_IO_EXPAND_H
#define IMGTOOL_IO_EXPAND_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Returns the shape of the picture that img_expand produces, or `shape` itself if there is nothing
 * to expand:
 *
 *     palette                            RGB of 8 bits; RGBA if a tRNS chunk has alpha values
 *     gray of 1, 2 or 4 bits with key    gray and alpha of 8 bits
 *     gray of 8 or 16 bits with key      gray and alpha of the same depth
 *     RGB of 8 or 16 bits with key       RGBA of the same depth
 *
 * A key is the transparent colour that a tRNS chunk of the right size declares. */
ImgShape img_expanded_shape(ImgShape shape, const ImgMetadata *metadata);

enum { IMG_EXPANSION_COLORS = 256, IMG_EXPANSION_KEY_BYTES = 8 /* RGBA of 16 bits */ };

/* Everything that img_expand_rows needs from the metadata, so that the metadata may change or be
 * freed before the pixels are expanded. */
typedef struct ImgExpansion {
    bool is_palette;
    /* For palette pictures: red, green, blue and alpha of each index. */
    uint8_t colors[IMG_EXPANSION_COLORS][4];
    /* For other pictures: one pixel of the transparent colour, in the byte order of the picture. */
    uint8_t key[IMG_EXPANSION_KEY_BYTES];
    size_t size, sample; /* `size`: bytes of a pixel of the source; `sample`: bytes of one sample */
    /* Factor that converts gray of fewer than 8 bits to 8 bits; 1 for other pictures. */
    unsigned scale;
} ImgExpansion;

/* Returns the expansion for a picture with format `from` and this metadata. The caller must have
 * checked with img_expanded_shape that there is something to expand. */
ImgExpansion img_expansion(ImgFormat from, const ImgMetadata *metadata);

/* Expands the rows of `src` to `dst`. Both have the same width and height. `dst` has the format
 * that img_expanded_shape returns. Uses up to `threads` threads of `team`, which may be NULL. */
void img_expand_rows(const ImgExpansion *expansion, const ImgView *src, const ImgView *dst,
                     ImgTeam *team, int threads);

/* Changes the metadata of a picture of format `before` in the same way as img_expand. On
 * IMG_E_MEMORY the metadata is unchanged. */
ImgStatus img_expand_metadata(ImgMetadata *metadata, ImgFormat before, ImgError *err);

/* Replaces the picture by its expanded form and adapts the metadata. PLTE, hIST and tRNS are
 * removed. bKGD is converted to the new colour type and depth. sBIT gets an entry for the new alpha
 * channel.
 *
 * The visible colours stay the same. Gray samples of 1, 2 or 4 bits are multiplied by an integer:
 * 255 divided by the largest sample. Palette indices without an entry become opaque black. If a
 * transparent colour in tRNS has more bits than a sample, its upper bits are ignored. If there is
 * nothing to expand, the picture does not change.
 *
 * Uses up to `threads` threads of `team`, which may be NULL. On IMG_E_MEMORY picture and metadata
 * are unchanged. */
ImgStatus img_expand(ImgImage *image, ImgMetadata *metadata, ImgTeam *team, int threads,
                     ImgError *err);

#endif
