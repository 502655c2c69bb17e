/* Private to the library: the metadata of a PNG, which is all chunks except its pixels. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_METADATA_H
#define IMGTOOL_APP_LIBRARY_CODEC_METADATA_H

#include "app/library/context.h"
#include "io/metadata/metadata.h"

/* This struct has only one member, so that a cast converts the metadata of a source to the caller's
 * type. */
struct imgtool_metadata {
    ImgMetadata own;
};

static inline const imgtool_metadata *img_lib_metadata_public(const ImgMetadata *metadata)
{
    return (const imgtool_metadata *)(const void *)metadata;
}

ImgStatus img_lib_metadata_copy(const ImgMetadata *from, ImgMetadata *to, ImgError *err);

/* Adapts the metadata of pixels in the file format `before` to the format `after`. */
ImgStatus img_lib_metadata_follow(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                  ImgError *err);

/* Drops the chunks that do not fit a picture of this format. Examples are alpha values beside an
 * alpha channel, data for entries of another palette, and samples of another size or number. Also
 * drops chunks that are valid for one file only, such as signatures. */
void img_lib_metadata_fit(ImgMetadata *metadata, ImgFormat format);

#endif
