/* Private to the library: rows as a file has them become rows as the caller wants them. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_TRANSFER_H
#define IMGTOOL_APP_LIBRARY_CODEC_TRANSFER_H

#include "app/library/picture.h"
#include "io/metadata/metadata.h"

/* Of all rows of a file. */
typedef struct ImgLibTransfer {
    const ImgMetadata *metadata; /* borrowed */
    ImgFormat raw, expanded; /* of the file; where palette and transparent colour are channels */
    bool expands;            /* they are to be */
    imgtool_format to;
} ImgLibTransfer;

/* `wanted` as of imgtool_reader_decode. IMG_E_USAGE for a format that there is not, and
 * IMG_E_UNSUPPORTED where this file has no such pixels. `metadata` stays in use. */
ImgStatus img_lib_transfer_make(ImgFormat raw, const ImgMetadata *metadata, imgtool_format wanted,
                                ImgLibTransfer *transfer, ImgError *err);

/* Are the bytes those of the file's format? Then they may be decoded to where they are wanted. */
bool img_lib_transfer_is_none(const ImgLibTransfer *transfer);

/* Some rows, to as many of the caller's, on this thread. IMG_E_MEMORY. */
ImgStatus img_lib_transfer_rows(const ImgLibTransfer *transfer, const ImgView *rows,
                                const imgtool_picture *to, ImgError *err);

/* A whole picture, on the threads of the context. */
ImgStatus img_lib_transfer_all(const ImgLibTransfer *transfer, const imgtool_context *context,
                               const ImgView *from, const imgtool_picture *to, ImgError *err);

/* Rows `first` to before `first + count` of a picture, as one. */
imgtool_picture img_lib_rows_of(const imgtool_picture *picture, int32_t first, int32_t count);

#endif
