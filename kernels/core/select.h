/* Selection of one of the implementations of an operation. */
#ifndef IMGTOOL_KERNELS_CORE_SELECT_H
#define IMGTOOL_KERNELS_CORE_SELECT_H

#include <stdbool.h>

#include "kernels/core/op.h"

/* Returns "auto", "cpu" or "cuda". */
const char *img_backend_name(ImgBackend backend);

/* Finds the implementation of `op` that has the given name. Returns IMG_E_USAGE for an unknown
 * name; the message lists the known ones. Returns IMG_E_UNAVAILABLE if this build or processor
 * cannot run it. */
ImgStatus img_impl_find(const ImgOp *op, const char *name, const ImgImpl **impl, ImgError *err);

/* Finds the fastest implementation for a backend other than IMG_BACKEND_AUTO, among those that this
 * build and processor can run and that support the parameters. Does not check whether there is a
 * GPU. */
ImgStatus img_impl_fastest(const ImgOp *op, ImgBackend backend, ImgShape src, const void *params,
                           const ImgImpl **impl, ImgError *err);

/* Returns true if the implementation supports these parameters for a source of shape `src`. */
bool img_impl_applies(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params);

/* Returns IMG_E_USAGE if the implementation does not support the parameters; the message names the
 * implementations that support them. */
ImgStatus img_impl_check(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params,
                         ImgError *err);

/* Returns true if this build, on this processor, can run the implementation. Does not check whether
 * there is a GPU. */
bool img_impl_usable(const ImgImpl *impl);

#endif
