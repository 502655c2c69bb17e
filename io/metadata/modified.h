/* Chunk tIME: when the picture was last modified. */
#ifndef IMGTOOL_IO_METADATA_MODIFIED_H
#define IMGTOOL_IO_METADATA_MODIFIED_H

#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/op.h"

/* Sets *seconds, since 1970 in UTC, to what `epoch` says, or to now where it is NULL or empty.
 * Callers pass the environment's SOURCE_DATE_EPOCH (reproducible-builds.org), which gives the same
 * bytes in every run. IMG_E_USAGE where it is not a number of seconds up to the year 9999. */
ImgStatus img_modified_time(const char *epoch, int64_t *seconds, ImgError *err);

/* Does tIME have to change? True where there is such a chunk and `effect` changes pixels. */
bool img_modified_is_due(const ImgMetadata *metadata, const ImgEffect *effect);

/* Sets all tIME chunks; adds none. */
void img_modified_set(ImgMetadata *metadata, int64_t seconds);

#endif
