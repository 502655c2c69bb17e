/* Private to the library: converts rows from the file's format to the format that the caller
 * wants. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_TRANSFER_H
#define IMGTOOL_APP_LIBRARY_CODEC_TRANSFER_H

#include "app/library/picture.h"
#include "io/metadata/metadata.h"

/* The conversion that applies to all rows of a file. */
typedef struct ImgLibTransfer {
    const ImgMetadata *metadata; /* borrowed; has the palette and the transparent colour */
    /* format in the file; format with the palette and the transparent colour as channels */
    ImgFormat raw, expanded;
    bool expands; /* true if rows are expanded to `expanded` */
    imgtool_format to;
} ImgLibTransfer;

/* Makes the conversion from the file's format `raw` to `wanted`, which has the same meaning as in
 * imgtool_reader_decode. `metadata` must outlive the transfer. Fails with IMG_E_USAGE for an
 * invalid format, and with IMG_E_UNSUPPORTED if this file cannot be converted to it. */
ImgStatus img_lib_transfer_make(ImgFormat raw, const ImgMetadata *metadata, imgtool_format wanted,
                                ImgLibTransfer *transfer, ImgError *err);

/* Returns true if no conversion is needed: the decoder can write directly to the caller's
 * pixels. */
bool img_lib_transfer_is_none(const ImgLibTransfer *transfer);

/* Converts `rows` to the rows `to` of the caller, on the calling thread. Both have the same number
 * of rows. Fails with IMG_E_MEMORY. */
ImgStatus img_lib_transfer_rows(const ImgLibTransfer *transfer, const ImgView *rows,
                                const imgtool_picture *to, ImgError *err);

/* Converts the whole picture `from` to `to` on the threads of the context. */
ImgStatus img_lib_transfer_all(const ImgLibTransfer *transfer, const imgtool_context *context,
                               const ImgView *from, const imgtool_picture *to, ImgError *err);

/* Returns the `count` rows of a picture from row `first` on as a picture that borrows the
 * pixels. */
imgtool_picture img_lib_rows_of(const imgtool_picture *picture, int32_t first, int32_t count);

#endif
