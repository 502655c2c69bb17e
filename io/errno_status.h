/* Converts errno values of failed system calls to ImgStatus. */
#ifndef IMGTOOL_IO_ERRNO_STATUS_H
#define IMGTOOL_IO_ERRNO_STATUS_H

#include <errno.h>
#include <stdbool.h>

#include "kernels/core/status.h"

/* Returns the status for the errno value `code`: IMG_E_MEMORY if memory is short; IMG_E_TEMPORARY
 * if the same call may succeed later or on another machine; otherwise IMG_E_IO. */
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

/* Returns true if `code`, the errno value of a failed stat or open, is about the path: no such
 * file, or no permission. After any other error the file may still exist, and a retry may
 * succeed. */
static inline bool img_errno_is_of_path(int code)
{
    return code == ENOENT || code == ENOTDIR || code == EACCES || code == ELOOP ||
           code == ENAMETOOLONG;
}

/* Returns advice for a message about a file that cannot be opened, such as "; check the name".
 * Returns "" if there is no general advice for the errno value `code`. */
static inline const char *img_errno_remedy(int code)
{
    if (code == ENOENT || code == ENOTDIR)
        return "; check the name";
    return code == EACCES ? "; check the permissions" : "";
}

#endif
