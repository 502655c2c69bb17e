/* Private to the library: what a PNG says beside its pixels. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_METADATA_H
#define IMGTOOL_APP_LIBRARY_CODEC_METADATA_H

#include "app/library/context.h"
#include "io/metadata/metadata.h"

/* Nothing but its one member, so that what a source owns is shown to the caller as it is. */
struct imgtool_metadata {
    ImgMetadata own;
};

static inline const imgtool_metadata *img_lib_metadata_shown(const ImgMetadata *metadata)
{
    return (const imgtool_metadata *)(const void *)metadata;
}

ImgStatus img_lib_metadata_copy(const ImgMetadata *from, ImgMetadata *to, ImgError *err);

/* Makes the metadata of a file with pixels of `before` true of them in the format `after`. */
ImgStatus img_lib_metadata_follow(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                  ImgError *err);

/* Drops what a picture of that format cannot have (alphas where there is a channel, entries of
 * another palette, samples of another form), and what is true of one file only. */
void img_lib_metadata_fit(ImgMetadata *metadata, ImgFormat format);

#endif
