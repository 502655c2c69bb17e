/* Private: writes JPEG, BMP and TGA. These files get 8-bit samples, and none of the PNG's
 * metadata. */
#ifndef IMGTOOL_IO_EXPORT_EXPORT_H
#define IMGTOOL_IO_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "io/file_format.h"
#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "kernels/core/image.h"

/* These functions implement img_encode, img_encode_loss, img_encode_bytes, img_encode_view_bytes
 * and img_encode_check (io/encode.h) for all formats except PNG. */
ImgStatus img_export(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     int quality, ImgOutput *output, ImgError *err);
bool img_export_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT]);
uint64_t img_export_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata);
uint64_t img_export_view_bytes(ImgFileFormat format, const ImgView *view,
                               const ImgMetadata *metadata);
ImgStatus img_export_check(ImgFileFormat format, ImgShape shape, ImgError *err);

/* The rest of this header is private to io/export. */

/* --- Any picture as 8-bit samples, for formats that store only those -------------------------- */

typedef struct ImgEightBits {
    const ImgView *view;
    /* RGBA colour of each possible value of a one-byte gray or palette pixel. */
    uint8_t colors[256][4];
    /* True if pixels of the colour `key` are transparent (a gray or RGB picture with a tRNS
     * chunk). */
    bool has_key;
    uint16_t key[3];
    /* RGB colour of the bKGD chunk; white if the picture has no bKGD chunk. */
    uint8_t background[3];
    bool has_background;
} ImgEightBits;

/* Prepares the conversion of `view`, which must outlive `eight`. */
void img_eight_bits_init(ImgEightBits *eight, const ImgView *view, const ImgMetadata *metadata);

/* Returns true if at least one pixel is not fully opaque. May read all pixels. */
bool img_eight_bits_is_transparent(const ImgEightBits *eight);

/* Returns true if the pixel format or a tRNS chunk allows transparent pixels. Reads no pixels. */
bool img_eight_bits_has_alpha(const ImgEightBits *eight, const ImgMetadata *metadata);

/* Writes row `y` to `out` with `channels` samples per pixel: 1 (gray), 3 (RGB) or 4 (RGBA). With 1
 * or 3 channels, transparent pixels are blended with the background: (color * alpha + background *
 * (255 - alpha) + 127) / 255. */
void img_eight_bits_row(const ImgEightBits *eight, int32_t y, int channels, uint8_t *out);

/* --- Writing with stb_image_write ------------------------------------------------------------- */

/* Wraps the writers of stb_image_write. The wrappers have a file of their own, because the code of
 * stb_image_write is compiled with warnings off. */

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
