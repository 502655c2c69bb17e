/* Private to the library: a PNG on its way in. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_READER_H
#define IMGTOOL_APP_LIBRARY_CODEC_READER_H

#include "app/library/codec/transfer.h"
#include "app/library/context.h"
#include "io/source.h"

struct imgtool_reader {
    imgtool_context *context; /* borrowed */
    ImgSource *source;
    char *name; /* what messages begin with; NULL where there was no memory for it */
    imgtool_read_function *read; /* imgtool_open_callback */
    void *user;
    bool loaded, decoded;
    ImgError failure; /* of loading: what was read does not come again */
    bool cancelled;   /* that was why */
};

/* As img_lib_begin, for a call about a reader. */
imgtool_status img_lib_reader_begin(imgtool_reader *reader, imgtool_error *error);

/* As img_lib_end: the message says which file it is about. */
imgtool_status img_lib_reader_end(const imgtool_reader *reader, ImgStatus status, ImgError *failure,
                                  imgtool_error *error);

/* If it is not yet. */
ImgStatus img_lib_reader_load(imgtool_reader *reader, ImgError *err);

/* To be decoded in that way, once: loads, and says what becomes of rows. IMG_E_USAGE where they
 * were decoded before. */
ImgStatus img_lib_reader_prepare(imgtool_reader *reader, imgtool_format wanted,
                                 ImgLibTransfer *transfer, ImgError *err);

/* All pixels as the file has them, beside `more` bytes of other pictures. */
ImgStatus img_lib_reader_decode_raw(imgtool_reader *reader, uint64_t more, ImgImage *image,
                                    ImgError *err);

#endif
