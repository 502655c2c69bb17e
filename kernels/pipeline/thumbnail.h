/* thumbnail: a short name for several steps. It is a command, and it may stand for an operation in
 * steps and after `batch`. It has the options of resize. */
#ifndef IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H
#define IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H

#include "kernels/core/exec/exec.h"

/* Returns true if the word is "thumbnail". */
bool img_thumbnail_is(const char *word);

/* Returns its options: resize under this name, for parsing and messages, not for running. */
const ImgOp *img_thumbnail_options(void);

/* Sets all defaults: those of resize, but without enlarging. */
void img_thumbnail_init(ImgParams *params);

/* The steps autorotate, resize with `params`, and depth. */
enum { IMG_THUMBNAIL_STEPS = 3 };
void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS]);

#endif
