/* Private to the library: what is to be written, checked and ready. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_WRITING_H
#define IMGTOOL_APP_LIBRARY_CODEC_WRITING_H

#include "app/library/picture.h"
#include "io/metadata/metadata.h"

typedef struct ImgLibWriting {
    imgtool_context *context;
    imgtool_encoding encoding; /* complete */
    imgtool_picture picture;   /* of a format that files have */
    imgtool_picture converted; /* owned: BGRA as RGBA */
    ImgMetadata metadata;      /* owned */
    ImgView view;              /* of the picture */
    uint64_t held;             /* bytes of what is there beside its pixels: the source of what was
                                * converted, what is between rows then, and the metadata */
} ImgLibWriting;

/* Begins a call that writes. `encoding` may be NULL. *writing is to be freed in any case. */
imgtool_status img_lib_writing_make(imgtool_context *context, const imgtool_picture *picture,
                                    const imgtool_encoding *encoding, ImgLibWriting *writing,
                                    imgtool_error *error);
void img_lib_writing_free(ImgLibWriting *writing);

#endif
