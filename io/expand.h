/* Gives a picture separate colour and alpha channels, for code that works on channels. A palette
 * picture has its colours in the metadata. A gray or RGB picture may have a key: one colour that is
 * transparent, stated by a tRNS chunk. */
#ifndef IMGTOOL_IO_EXPAND_H
#define IMGTOOL_IO_EXPAND_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Returns the shape that img_expand produces; the shape itself if there is nothing to expand:
 *
 *     palette                            RGB of 8 bits; RGBA where a tRNS chunk gives alphas
 *     gray of 1, 2 or 4 bits with key    gray+alpha of 8 bits
 *     gray or RGB, 8 or 16 bits, key     gray+alpha or RGBA of the same depth
 *
 * A key is a tRNS chunk of the right size: it names the transparent colour. */
ImgShape img_expanded_shape(ImgShape shape, const ImgMetadata *metadata);

/* Expands only the pixels of some rows. `dst` has as many rows and columns as `src`, and the format
 * of img_expanded_shape, which must differ from that of `src`. Uses up to `threads` threads of
 * `team`, which may be NULL. */
void img_expand_rows(const ImgView *src, const ImgView *dst, const ImgMetadata *metadata,
                     ImgTeam *team, int threads);

/* Changes the metadata as img_expand does, for a picture of format `before`. On IMG_E_MEMORY the
 * metadata is unchanged. */
ImgStatus img_expand_metadata(ImgMetadata *metadata, ImgFormat before, ImgError *err);

/* Replaces the picture by its expanded form and adapts the metadata. PLTE and hIST of a palette
 * picture and tRNS are removed. bKGD follows the new colour type and depth, and sBIT gets an entry
 * for a new alpha.
 *
 * The visible colours stay the same. Gray samples of few bits are multiplied by 255 / maximum,
 * which is a whole number; indices without a palette entry become opaque black. Only the lowest
 * `bits` bits of a key count. A picture with nothing to expand is left as it is.
 *
 * Uses up to `threads` threads of `team`, which may be NULL. On IMG_E_MEMORY picture and metadata
 * are unchanged. */
ImgStatus img_expand(ImgImage *image, ImgMetadata *metadata, ImgTeam *team, int threads,
                     ImgError *err);

#endif
