/* The only file that includes the code of stb_image_write. All its functions are static here, so a
 * program with its own copy of stb_image_write can link this library. */
#include "io/export/export.h"

/* These warnings stay off to the end of the file, because gcc reports unused functions only
 * there. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

bool img_stb_jpeg(ImgStbSink *sink, void *context, int width, int height, int channels,
                  const uint8_t *pixels, int quality)
{
    return stbi_write_jpg_to_func(sink, context, width, height, channels, pixels, quality) != 0;
}

bool img_stb_bmp(ImgStbSink *sink, void *context, int width, int height, int channels,
                 const uint8_t *pixels)
{
    return stbi_write_bmp_to_func(sink, context, width, height, channels, pixels) != 0;
}

bool img_stb_tga(ImgStbSink *sink, void *context, int width, int height, int channels,
                 const uint8_t *pixels)
{
    return stbi_write_tga_to_func(sink, context, width, height, channels, pixels) != 0;
}
