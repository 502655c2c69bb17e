/* Every operation, named once. IMG_OP(rotate) stands for the descriptor `img_op_rotate`, which a
 * file of the operation's own directory defines; without one the program does not link. So it is
 * with IMG_MEASURE(histogram) and `img_measure_histogram`, which gives a table and no picture. */
IMG_OP(rotate)
IMG_OP(flip)
IMG_OP(transpose)
IMG_OP(transverse)
IMG_OP(autorotate)
IMG_OP(crop)
IMG_OP(equalize)
IMG_OP(autolevel)
IMG_OP(threshold)
IMG_OP(clahe)
IMG_OP(invert)
IMG_OP(grayscale)
IMG_MEASURE(histogram)
IMG_MEASURE(sum)
