/* The status that every function of the project returns if it can fail, and the message that
 * belongs to it. The caller owns the ImgError. The first failure is kept: later ones do not
 * overwrite it. Paths may be longer than a message. A message that is too long is shortened in its
 * middle, so the reason at its end remains. */
#ifndef IMGTOOL_KERNELS_CORE_STATUS_H
#define IMGTOOL_KERNELS_CORE_STATUS_H

#include <stdarg.h>

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
    IMG_E_UNSUPPORTED, /* the operation cannot do this with this picture */
    IMG_E_UNAVAILABLE, /* the backend, device or implementation is not in this build or machine */
    IMG_E_DEVICE,      /* a GPU failed while it was working */
    IMG_E_MISMATCH,    /* results that must be equal are not */
    /* like IMG_E_IO, but a retry may succeed: no space, or a server that does not answer */
    IMG_E_TEMPORARY,
} ImgStatus;

enum { IMG_MESSAGE_SIZE = 1024 };

typedef struct ImgError {
    ImgStatus status;
    /* one line without a newline; empty if the status is IMG_OK */
    char message[IMG_MESSAGE_SIZE];
} ImgError;

#if defined(__GNUC__)
#define IMG_PRINTF(format_index, first_argument)                                                   \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define IMG_PRINTF(format_index, first_argument)
#endif

/* Records the failure in `err` unless it already holds one, and returns the status that `err` then
 * holds. `err` may be NULL for callers that need only the status. */
ImgStatus img_fail(ImgError *err, ImgStatus status, const char *format, ...) IMG_PRINTF(3, 4);

#ifdef __clang_analyzer__
/* The static analyser cannot see that img_fail never returns IMG_OK. */
#define img_fail(err, status, ...) (img_fail(err, status, __VA_ARGS__), (status))
#endif

/* Puts "text: " before the message, to name the file or operation. If both are too long together,
 * the text is shortened in its middle. */
void img_error_prefix(ImgError *err, const char *format, ...) IMG_PRINTF(2, 3);

/* Formats a message that is not an error, shortened in the same way. */
void img_message_format(char message[IMG_MESSAGE_SIZE], const char *format, va_list arguments)
    IMG_PRINTF(2, 0);

void img_error_clear(ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
