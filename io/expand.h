/* Colours and transparency as channels of their own, for what works on channels: a palette picture
 * has its colours in the metadata, and a gray or RGB picture may call one colour transparent. */
#ifndef IMGTOOL_IO_EXPAND_H
#define IMGTOOL_IO_EXPAND_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* What img_expand makes of such a picture; the shape itself where there is nothing to expand:
 *
 *     palette                            RGB of 8 bits; RGBA where a tRNS chunk gives alphas
 *     gray of 1, 2 or 4 bits with key    gray+alpha of 8 bits
 *     gray or RGB, 8 or 16 bits, key     gray+alpha or RGBA of the same depth
 *
 * A key is a tRNS chunk of the right size. */
ImgShape img_expanded_shape(ImgShape shape, const ImgMetadata *metadata);

/* The pixels alone, of some rows: `dst` has their size and the format of img_expanded_shape,
 * which differs from that of `src`. On up to `threads` threads of the team, which may be NULL. */
void img_expand_rows(const ImgView *src, const ImgView *dst, const ImgMetadata *metadata,
                     ImgTeam *team, int threads);

/* What img_expand does to the metadata, of a picture of that format. IMG_E_MEMORY; then it is as it
 * was. */
ImgStatus img_expand_metadata(ImgMetadata *metadata, ImgFormat before, ImgError *err);

/* Replaces the picture by its expanded form and makes the metadata fit it: PLTE of a palette
 * picture, its hIST, and tRNS are used up; bKGD follows the new colour type and depth, sBIT gets an
 * entry for a new alpha. The same colours show as before: gray samples of few bits are scaled by
 * 255 / maximum, which is a whole number; indices without an entry in the palette are opaque
 * black. Of a key the lowest `bits` bits count. Does nothing where there is nothing to expand.
 * On up to `threads` threads of the
 * team, which may be NULL. IMG_E_MEMORY; then picture and metadata are as they were. */
ImgStatus img_expand(ImgImage *image, ImgMetadata *metadata, ImgTeam *team, int threads,
                     ImgError *err);

#endif
