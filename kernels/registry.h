/* All operations and measurements of the project, in the order of op_list.h. */
#ifndef IMGTOOL_KERNELS_REGISTRY_H
#define IMGTOOL_KERNELS_REGISTRY_H

#include "kernels/core/op.h"

/* Ends with NULL. */
extern const ImgOp *const img_ops[];
extern const ImgOp *const img_measures[];

/* Returns entry `index` of both lists, operations first, or NULL past the last entry. */
const ImgOp *img_op_at(size_t index);

/* Finds an operation by name. Returns IMG_E_USAGE with the nearest known name if there is no such
 * operation; measurements do not count. Returns IMG_E_UNSUPPORTED if the defaults of the operation
 * do not parse (img_params_check_defaults). */
ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err);

/* Finds an operation or a measurement by name, with the errors of img_op_find. */
ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err);

#endif
