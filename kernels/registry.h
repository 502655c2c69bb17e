/* All operations of the project, in the order of op_list.h. */
#ifndef IMGTOOL_KERNELS_REGISTRY_H
#define IMGTOOL_KERNELS_REGISTRY_H

#include "kernels/core/op.h"

/* Ends with NULL. */
extern const ImgOp *const img_ops[];

/* IMG_E_USAGE with the nearest known name if there is no such operation. */
ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err);

#endif
