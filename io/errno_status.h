/* What kind of failure an errno is. */
#ifndef IMGTOOL_IO_ERRNO_STATUS_H
#define IMGTOOL_IO_ERRNO_STATUS_H

#include <errno.h>
#include <stdbool.h>

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

/* Does a failed look at a path say something about it: that nothing is there, or nothing that we
 * may see? Else nothing is known, and the next look may find a file. */
static inline bool img_errno_is_of_path(int code)
{
    return code == ENOENT || code == ENOTDIR || code == EACCES || code == ELOOP ||
           code == ENAMETOOLONG;
}

#endif
