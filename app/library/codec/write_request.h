/* Private to the library: a request to write a picture, after the arguments were checked and
 * converted. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_WRITE_REQUEST_H
#define IMGTOOL_APP_LIBRARY_CODEC_WRITE_REQUEST_H

#include "app/library/picture.h"
#include "io/file_format.h"
#include "io/metadata/metadata.h"

typedef struct ImgLibWriteRequest {
    imgtool_context *context;
    imgtool_encoding encoding; /* owned copy of the caller's encoding, with defaults filled in */
    imgtool_picture picture;   /* the picture to write, in a format that files can have; borrowed */
    imgtool_picture converted; /* RGBA copy of a BGRA picture; owned */
    ImgMetadata metadata;      /* metadata to write; owned */
    ImgView view;              /* view of `picture` */
    /* bytes of memory in addition to the pixels: the BGRA source of a conversion, the gaps between
     * rows of its copy, and the metadata */
    uint64_t held;
} ImgLibWriteRequest;

/* Copies the caller's encoding, which may be NULL, with defaults filled in, and checks it. */
imgtool_status img_lib_read_encoding(const imgtool_encoding *given, imgtool_encoding *encoding,
                                     imgtool_error *error);

ImgFileFormat img_lib_file_format(imgtool_file_format format);

/* Begins a call that writes. Checks the picture, and converts BGRA to RGBA. `encoding` may be NULL.
 * *request must be freed, also after a failure. */
imgtool_status img_lib_write_request_make(imgtool_context *context, const imgtool_picture *picture,
                                          const imgtool_encoding *encoding,
                                          ImgLibWriteRequest *request, imgtool_error *error);
void img_lib_write_request_free(ImgLibWriteRequest *request);

#endif
