#include "app/text/json_file.h"

#include <stdlib.h>
#include <string.h>

#include "app/text/streams.h"
#include "app/text/text.h"

void json_path(cJSON *object, const char *name, const char *hex_name, const char *path,
               bool *failed)
{
    if (path == NULL) {
        json_null(object, name, failed);
        json_null(object, hex_name, failed);
        return;
    }
    json_marked(object, name, path, failed);
    if (text_is_utf8((const uint8_t *)path, strlen(path))) {
        json_null(object, hex_name, failed);
        return;
    }
    char *hex = text_to_hex(path);
    if (hex != NULL)
        json_string(object, hex_name, hex, failed);
    else
        *failed = true;
    free(hex);
}

void json_file_name(cJSON *object, const char *path, bool *failed)
{
    json_path(object, "file", "file_hex", img_streams_input_name(path), failed);
}

const char *json_error_name(ImgStatus error)
{
    static const char *const names[] = {
        [IMG_OK] = NULL,
        [IMG_E_USAGE] = "usage",
        [IMG_E_IO] = "io",
        [IMG_E_FORMAT] = "format",
        [IMG_E_LIMIT] = "limit",
        [IMG_E_MEMORY] = "memory",
        [IMG_E_UNSUPPORTED] = "unsupported",
        [IMG_E_UNAVAILABLE] = "unavailable",
        [IMG_E_DEVICE] = "device",
        [IMG_E_MISMATCH] = "mismatch",
        [IMG_E_TEMPORARY] = "temporary",
    };
    return names[error];
}

void json_outcome(cJSON *object, const char *status, ImgStatus error, const char *message,
                  bool *failed)
{
    json_string(object, "status", status, failed);
    json_string(object, "error", json_error_name(error), failed);
    if (message != NULL && message[0] != '\0')
        json_marked(object, "message", message, failed);
    else
        json_null(object, "message", failed);
}

void json_done_or_failed(cJSON *object, const ImgError *err, bool *failed)
{
    json_outcome(object, err->status == IMG_OK ? "done" : "failed", err->status, err->message,
                 failed);
}

void json_shape(cJSON *object, ImgShape shape, bool *failed)
{
    if (shape.width > 0) {
        json_number(object, "width", shape.width, failed);
        json_number(object, "height", shape.height, failed);
        json_string(object, "color", img_color_name(shape.format.color), failed);
        json_number(object, "bits", shape.format.bits, failed);
        return;
    }
    json_null(object, "width", failed);
    json_null(object, "height", failed);
    json_null(object, "color", failed);
    json_null(object, "bits", failed);
}
