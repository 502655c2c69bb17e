/* The chunk tIME, which states when the picture was last modified. */
#ifndef IMGTOOL_IO_METADATA_MODIFIED_H
#define IMGTOOL_IO_METADATA_MODIFIED_H

#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

/* Sets `*seconds` (since 1970, in UTC) to the number in `epoch`, or to the current time if `epoch`
 * is NULL or empty. Callers pass the environment variable SOURCE_DATE_EPOCH
 * (reproducible-builds.org), which makes output bytes reproducible. Fails with IMG_E_USAGE unless
 * `epoch` is a number of seconds up to the year 9999. */
ImgStatus img_modified_time(const char *epoch, int64_t *seconds, ImgError *err);

/* Returns true if there is a tIME chunk and `effect` changes pixels. tIME must then be updated. */
bool img_modified_is_due(const ImgMetadata *metadata, const ImgEffect *effect);

/* Sets all existing tIME chunks to the time `seconds` (since 1970, in UTC). Adds no chunk. */
void img_modified_set(ImgMetadata *metadata, int64_t seconds);

#endif
