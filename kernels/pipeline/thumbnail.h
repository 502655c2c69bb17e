/* thumbnail: a short name for several steps. It is a command, and it may be used like an operation
 * in steps and after `batch`. It has the options of resize. */
#ifndef IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H
#define IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H

#include "kernels/core/exec/exec.h"

/* Returns true if the word is "thumbnail". */
bool img_thumbnail_is(const char *word);

/* Returns the options of thumbnail: resize under this name. It is for parsing and messages; it must
 * not be run. */
const ImgOp *img_thumbnail_options(void);

/* Sets all parameters to their defaults: those of resize, but without enlarging. */
void img_thumbnail_init(ImgParams *params);

/* The steps autorotate, resize with `params`, and depth. */
enum { IMG_THUMBNAIL_STEPS = 3 };
void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS]);

#endif
