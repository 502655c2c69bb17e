/* Adapts the metadata of a picture to the changes of its pixels. All code that writes pictures uses
 * it. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_ADAPT_H
#define IMGTOOL_APP_ENGINE_SHARE_ADAPT_H

#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "io/metadata/profile.h"
#include "kernels/core/op.h"

/* A change of a picture. */
typedef struct MetadataChange {
    ImgEffect effect; /* effect of the steps on the picture */
    ImgFormat result; /* format of the result */
    /* palette of the result, if the steps have made one (img_steps_palette); otherwise NULL */
    const ImgPalette *palette;
    ImgKeep keep;      /* metadata that the result keeps */
    bool fits_profile; /* drop a colour profile that does not fit the channels of the result */
    /* Resolution in thousandths of a dot per inch; 0: keep the resolution of the source. */
    int32_t dpi;
    /* Time for the chunk tIME if pixels change. NULL: the time of img_adapt_time. */
    const int64_t *modified;
    const ImgLimits *limits;
} MetadataChange;

/* Metadata that was dropped and that a user may miss. */
typedef struct MetadataLoss {
    int orientation;     /* value of the EXIF orientation; 0: none was dropped */
    const char *colours; /* colour information that IMG_KEEP_PIXELS drops; NULL: none */
    bool profile;        /* the colour profile `name` was dropped, because it does not fit */
    char name[IMG_PROFILE_NAME];
} MetadataLoss;

/* Sets *seconds (since 1970, in UTC) to SOURCE_DATE_EPOCH, or to the current time if that variable
 * is not set. Fails with IMG_E_USAGE if SOURCE_DATE_EPOCH is invalid. */
ImgStatus img_adapt_time(int64_t *seconds, ImgError *err);

/* Adapts `metadata`, which describes the source of the steps. `loss` may be NULL. Fails with
 * IMG_E_LIMIT if the orientation is needed and its text is too long, with IMG_E_USAGE if
 * SOURCE_DATE_EPOCH is invalid, and with IMG_E_MEMORY. */
ImgStatus img_adapt_metadata(ImgMetadata *metadata, const MetadataChange *change,
                             MetadataLoss *loss, ImgError *err);

#endif
