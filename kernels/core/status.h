/* The status that every function of the project returns if it can fail, and the message that
 * belongs to it. The caller owns the ImgError. It keeps the first failure: later ones do not
 * overwrite it. A message that is too long, for example because of long paths, loses its middle. So
 * the reason at its end remains. */
#ifndef IMGTOOL_KERNELS_CORE_STATUS_H
#define IMGTOOL_KERNELS_CORE_STATUS_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgStatus {
    IMG_OK = 0,
    /* the caller asked for something invalid: an unknown name, or a value out of range */
    IMG_E_USAGE,
    IMG_E_IO,     /* a file could not be opened, read, written or renamed */
    IMG_E_FORMAT, /* a file is damaged or of a kind that is not supported */
    /* a limit is exceeded: --max-pixels, --max-memory, or the limit of inflated text */
    IMG_E_LIMIT,
    IMG_E_MEMORY,      /* the system has no memory left */
    IMG_E_UNSUPPORTED, /* the operation does not support this picture or these parameters */
    /* the backend, device or implementation is missing in this build or on this machine */
    IMG_E_UNAVAILABLE,
    IMG_E_DEVICE,   /* a GPU failed while it was working */
    IMG_E_MISMATCH, /* results that must be equal are not */
    /* like IMG_E_IO, but a retry may succeed: the disk is full, or a server does not answer */
    IMG_E_TEMPORARY,
} ImgStatus;

enum { IMG_MESSAGE_SIZE = 1024 };

typedef struct ImgError {
    ImgStatus status;
    /* one line without a newline at its end; empty if the status is IMG_OK */
    char message[IMG_MESSAGE_SIZE];
} ImgError;

#if defined(__GNUC__)
#define IMG_PRINTF(format_index, first_argument)                                                   \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define IMG_PRINTF(format_index, first_argument)
#endif

/* Records the failure in `err`, unless `err` already contains one. Returns the status that `err`
 * then contains. `err` may be NULL if the caller needs only the status. */
ImgStatus img_fail(ImgError *err, ImgStatus status, const char *format, ...) IMG_PRINTF(3, 4);

#ifdef __clang_analyzer__
/* The static analyser cannot see that img_fail never returns IMG_OK; this macro shows it. */
#define img_fail(err, status, ...) (img_fail(err, status, __VA_ARGS__), (status))
#endif

/* Puts a text and ": " before the message, for example the name of a file or operation. If the
 * result is too long, text and message are shortened in their middle. */
void img_error_prefix(ImgError *err, const char *format, ...) IMG_PRINTF(2, 3);

/* Formats a message that is not an error. Like an error, a message that is too long loses its
 * middle. */
void img_message_format(char message[IMG_MESSAGE_SIZE], const char *format, va_list arguments)
    IMG_PRINTF(2, 0);

void img_error_clear(ImgError *err);

/* --- Failed system calls -------------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
