/* All operations and measurements of the project, in the order of op_list.h. */
#ifndef IMGTOOL_KERNELS_REGISTRY_H
#define IMGTOOL_KERNELS_REGISTRY_H

#include "kernels/core/op.h"

/* Ends with NULL. */
extern const ImgOp *const img_ops[];
extern const ImgOp *const img_measures[];

/* Number `index` of both, operations first; NULL past the last. */
const ImgOp *img_op_at(size_t index);

/* IMG_E_USAGE with the nearest known name if there is no such operation; measurements are not
 * operations. IMG_E_UNSUPPORTED for one whose defaults do not parse (img_params_check_defaults). */
ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err);

/* The same, measurements too. */
ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err);

#endif
