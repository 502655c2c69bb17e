/* Lists of all operations and measurements of the project, in the order of op_list.h, and functions
 * that search them. */
#ifndef IMGTOOL_KERNELS_REGISTRY_H
#define IMGTOOL_KERNELS_REGISTRY_H

#include "kernels/core/op.h"

/* The lists of operations and of measurements. Each of them ends with NULL. */
extern const ImgOp *const img_ops[];
extern const ImgOp *const img_measures[];

/* Returns the entry at `index`, counted from 0, of a list with all operations followed by all
 * measurements. Returns NULL if `index` is past the end. */
const ImgOp *img_op_at(size_t index);

/* Finds an operation by name; it does not search measurements. Returns IMG_E_USAGE if there is
 * none; the message suggests the nearest known name. Returns IMG_E_UNSUPPORTED if the default
 * values of the operation's parameters cannot be parsed (img_params_check_defaults). */
ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err);

/* Finds an operation or a measurement by name. It returns the same errors as img_op_find. */
ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err);

#endif
