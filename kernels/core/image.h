/* Pictures in memory: formats, borrowed views, owned images.
 *
 * Samples are interleaved, one byte each up to 8 bits and two bytes (native byte order) at 16.
 * Samples of 1, 2 and 4 bits are kept one to a byte and unscaled, so 4-bit gray runs from 0 to 15.
 * Widths and heights are pixels, strides are bytes from one row to the next. */
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
    IMG_COLOR_PALETTE, /* one index a pixel; the colours themselves are metadata of the file */
    IMG_COLOR_COUNTS,  /* no picture but a table of uint64_t, what measurements give; 64 bits */
} ImgColor;

typedef struct ImgFormat {
    ImgColor color;
    int bits; /* a sample: 1, 2, 4, 8 or 16; 64 in tables */
} ImgFormat;

typedef struct ImgShape {
    int32_t width, height; /* both at least 1 */
    ImgFormat format;
} ImgShape;

/* Borrowed pixels. The stride is at least width times the pixel size. What lies between the end of
 * a row and the start of the next belongs to somebody else: never read it, never write it. */
typedef struct ImgView {
    uint8_t *data;
    size_t stride;
    int32_t width, height;
    ImgFormat format;
} ImgView;

/* Owned pixels: start with IMG_IMAGE_NONE, end with img_image_free. */
typedef struct ImgImage {
    ImgView view;
    size_t size; /* bytes allocated at view.data */
} ImgImage;

#define IMG_IMAGE_NONE ((ImgImage){{NULL, 0, 0, 0, {IMG_COLOR_GRAY, 0}}, 0})

/* Samples a pixel: 1 to 4. */
int img_format_channels(ImgFormat format);

/* Bytes per pixel: 1, 2, 3, 4, 6 or 8. */
size_t img_format_pixel_size(ImgFormat format);

/* Gray+alpha or RGBA: the last channel is the alpha. */
bool img_format_has_alpha(ImgFormat format);

/* The largest value of a sample, 2^bits - 1; not for tables. */
uint32_t img_format_maximum(ImgFormat format);

/* "gray", "gray+alpha", "RGB", "RGBA", "palette" or "counts". */
const char *img_color_name(ImgColor color);

ImgShape img_view_shape(const ImgView *view);

/* A view over `data` that the caller keeps alive. */
ImgView img_view_make(void *data, size_t stride, ImgShape shape);

/* Row `y` of a table of counts. */
uint64_t *img_view_counts(const ImgView *view, int32_t y);

/* A part of `view`; the rectangle must lie inside it. */
ImgView img_view_crop(const ImgView *view, int32_t x, int32_t y, int32_t width, int32_t height);

/* The bytes that img_image_alloc takes for this shape, row padding included.
 * IMG_E_LIMIT if they do not fit size_t; IMG_E_USAGE for a shape that is none. */
ImgStatus img_shape_bytes(ImgShape shape, size_t *bytes, ImgError *err);

/* Memory for free() of which large amounts lie in huge pages, where the system has them: the first
 * touch of 36 MB takes 4.5 ms then, and 12.6 ms with small pages. Aligned to 64 bytes; NULL where
 * there is none. */
void *img_large_alloc(size_t size);

/* Pixels are left undefined. Rows start at multiples of the pixel's sample size; the start of the
 * image is aligned to 64 bytes, large images to a huge page. On failure `image` is IMG_IMAGE_NONE.
 */
ImgStatus img_image_alloc(ImgShape shape, ImgImage *image, ImgError *err);

/* Makes the image's memory one of that shape, whose pixels are undefined, and gives back what that
 * does not need, but for less than a page; a C library that moves it then leaves less alignment.
 * False, and nothing is changed: it is too small. */
bool img_image_reshape(ImgImage *image, ImgShape shape);

/* Frees and resets to IMG_IMAGE_NONE; harmless on IMG_IMAGE_NONE. */
void img_image_free(ImgImage *image);

#ifdef __cplusplus
}
#endif
#endif
