/* thumbnail: a short name for several steps. It is a command, and it can be a step of a pipeline.
 * It has the options of resize. */
#ifndef IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H
#define IMGTOOL_KERNELS_PIPELINE_THUMBNAIL_H

#include "kernels/core/exec/exec.h"

/* Returns true if `word` is "thumbnail". */
bool img_thumbnail_is(const char *word);

/* Returns a descriptor with the options of thumbnail: the descriptor of resize under another name.
 * It is for parsing and messages, and cannot be run. */
const ImgOp *img_thumbnail_options(void);

/* Sets all parameters to their defaults. These are the defaults of resize, except that pictures are
 * not enlarged. */
void img_thumbnail_init(ImgParams *params);

enum { IMG_THUMBNAIL_STEPS = 3 };
/* Writes the steps that thumbnail stands for: autorotate, resize with `params`, and depth. */
void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS]);

#endif
