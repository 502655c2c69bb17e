/* Private to the library: checks of the caller's tensors. */
#ifndef IMGTOOL_APP_LIBRARY_TENSORS_TENSOR_H
#define IMGTOOL_APP_LIBRARY_TENSORS_TENSOR_H

#include "app/library/context.h"
#include "io/tensor/tensor.h"

/* Checks the caller's tensor, and converts it to *own. The tensor must have data unless its count
 * is 0. Errors: USAGE. */
imgtool_status img_lib_read_tensor(const imgtool_tensor *tensor, ImgTensor *own,
                                   imgtool_error *error);

/* Returns the bytes of one picture of a tensor that img_lib_read_tensor made. */
size_t img_lib_place_bytes(const ImgTensor *tensor);

#endif
