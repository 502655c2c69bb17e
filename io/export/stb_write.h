/* Private: wraps the writers of stb_image_write. The wrappers have a file of their own, because the
 * code of stb_image_write is compiled with warnings off. */
#ifndef IMGTOOL_IO_EXPORT_STB_WRITE_H
#define IMGTOOL_IO_EXPORT_STB_WRITE_H

#include <stdbool.h>
#include <stdint.h>

typedef void ImgStbSink(void *context, void *data, int size);

/* Writes a file and passes its bytes to `sink`. `pixels` are packed rows of `channels` samples: 1
 * gray, 3 RGB, 4 RGBA (not for JPEG). The caller ensures that width * height * channels and the
 * size of the file fit an int. */
bool img_stb_jpeg(ImgStbSink *sink, void *context, int width, int height, int channels,
                  const uint8_t *pixels, int quality);
bool img_stb_bmp(ImgStbSink *sink, void *context, int width, int height, int channels,
                 const uint8_t *pixels);
bool img_stb_tga(ImgStbSink *sink, void *context, int width, int height, int channels,
                 const uint8_t *pixels);

#endif
