/* All operations and measurements of the project, in the order of op_list.h. */
#ifndef IMGTOOL_KERNELS_REGISTRY_H
#define IMGTOOL_KERNELS_REGISTRY_H

#include "kernels/core/op.h"

/* All operations, and all measurements. Each list ends with NULL. */
extern const ImgOp *const img_ops[];
extern const ImgOp *const img_measures[];

/* Returns entry `index` of the list that consists of img_ops and then img_measures, or NULL past
 * its end. */
const ImgOp *img_op_at(size_t index);

/* Finds an operation by name; measurements are not searched. Returns IMG_E_USAGE, with the nearest
 * known name in the message, if there is no such operation. Returns IMG_E_UNSUPPORTED if the
 * defaults of the operation do not parse (img_params_check_defaults). */
ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err);

/* Finds an operation or a measurement by name, with the errors of img_op_find. */
ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err);

#endif
