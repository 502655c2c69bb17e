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

/* Expands the rows of `src` to `dst`, without changing the metadata. Both have the same width and
 * height. `dst` has the format that img_expanded_shape returns, which must differ from the format
 * of `src`. Uses up to `threads` threads of `team`, which may be NULL. */
void img_expand_rows(const ImgView *src, const ImgView *dst, const ImgMetadata *metadata,
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
