#include "tests/peers/png_peers.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *allocate(ImgShape shape, bool rgba, size_t *bytes)
{
    const size_t pixel = rgba ? 4 : img_format_pixel_size(shape.format);
    *bytes = (size_t)shape.width * (size_t)shape.height * pixel;
    return malloc(*bytes);
}

static uint8_t *fail(const char *what, const char *message, uint8_t *pixels)
{
    (void)complain(what, message);
    free(pixels);
    return NULL;
}

/* --- libpng ----------------------------------------------------------------------------------- */

typedef struct Input {
    const uint8_t *data;
    size_t size;
} Input;

static void on_read(png_structp png, png_bytep to, size_t size)
{
    Input *input = png_get_io_ptr(png);
    if (size > input->size)
        png_error(png, "the file ends early");
    memcpy(to, input->data, size);
    input->data += size;
    input->size -= size;
}

static void set_rgba(png_structp png)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, UINT8_MAX, PNG_FILLER_AFTER);
}

/* Reads the picture. On an error libpng jumps back into this function, which returns false. The
 * function owns no memory, so the jump leaks none. */
static bool read_or_fail(png_structp png, png_infop info, Input *input, ImgShape shape, bool rgba,
                         uint8_t *pixels)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_read_fn(png, input, on_read);
    png_read_info(png, info);
    if (rgba)
        set_rgba(png);
    else
        png_set_swap(png);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t row = png_get_rowbytes(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < (size_t)shape.height; y++)
            png_read_row(png, pixels + y * row, NULL);
    png_read_end(png, NULL);
    return true;
}

uint8_t *peer_libpng(const File *file, ImgShape shape, bool rgba)
{
    size_t bytes;
    uint8_t *pixels = allocate(shape, rgba, &bytes);
    Input input = {file->data, file->size};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    const bool ok =
        pixels != NULL && info != NULL && read_or_fail(png, info, &input, shape, rgba, pixels);
    png_destroy_read_struct(&png, &info, NULL);
    return ok ? pixels : fail("libpng", "does not read it", pixels);
}

/* --- libspng ---------------------------------------------------------------------------------- */

#ifdef PEER_SPNG
#include <spng.h>

bool peer_has_spng(void)
{
    return true;
}

uint8_t *peer_spng(const File *file, ImgShape shape, bool rgba)
{
    size_t bytes;
    uint8_t *pixels = allocate(shape, rgba, &bytes);
    spng_ctx *context = spng_ctx_new(0);
    int failure = context == NULL || pixels == NULL;
    if (failure == 0)
        failure = spng_set_png_buffer(context, file->data, file->size);
    if (failure == 0)
        failure = spng_decode_image(context, pixels, bytes, rgba ? SPNG_FMT_RGBA8 : SPNG_FMT_PNG,
                                    rgba ? SPNG_DECODE_TRNS : 0);
    spng_ctx_free(context);
    return failure == 0 ? pixels : fail("libspng", spng_strerror(failure), pixels);
}
#else
bool peer_has_spng(void)
{
    return false;
}

uint8_t *peer_spng(const File *file, ImgShape shape, bool rgba)
{
    (void)file, (void)shape, (void)rgba;
    return NULL;
}
#endif

/* --- lodepng ---------------------------------------------------------------------------------- */

#ifdef PEER_LODEPNG
/* Debian builds lodepng as C++, so the function has a C++ name. color_type is PNG's own number. */
extern unsigned
decode_memory(unsigned char **out, unsigned *width, unsigned *height, const unsigned char *in,
              size_t size, int color_type,
              unsigned bits) __asm__("_Z21lodepng_decode_memoryPPhPjS1_PKhm16LodePNGColorTypej");

bool peer_has_lodepng(void)
{
    return true;
}

uint8_t *peer_lodepng(const File *file, ImgShape shape, bool rgba)
{
    static const int types[] = {[IMG_COLOR_GRAY] = 0,
                                [IMG_COLOR_GRAY_ALPHA] = 4,
                                [IMG_COLOR_RGB] = 2,
                                [IMG_COLOR_RGBA] = 6,
                                [IMG_COLOR_PALETTE] = 3};
    enum { RGBA = 6 };
    unsigned char *pixels = NULL;
    unsigned width, height;
    const unsigned failure = decode_memory(&pixels, &width, &height, file->data, file->size,
                                           rgba ? RGBA : types[shape.format.color],
                                           rgba ? 8 : (unsigned)shape.format.bits);
    return failure == 0 ? pixels : fail("lodepng", "does not read it", pixels);
}
#else
bool peer_has_lodepng(void)
{
    return false;
}

uint8_t *peer_lodepng(const File *file, ImgShape shape, bool rgba)
{
    (void)file, (void)shape, (void)rgba;
    return NULL;
}
#endif

/* --- stb_image -------------------------------------------------------------------------------- */

#ifdef PEER_STB
#include <stb/stb_image.h>

bool peer_has_stb(void)
{
    return true;
}

uint8_t *peer_stb(const File *file, ImgShape shape, bool rgba)
{
    int width, height, channels;
    uint8_t *pixels;
    if (rgba || shape.format.bits == 8)
        pixels = stbi_load_from_memory(file->data, (int)file->size, &width, &height, &channels,
                                       rgba ? 4 : 0);
    else
        pixels = (uint8_t *)stbi_load_16_from_memory(file->data, (int)file->size, &width, &height,
                                                     &channels, 0);
    return pixels != NULL ? pixels : fail("stb_image", stbi_failure_reason(), NULL);
}
#else
bool peer_has_stb(void)
{
    return false;
}

uint8_t *peer_stb(const File *file, ImgShape shape, bool rgba)
{
    (void)file, (void)shape, (void)rgba;
    return NULL;
}
#endif
