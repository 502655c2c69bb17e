/* The user's own picture, for measuring with it. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_IMAGE_H
#define IMGTOOL_APP_BENCH_MEASURE_IMAGE_H

#include "app/cli/options.h"
#include "kernels/core/image.h"

/* Reads and decodes the file within the limits of the settings; palettes, and colours that stand
 * for transparency, are expanded, since most operations work on channels. Messages name the file.
 * The caller frees the image. */
ImgStatus bench_image_load(const Settings *settings, const char *path, ImgImage *image,
                           ImgError *err);

#endif
