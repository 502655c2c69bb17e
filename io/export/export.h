/* Private: writes JPEG, BMP and TGA. These files get 8-bit samples, and none of the PNG's
 * metadata. */
#ifndef IMGTOOL_IO_EXPORT_EXPORT_H
#define IMGTOOL_IO_EXPORT_EXPORT_H

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

#endif
