/* What kind of failure an errno is. */
#ifndef IMGTOOL_IO_ERRNO_STATUS_H
#define IMGTOOL_IO_ERRNO_STATUS_H

#include <errno.h>

#include "kernels/core/status.h"

/* IMG_E_MEMORY; IMG_E_TEMPORARY where the same call may go well later, or on another machine; else
 * IMG_E_IO. */
static inline ImgStatus img_errno_status(int code)
{
    switch (code) {
    case ENOMEM:
        return IMG_E_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ESTALE:
    case ETIMEDOUT:
        return IMG_E_TEMPORARY;
    default:
        return IMG_E_IO;
    }
}

#endif
