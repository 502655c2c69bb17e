/* Private: reductions. Each converts a picture to another colour type or depth without changing a
 * pixel, compared as RGBA of 16 bits, nor the meaning of a chunk that is kept. Colours under alpha
 * 0 count; only img_reduce_hidden changes them.
 *
 * A reduction that does not apply, or that would change something, returns IMG_OK and leaves `to`
 * without pixels. The only error is IMG_E_MEMORY. `to` must not be `from`. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_REDUCE_H
#define IMGTOOL_IO_PNG_OPTIMIZE_REDUCE_H

#include "io/png/optimize/colours.h"
#include "kernels/core/image.h"

/* What was done to a picture, as bits of ImgReduced.done. */
enum {
    IMG_REDUCED_DEPTH = 1,
    IMG_REDUCED_OPAQUE = 2,
    IMG_REDUCED_KEY = 4, /* alpha became a transparent colour */
    IMG_REDUCED_GRAY = 8,
    IMG_REDUCED_PALETTE = 16,
    IMG_REDUCED_ENTRIES = 32,   /* palette entries were removed */
    IMG_REDUCED_ORDER = 64,     /* palette entries were sorted */
    IMG_REDUCED_EXPANDED = 128, /* a palette became gray, RGB or RGBA */
    IMG_REDUCED_HIDDEN = 256,   /* colours under alpha 0 were cleared */
};

/* A picture with the chunks that depend on its format. Must start as IMG_REDUCED_NONE; freed by
 * img_reduced_free. */
typedef struct ImgReduced {
    ImgView view; /* pixels, in `image` or borrowed; without pixels `data` is NULL */
    ImgImage image;
    ImgColours colours;
    unsigned done; /* IMG_REDUCED_... */
} ImgReduced;

#define IMG_REDUCED_NONE ((ImgReduced){.image = IMG_IMAGE_NONE})

void img_reduced_free(ImgReduced *picture);

/* Allocates pixels of format `format` for `to`, and copies everything else from `from`. Adds `done`
 * to what was done. */
ImgStatus img_reduced_begin(const ImgReduced *from, ImgFormat format, unsigned done, ImgReduced *to,
                            ImgError *err);

/* --- Depth (depth.c) -------------------------------------------------------------------------- */

/* Reduces 16 bits to 8 where both bytes of every sample are equal. */
ImgStatus img_reduce_to_8(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Reduces gray without alpha to the fewest bits that hold all values. */
ImgStatus img_reduce_gray_bits(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Gives gray of 1, 2 or 4 bits, or palette indices, 8 bits. Applies to fewer than 8 bits. */
ImgStatus img_reduce_widen(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* --- Alpha (alpha.c) -------------------------------------------------------------------------- */

/* Drops an alpha channel that is opaque, or a transparent colour that no pixel has. */
ImgStatus img_reduce_opaque(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Replaces an alpha channel of only 0 and 1 by a transparent colour. All pixels of alpha 0 must
 * have the same colour, and no other pixel may have it. With `chooses`, colours under alpha 0 may
 * change: the reduction chooses a gray value that no opaque pixel has. */
ImgStatus img_reduce_to_key(const ImgReduced *from, bool chooses, ImgReduced *to, ImgError *err);

/* Replaces a transparent colour by an alpha channel, the inverse of img_reduce_to_key. */
ImgStatus img_reduce_key_to_alpha(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Sets colours under alpha 0 to 0. Applies if that changes something. */
ImgStatus img_reduce_hidden(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* --- Gray (gray.c) ---------------------------------------------------------------------------- */

/* Converts RGB and RGBA to gray, where red, green and blue of all pixels are equal. */
ImgStatus img_reduce_to_gray(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* --- Palettes (palette.c, palette_order.c) ---------------------------------------------------- */

/* Converts up to 8 bits without a palette to palette indices, in the order in which the colours
 * first occur. */
ImgStatus img_reduce_to_palette(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Removes unused entries of a palette, and with `merges` all but the first of equal entries. The
 * order of the entries stays. Reduces the bits of an index if `narrows`. Applies if that changes
 * something. */
ImgStatus img_reduce_entries(const ImgReduced *from, bool merges, bool narrows, ImgReduced *to,
                             ImgError *err);

/* Converts palette indices to RGB, or to RGBA if an entry is not opaque, of 8 bits. This alone
 * makes pictures larger, but other reductions may follow. */
ImgStatus img_reduce_expand(const ImgReduced *from, ImgReduced *to, ImgError *err);

/* Returns true if all entries of a palette are gray. */
bool img_palette_is_gray(const ImgReduced *picture);

typedef enum ImgPaletteOrder {
    IMG_ORDER_FIRST_SEEN,
    IMG_ORDER_FREQUENCY, /* frequent colours first */
    IMG_ORDER_LUMA,      /* dark colours first */
    /* Each colour is followed by that which lies most often beside it. */
    IMG_ORDER_NEIGHBOURS,
    IMG_ORDERS,
} ImgPaletteOrder;

/* Sorts the entries of a palette. Entries that are not opaque come first, so that tRNS is short. */
ImgStatus img_reduce_order(const ImgReduced *from, ImgPaletteOrder order, ImgReduced *to,
                           ImgError *err);

/* --- Comparison (same_pixels.c) --------------------------------------------------------------- */

/* Returns true if all pixels of two pictures of equal size are equal as RGBA of 16 bits. With
 * `hides`, colours under alpha 0 are not compared. */
bool img_reduced_equal(const ImgReduced *a, const ImgReduced *b, bool hides);

#endif
