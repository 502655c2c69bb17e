/* Private to the library: a PNG file that is read. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_READER_H
#define IMGTOOL_APP_LIBRARY_CODEC_READER_H

#include "app/library/codec/transfer.h"
#include "app/library/context.h"
#include "io/source.h"

struct imgtool_reader {
    imgtool_context *context; /* borrowed */
    ImgSource *source;
    /* file name, the prefix of messages; owned; NULL if memory was short */
    char *name;
    /* the caller's function, for imgtool_open_callback; otherwise NULL */
    imgtool_read_function *read;
    void *user;
    bool loaded, decoded;
    ImgError failure; /* the error of loading, kept because the bytes cannot be read again */
    bool cancelled;   /* loading failed because the caller cancelled */
};

/* Same as img_lib_begin, for a call with a reader. */
imgtool_status img_lib_reader_begin(imgtool_reader *reader, imgtool_error *error);

/* Same as img_lib_end, with the name of the file before the message. */
imgtool_status img_lib_reader_end(const imgtool_reader *reader, ImgStatus status, ImgError *failure,
                                  imgtool_error *error);

/* Loads the file if it is not loaded yet. */
ImgStatus img_lib_reader_load(imgtool_reader *reader, ImgError *err);

/* Begins the decoding, which each reader can do once: loads the file and chooses the conversion of
 * its rows. IMG_E_USAGE for a second decoding. */
ImgStatus img_lib_reader_prepare(imgtool_reader *reader, imgtool_format wanted,
                                 ImgLibTransfer *transfer, ImgError *err);

/* Decodes all pixels in the file's format. `more` is the size in bytes of the other pictures that
 * exist meanwhile; it counts toward max_memory. */
ImgStatus img_lib_reader_decode_raw(imgtool_reader *reader, uint64_t more, ImgImage *image,
                                    ImgError *err);

#endif
