/* Pictures in memory: pixel formats, borrowed views and owned images.
 *
 * Samples are interleaved. A sample of up to 8 bits takes one byte; one of 16 bits takes two bytes
 * in native byte order. Samples of 1, 2 and 4 bits are not scaled: 4-bit gray runs from 0 to 15.
 * Widths and heights are in pixels. A stride is the number of bytes from one row to the next. */
#ifndef IMGTOOL_KERNELS_CORE_IMAGE_H
#define IMGTOOL_KERNELS_CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgColor {
    IMG_COLOR_GRAY,
    IMG_COLOR_GRAY_ALPHA,
    IMG_COLOR_RGB,
    IMG_COLOR_RGBA,
    IMG_COLOR_PALETTE, /* one palette index per pixel; the colours are metadata of the file */
    /* the table of uint64_t that a measurement returns instead of a picture */
    IMG_COLOR_COUNTS,
} ImgColor;

typedef struct ImgFormat {
    ImgColor color;
    int bits; /* bits per sample: 1, 2, 4, 8 or 16; 64 in tables */
} ImgFormat;

typedef struct ImgShape {
    int32_t width, height; /* size in pixels, both at least 1 */
    ImgFormat format;
} ImgShape;

/* A view of pixels that belong to other code. The stride is at least the width times the pixel
 * size. Bytes between the end of a row and the start of the next may belong to another view:
 * functions neither read nor write them. */
typedef struct ImgView {
    uint8_t *data;
    size_t stride;
    int32_t width, height;
    ImgFormat format;
} ImgView;

/* An image that owns its pixels. Initialise it with IMG_IMAGE_NONE and release it with
 * img_image_free. */
typedef struct ImgImage {
    ImgView view;
    size_t size; /* number of bytes allocated at view.data */
    /* Store that the memory is from, borrowed (kernels/core/store.h). NULL: memory of malloc, or
     * mapped. */
    struct ImgStore *store;
    bool is_mapped; /* the memory is from img_image_map */
} ImgImage;

#define IMG_IMAGE_NONE ((ImgImage){{NULL, 0, 0, 0, {IMG_COLOR_GRAY, 0}}, 0, NULL, false})

static inline bool img_format_equals(ImgFormat a, ImgFormat b)
{
    return a.color == b.color && a.bits == b.bits;
}

/* Returns the number of samples per pixel: 1 to 4. */
int img_format_channels(ImgFormat format);

/* Returns the number of bytes per pixel: 1, 2, 3, 4, 6 or 8. */
size_t img_format_pixel_size(ImgFormat format);

/* Returns true for gray with alpha and for RGBA, whose last channel is alpha. */
bool img_format_has_alpha(ImgFormat format);

/* Returns the largest value of a sample, 2^bits - 1. `format` must not be the format of a table of
 * counts. */
uint32_t img_format_maximum(ImgFormat format);

/* Returns "gray", "gray+alpha", "RGB", "RGBA", "palette" or "counts". */
const char *img_color_name(ImgColor color);

ImgShape img_view_shape(const ImgView *view);

/* Returns a view of `data` with the given stride and shape. `data` must outlive the view. */
ImgView img_view_make(void *data, size_t stride, ImgShape shape);

/* Returns row `y` of a table of counts (IMG_COLOR_COUNTS). */
uint64_t *img_view_counts(const ImgView *view, int32_t y);

/* Returns a view of the rectangle of `view` with the upper left corner (`x`, `y`). The rectangle
 * must lie inside `view`. */
ImgView img_view_crop(const ImgView *view, int32_t x, int32_t y, int32_t width, int32_t height);

/* Copies the pixels of `from` to `to`, which has the same shape. The two must not overlap. */
void img_view_copy(const ImgView *from, const ImgView *to);

/* Computes the bytes that img_image_alloc allocates for this shape, including row padding. Returns
 * IMG_E_LIMIT if the number does not fit size_t, and IMG_E_USAGE if the shape is invalid. */
ImgStatus img_shape_bytes(ImgShape shape, size_t *bytes, ImgError *err);

/* Returns the number of bytes that img_shape_bytes computes, or 0 if img_shape_bytes fails. */
uint64_t img_image_bytes(ImgShape shape);

enum { IMG_HUGE_PAGE = 2 << 20 };

/* Allocates memory that the caller releases with free(). Returns NULL when memory is short. The
 * memory is aligned to 64 bytes. Large blocks use huge pages if the system has them: writing 36 MB
 * for the first time then takes 4.5 ms instead of 12.6 ms. */
void *img_large_alloc(size_t size);

/* Allocates an image whose pixels are undefined. Rows start at multiples of the sample size. The
 * start of the image is aligned to 64 bytes; a large image is aligned to a huge page. On failure,
 * *image is IMG_IMAGE_NONE. */
ImgStatus img_image_alloc(ImgShape shape, ImgImage *image, ImgError *err);

/* Allocates an image as img_image_alloc does, in a store if `store` is not NULL. Also fails as
 * img_store_alloc does. */
ImgStatus img_image_alloc_in(struct ImgStore *store, ImgShape shape, ImgImage *image,
                             ImgError *err);

/* Allocates an image as img_image_alloc does, in pages of its own. They take memory only once they
 * are written: up to IMG_HUGE_PAGE bytes more than the rows that were written. */
ImgStatus img_image_map(ImgShape shape, ImgImage *image, ImgError *err);

/* Copies `rows` to the rows of the image from row `first` on. Fails only for an image in a
 * store, as img_store_write does. */
ImgStatus img_image_put(const ImgImage *image, int32_t first, const ImgView *rows, ImgError *err);

/* Copies the rectangle of the image with the upper left corner (`x`, `y`) to `part`, which has its
 * size. Fails only for an image in a store, as img_store_read does. */
ImgStatus img_image_get(const ImgImage *image, int32_t x, int32_t y, const ImgView *part,
                        ImgError *err);

/* Reuses the memory of the image for another shape; the pixels become undefined. Releases the
 * memory that the new shape does not need, if that is at least a page. If realloc moves the block,
 * it may be less aligned than before. Returns false and changes nothing if the memory is too
 * small, mapped, or from a store. */
bool img_image_reshape(ImgImage *image, ImgShape shape);

/* Releases the pixels and resets the image to IMG_IMAGE_NONE. Does nothing for IMG_IMAGE_NONE. */
void img_image_free(ImgImage *image);

#ifdef __cplusplus
}
#endif
#endif
