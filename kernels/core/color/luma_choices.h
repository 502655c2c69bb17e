/* Words by which the command line names the luma weights of luma.h. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_LUMA_CHOICES_H
#define IMGTOOL_KERNELS_CORE_COLOR_LUMA_CHOICES_H

#include "kernels/core/op.h"

/* Lists of choices. A choice whose name is NULL ends each list. */
/* the words 709 and 601, for the weights of BT.709 and BT.601 */
extern const ImgChoice img_luma_choices[];
/* the words 709, 601 and none; "none" is for results without luma */
extern const ImgChoice img_luma_or_none_choices[];

#endif
