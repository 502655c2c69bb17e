#include "kernels/core/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Returns a position at `size` bytes of `text`, or up to three bytes before. Cutting the text there
 * does not split a UTF-8 character. */
static const char *character_start(const char *text, size_t size)
{
    const char *at = text + size;
    for (int i = 0; i < 3 && at > text && continues_character(*at); i++)
        at--;
    return at;
}

/* Copies `text` to `to`, which has space for `room` bytes and the terminator. A text that is too
 * long loses its middle, because both ends matter. A message starts with the action and ends with
 * the reason. A path starts with its device and ends with the name of the file. */
static void copy_shortened(char *to, size_t room, const char *text)
{
    static const char gap[] = "...";
    size_t length = strlen(text), gap_length = sizeof gap - 1;
    if (length <= room) {
        memcpy(to, text, length + 1);
        return;
    }
    size_t head = (size_t)(character_start(text, (room - gap_length) / 3) - text);
    const char *tail = text + length - (room - gap_length - (room - gap_length) / 3);
    while (continues_character(*tail))
        tail++;
    memcpy(to, text, head);
    memcpy(to + head, gap, gap_length);
    memcpy(to + head + gap_length, tail, strlen(tail) + 1);
}

void img_message_format(char message[IMG_MESSAGE_SIZE], const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(message, IMG_MESSAGE_SIZE, format, arguments);
    if (length >= IMG_MESSAGE_SIZE) {
        char *whole = malloc((size_t)length + 1);
        if (whole != NULL) {
            vsnprintf(whole, (size_t)length + 1, format, again);
            copy_shortened(message, IMG_MESSAGE_SIZE - 1, whole);
            free(whole);
        } /* if there is no memory for the whole text, the message stays cut off at its end */
    }
    va_end(again);
}

/* The name is in parentheses because a macro of the same name exists for the static analyser. */
ImgStatus(img_fail)(ImgError *err, ImgStatus status, const char *format, ...)
{
    if (err == NULL)
        return status;
    if (err->status != IMG_OK)
        return err->status;
    err->status = status;
    va_list arguments;
    va_start(arguments, format);
    img_message_format(err->message, format, arguments);
    va_end(arguments);
    return status;
}

void img_error_prefix(ImgError *err, const char *format, ...)
{
    static const char colon[] = ": ";
    enum { LEAST_PREFIX = IMG_MESSAGE_SIZE / 4, BETWEEN = sizeof colon - 1 };
    if (err == NULL || err->status == IMG_OK)
        return;
    char reason[IMG_MESSAGE_SIZE], prefix[IMG_MESSAGE_SIZE];
    memcpy(reason, err->message, sizeof reason);
    va_list arguments;
    va_start(arguments, format);
    img_message_format(prefix, format, arguments);
    va_end(arguments);

    size_t room = IMG_MESSAGE_SIZE - 1 - BETWEEN, reason_length = strlen(reason);
    size_t prefix_room =
        reason_length + LEAST_PREFIX < room ? room - reason_length : (size_t)LEAST_PREFIX;
    copy_shortened(err->message, prefix_room, prefix);
    size_t used = strlen(err->message);
    memcpy(err->message + used, colon, BETWEEN);
    copy_shortened(err->message + used + BETWEEN, room - used, reason);
}

void img_error_clear(ImgError *err)
{
    if (err == NULL)
        return;
    err->status = IMG_OK;
    err->message[0] = '\0';
}
