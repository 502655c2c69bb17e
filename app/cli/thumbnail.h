/* What of the metadata stays of a result: thumbnails say where they go. */
#ifndef IMGTOOL_APP_CLI_THUMBNAIL_H
#define IMGTOOL_APP_CLI_THUMBNAIL_H

#include "app/cli/options.h"

/* An ImgKeep: as --strip says, or what thumbnails are without it. */
int32_t thumbnail_keep(const ImgStep *steps, size_t count, const Settings *settings);

#endif
