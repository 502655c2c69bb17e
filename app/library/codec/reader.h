/* Private to the library: the reader of one PNG file. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_READER_H
#define IMGTOOL_APP_LIBRARY_CODEC_READER_H

#include "app/library/codec/transfer.h"
#include "app/library/context.h"
#include "io/source.h"

struct imgtool_reader {
    imgtool_context *context; /* context of the reader; borrowed */
    ImgSource *source;
    /* file name, the prefix of messages; owned; NULL if memory was short */
    char *name;
    /* the caller's function, for imgtool_open_callback; otherwise NULL */
    imgtool_read_function *read;
    void *user;
    bool loaded, decoded;
    ImgError failure; /* error of loading; kept, because the bytes cannot be read again */
    bool cancelled;   /* loading failed because the caller cancelled */
};

/* Opens a file in memory as imgtool_open_memory does. `name` is the name of the file in messages.
 */
imgtool_status img_lib_open_memory(imgtool_context *context, const char *name, const void *data,
                                   size_t bytes, imgtool_reader **reader, imgtool_error *error);

/* Begins a public function that gets a reader, as img_lib_begin does for a context: empties *error,
 * and returns IMGTOOL_E_USAGE if the reader must not be used. */
imgtool_status img_lib_reader_begin(imgtool_reader *reader, imgtool_error *error);

/* Ends a public function that gets a reader: puts the name of the file in front of the message, and
 * then does the same as img_lib_end. */
imgtool_status img_lib_reader_end(const imgtool_reader *reader, ImgStatus status, ImgError *failure,
                                  imgtool_error *error);

/* Loads the file if it is not loaded yet. */
ImgStatus img_lib_reader_load(imgtool_reader *reader, ImgError *err);

/* Begins the decoding, which each reader can do once: loads the file, and chooses the conversion of
 * its rows to the format `wanted`. Fails with IMG_E_USAGE at the second decoding. */
ImgStatus img_lib_reader_prepare(imgtool_reader *reader, imgtool_format wanted,
                                 ImgLibTransfer *transfer, ImgError *err);

/* Decodes all pixels in the file's format. `more` is the size, in bytes, of other pictures that
 * exist at the same time; it counts toward max_memory. */
ImgStatus img_lib_reader_decode_raw(imgtool_reader *reader, uint64_t more, ImgImage *image,
                                    ImgError *err);

#endif
