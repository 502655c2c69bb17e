#include "app/text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/library/imgtool.h"
#include "app/text/amounts.h"
#include "app/text/streams.h"
#include "app/text/text.h"

static cJSON *add(cJSON *parent, const char *name, cJSON *item, bool *failed)
{
    bool added = false;
    if (parent != NULL && item != NULL)
        added = name != NULL ? cJSON_AddItemToObject(parent, name, item)
                             : cJSON_AddItemToArray(parent, item);
    if (added)
        return item;
    cJSON_Delete(item);
    *failed = true;
    return NULL;
}

bool json_is_shallow(const char *text, size_t length)
{
    enum { DEPTH_MOST = 64 };
    int depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < length && depth <= DEPTH_MOST; i++) {
        if (in_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string)
            depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
    }
    return depth <= DEPTH_MOST;
}

cJSON *json_document(const char *command, const char *type, bool *failed)
{
    cJSON *root = cJSON_CreateObject();
    json_string(root, "imgtool", imgtool_version(), failed);
    json_count(root, "schema", JSON_SCHEMA, failed);
    json_string(root, "command", command, failed);
    json_string(root, "type", type, failed);
    return root;
}

cJSON *json_object(cJSON *parent, const char *name, bool *failed)
{
    return add(parent, name, cJSON_CreateObject(), failed);
}

cJSON *json_array(cJSON *parent, const char *name, bool *failed)
{
    return add(parent, name, cJSON_CreateArray(), failed);
}

void json_null(cJSON *parent, const char *name, bool *failed)
{
    add(parent, name, cJSON_CreateNull(), failed);
}

void json_bool(cJSON *parent, const char *name, bool value, bool *failed)
{
    add(parent, name, cJSON_CreateBool(value), failed);
}

/* Writes the digits itself, because cJSON would omit the last ones. */
void json_number(cJSON *parent, const char *name, double number, bool *failed)
{
    char digits[AMOUNT_TEXT];
    if (isfinite(number))
        json_whole(parent, name, img_amount_print_number(number, digits), failed);
    else
        json_null(parent, name, failed);
}

void json_count(cJSON *parent, const char *name, uint64_t count, bool *failed)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    json_whole(parent, name, digits, failed);
}

void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed)
{
    add(parent, name, cJSON_CreateRaw(digits), failed);
}

void json_string(cJSON *parent, const char *name, const char *text, bool *failed)
{
    if (text == NULL) {
        json_null(parent, name, failed);
        return;
    }
    char *utf8 = text_to_utf8((const uint8_t *)text, strlen(text));
    add(parent, name, utf8 != NULL ? cJSON_CreateString(utf8) : NULL, failed);
    free(utf8);
}

void json_marked(cJSON *parent, const char *name, const char *text, bool *failed)
{
    char *marked = text_mark_bytes(text);
    if (marked != NULL)
        json_string(parent, name, marked, failed);
    else
        *failed = true;
    free(marked);
}

/* Returns the text of the tree, safe for terminals, and frees the tree. */
static char *to_text(cJSON *root, bool failed, bool is_line)
{
    char *text = NULL;
    if (root != NULL && !failed)
        text = is_line ? cJSON_PrintUnformatted(root) : cJSON_Print(root);
    char *escaped = text != NULL ? text_escape_json(text) : NULL;
    cJSON_Delete(root);
    cJSON_free(text);
    return escaped;
}

char *json_line_text(cJSON *root, bool failed)
{
    return to_text(root, failed, true);
}

static ImgStatus print(FILE *out, char *text, ImgError *err)
{
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the JSON text");
    fprintf(out, "%s\n", text);
    if (out == stdout)
        img_streams_flush_stdout();
    free(text);
    return IMG_OK;
}

ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err)
{
    return print(out, to_text(root, failed, false), err);
}

ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err)
{
    return print(out, json_line_text(root, failed), err);
}

/* --- Keys about a file ------------------------------------------------------------------------ */

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
