#include "kernels/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In parentheses, because the analyzer sees a macro of that name. */
ImgStatus(img_fail)(ImgError *err, ImgStatus status, const char *format, ...)
{
    if (err == NULL)
        return status;
    if (err->status != IMG_OK)
        return err->status;
    err->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return status;
}

void img_error_prefix(ImgError *err, const char *format, ...)
{
    if (err == NULL || err->status == IMG_OK)
        return;
    char text[IMG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    char whole[2 * IMG_MESSAGE_SIZE + 2];
    snprintf(whole, sizeof whole, "%s: %s", text, err->message);
    memcpy(err->message, whole, sizeof err->message);
    err->message[sizeof err->message - 1] = '\0';
}

void img_error_clear(ImgError *err)
{
    if (err == NULL)
        return;
    err->status = IMG_OK;
    err->message[0] = '\0';
}
