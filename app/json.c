#include "app/json.h"

#include <stdlib.h>
#include <string.h>

#include "app/report.h"
#include "app/text.h"

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

cJSON *json_object(cJSON *parent, const char *name, bool *failed)
{
    return add(parent, name, cJSON_CreateObject(), failed);
}

cJSON *json_array(cJSON *parent, const char *name, bool *failed)
{
    return add(parent, name, cJSON_CreateArray(), failed);
}

void json_number(cJSON *parent, const char *name, double number, bool *failed)
{
    add(parent, name, cJSON_CreateNumber(number), failed);
}

void json_bool(cJSON *parent, const char *name, bool value, bool *failed)
{
    add(parent, name, cJSON_CreateBool(value), failed);
}

void json_string(cJSON *parent, const char *name, const char *text, bool *failed)
{
    if (text == NULL) {
        add(parent, name, cJSON_CreateNull(), failed);
        return;
    }
    char *utf8 = text_to_utf8((const uint8_t *)text, strlen(text));
    add(parent, name, utf8 != NULL ? cJSON_CreateString(utf8) : NULL, failed);
    free(utf8);
}

void json_whole(cJSON *parent, const char *name, const char *digits, bool *failed)
{
    add(parent, name, cJSON_CreateRaw(digits), failed);
}

void json_marked(cJSON *parent, const char *name, const char *text, bool *failed)
{
    char *marked = text_mark_bytes(text);
    *failed |= marked == NULL;
    json_string(parent, name, marked, failed);
    free(marked);
}

void json_path(cJSON *object, const char *name, const char *bytes_name, const char *path,
               bool *failed)
{
    json_marked(object, name, path, failed);
    if (text_is_utf8((const uint8_t *)path, strlen(path)))
        return;
    char *hex = text_to_hex(path);
    *failed |= hex == NULL;
    json_string(object, bytes_name, hex, failed);
    free(hex);
}

void json_file_name(cJSON *object, const char *path, bool *failed)
{
    json_path(object, "file", "path_bytes", report_input_name(path), failed);
}

static ImgStatus print(FILE *out, cJSON *root, char *text, ImgError *err)
{
    cJSON_Delete(root);
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the JSON text");
    fprintf(out, "%s\n", text);
    if (out == stdout)
        report_flush_stdout();
    cJSON_free(text);
    return IMG_OK;
}

ImgStatus json_print(FILE *out, cJSON *root, bool failed, ImgError *err)
{
    return print(out, root, root != NULL && !failed ? cJSON_Print(root) : NULL, err);
}

ImgStatus json_print_line(FILE *out, cJSON *root, bool failed, ImgError *err)
{
    return print(out, root, root != NULL && !failed ? cJSON_PrintUnformatted(root) : NULL, err);
}
