/* Which implementation of an operation runs. */
#ifndef IMGTOOL_KERNELS_CORE_SELECT_H
#define IMGTOOL_KERNELS_CORE_SELECT_H

#include <stdbool.h>

#include "kernels/core/op.h"

/* "auto", "cpu", "cuda". */
const char *img_backend_name(ImgBackend backend);

/* The implementation of that name. IMG_E_USAGE for a name the operation does not have (the message
 * lists those it has), IMG_E_UNAVAILABLE for one that this build or processor cannot run. */
ImgStatus img_impl_find(const ImgOp *op, const char *name, const ImgImpl **impl, ImgError *err);

/* The fastest implementation of a backend (not IMG_BACKEND_AUTO) that this build and processor can
 * run and that does what the parameters ask for. Whether there is a device for it is not asked
 * here. */
ImgStatus img_impl_fastest(const ImgOp *op, ImgBackend backend, ImgShape src, const void *params,
                           const ImgImpl **impl, ImgError *err);

/* Does the implementation do what the parameters ask for? */
bool img_impl_applies(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params);

/* IMG_E_USAGE, naming the implementations that would do, if this one does not do what is asked. */
ImgStatus img_impl_check(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params,
                         ImgError *err);

/* Can this build, on this processor, run the implementation? A device is not asked for. */
bool img_impl_usable(const ImgImpl *impl);

#endif
