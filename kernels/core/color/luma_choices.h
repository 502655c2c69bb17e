/* Names of the luma weights (luma.h) on the command line. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_LUMA_CHOICES_H
#define IMGTOOL_KERNELS_CORE_COLOR_LUMA_CHOICES_H

#include "kernels/core/op.h"

/* Both lists end with a choice whose name is NULL. */
extern const ImgChoice img_luma_choices[]; /* the words 709 and 601 */
/* also the word none, for results without luma */
extern const ImgChoice img_luma_or_none_choices[];

#endif
