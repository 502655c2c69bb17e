#include "app/engine/share/adapt.h"

#include <stdlib.h>
#include <string.h>

#include "io/metadata/metadata_follow.h"
#include "io/metadata/modified.h"
#include "io/metadata/resolution.h"

/* Reads the orientation from the text chunks. Then drops all texts, which the caller would strip in
 * any case, so that adapting long texts costs no time. */
static ImgStatus drop_texts(ImgMetadata *metadata, const MetadataChange *change, ImgFacts *facts,
                            ImgError *err)
{
    ImgError unread = {IMG_OK, ""};
    ImgStatus status = img_metadata_facts(metadata, change->limits, facts, &unread);
    if (status != IMG_OK && change->keep == IMG_KEEP_SHOWN)
        return img_fail(err, status, "%s", unread.message);
    img_metadata_drop_texts(metadata);
    return IMG_OK;
}

/* Removes what `change` excludes. The metadata must already describe the result. */
static ImgStatus strip(ImgMetadata *metadata, const MetadataChange *change, int orientation,
                       MetadataLoss *loss, ImgError *err)
{
    if (change->effect.upright)
        orientation = 1;
    if (loss != NULL && change->keep == IMG_KEEP_PIXELS) {
        loss->orientation = orientation > 1 ? orientation : 0;
        loss->colours = img_metadata_colours(metadata);
    }
    return img_metadata_strip(metadata, change->keep, orientation, err);
}

ImgStatus img_adapt_time(int64_t *seconds, ImgError *err)
{
    return img_modified_time(getenv("SOURCE_DATE_EPOCH"), seconds, err);
}

static ImgStatus renew_time(ImgMetadata *metadata, const MetadataChange *change, ImgError *err)
{
    int64_t now = 0;
    ImgStatus status = IMG_OK;
    if (!img_modified_is_due(metadata, &change->effect))
        return IMG_OK;
    if (change->modified != NULL)
        now = *change->modified;
    else
        status = img_adapt_time(&now, err);
    if (status == IMG_OK)
        img_modified_set(metadata, now);
    return status;
}

ImgStatus img_adapt_metadata(ImgMetadata *metadata, const MetadataChange *change,
                             MetadataLoss *loss, ImgError *err)
{
    const bool strips = change->keep != IMG_KEEP_EVERYTHING;
    ImgFacts facts = {0};
    ImgProfile profile;
    ImgStatus status = IMG_OK;
    const bool had_profile = loss != NULL && img_profile_read(metadata, &profile);
    if (strips && change->keep != IMG_KEEP_NO_PLACE)
        status = drop_texts(metadata, change, &facts, err);
    if (status == IMG_OK)
        status = img_metadata_follow(metadata, &change->effect, change->limits, err);
    if (status == IMG_OK && change->palette != NULL)
        status = img_metadata_set_palette(metadata, change->palette, err);
    img_metadata_fit_channels(metadata, change->result);
    if (change->fits_profile &&
        !img_profile_fits(img_metadata_find(metadata, "iCCP"), change->result.color))
        img_metadata_drop(metadata, "iCCP");
    if (had_profile && change->keep != IMG_KEEP_PIXELS &&
        img_metadata_find(metadata, "iCCP") == NULL) {
        loss->profile = true;
        memcpy(loss->name, profile.name, sizeof loss->name);
    }
    if (status == IMG_OK && strips)
        status = strip(metadata, change, facts.orientation, loss, err);
    if (status == IMG_OK)
        status = renew_time(metadata, change, err);
    if (status == IMG_OK && change->dpi > 0)
        status = img_resolution_set(metadata, change->dpi, err);
    return status;
}
