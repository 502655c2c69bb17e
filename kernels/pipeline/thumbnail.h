/* thumbnail: a few steps that people expect to be one. It stands as a command, and among steps and
 * after `batch` where an operation does, with the options of resize. */
#ifndef IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H
#define IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H

#include "kernels/core/exec/exec.h"

/* Is it this word? */
bool img_thumbnail_is(const char *word);

/* Whose options it has: resize by this name, for parsing and for messages, not for running. */
const ImgOp *img_thumbnail_options(void);

/* All defaults: those of resize, but pictures are not enlarged. */
void img_thumbnail_init(ImgParams *params);

/* autorotate, resize with `params`, depth. */
enum { IMG_THUMBNAIL_STEPS = 3 };
void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS]);

#endif
