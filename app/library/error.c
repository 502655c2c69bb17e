/* Errors as the caller sees them, versions, and structs that grow. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/library/context.h"

const char *imgtool_version(void)
{
    return IMGTOOL_VERSION;
}

const char *imgtool_status_text(imgtool_status status)
{
    switch (status) {
    case IMGTOOL_OK:
        return "done";
    case IMGTOOL_E_USAGE:
        return "invalid argument";
    case IMGTOOL_E_IO:
        return "file cannot be read or written";
    case IMGTOOL_E_FORMAT:
        return "damaged or unsupported file";
    case IMGTOOL_E_LIMIT:
        return "over a limit";
    case IMGTOOL_E_MEMORY:
        return "no memory left";
    case IMGTOOL_E_UNSUPPORTED:
        return "not possible with this picture";
    case IMGTOOL_E_UNAVAILABLE:
        return "not in this build or machine";
    case IMGTOOL_E_DEVICE:
        return "the GPU failed";
    case IMGTOOL_E_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

/* --- Errors ----------------------------------------------------------------------------------- */

/* As much of the message as the caller's struct holds, which may be of another version: not cut
 * within a character. */
static void fill(imgtool_error *error, imgtool_status status, const char *message)
{
    const size_t start = offsetof(imgtool_error, message);
    if (error == NULL || error->size <= start)
        return;
    size_t room = error->size - start - 1, length = strlen(message);
    if (length > room) {
        length = room;
        while (length > 0 && ((unsigned char)message[length] & 0xC0) == 0x80)
            length--;
    }
    error->status = status;
    memcpy(error->message, message, length);
    error->message[length] = '\0';
}

imgtool_status img_lib_begin(imgtool_context *context, imgtool_error *error)
{
    if (context == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no context");
    if (context->process != getpid())
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "the context belongs to the parent process, and fork does not copy its "
                            "threads; create one in this process");
    context->cancelled = false;
    context->caller = pthread_self();
    fill(error, IMGTOOL_OK, "");
    return IMGTOOL_OK;
}

/* In parentheses, because the analyzer sees a macro of that name. */
imgtool_status(img_lib_fail)(imgtool_error *error, imgtool_status status, const char *format, ...)
{
    char message[IMG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    img_message_format(message, format, arguments);
    va_end(arguments);
    fill(error, status, message);
    return status;
}

static imgtool_status status_of(ImgStatus status)
{
    switch (status) {
    case IMG_OK:
        return IMGTOOL_OK;
    case IMG_E_USAGE:
        return IMGTOOL_E_USAGE;
    case IMG_E_IO:
    case IMG_E_TEMPORARY: /* only an exit code tells them apart */
        return IMGTOOL_E_IO;
    case IMG_E_FORMAT:
        return IMGTOOL_E_FORMAT;
    case IMG_E_LIMIT:
        return IMGTOOL_E_LIMIT;
    case IMG_E_MEMORY:
        return IMGTOOL_E_MEMORY;
    case IMG_E_UNSUPPORTED:
    case IMG_E_MISMATCH: /* nothing below the command line compares */
        return IMGTOOL_E_UNSUPPORTED;
    case IMG_E_UNAVAILABLE:
        return IMGTOOL_E_UNAVAILABLE;
    case IMG_E_DEVICE:
        return IMGTOOL_E_DEVICE;
    }
    return IMGTOOL_E_UNSUPPORTED;
}

imgtool_status img_lib_end(const imgtool_context *context, ImgStatus status,
                           const ImgError *failure, imgtool_error *error)
{
    if (status == IMG_OK) {
        fill(error, IMGTOOL_OK, "");
        return IMGTOOL_OK;
    }
    if (context != NULL && context->cancelled)
        return img_lib_fail(error, IMGTOOL_E_CANCELLED, "cancelled");
    fill(error, status_of(status), failure->message);
    return status_of(status);
}

/* --- Structs that grow ------------------------------------------------------------------------ */

imgtool_status img_lib_check_size(size_t size, size_t least, const char *name, imgtool_error *error)
{
    if (size >= least)
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_USAGE,
                        "%s: the size %zu is invalid; fill it with the initialiser of its name",
                        name, size);
}

void img_lib_copy_struct(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t most = to_size < from_size ? to_size : from_size;
    if (most > sizeof(size_t))
        memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
               most - sizeof(size_t));
}
