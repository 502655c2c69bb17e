/* Parameters that are paths of files: any text without control characters. Messages and lists of
 * steps could not show control characters on one line. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params/value.h"

static bool has_control_characters(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

static bool parse_file(const ImgParam *param, const char *text, ImgValue *value)
{
    const size_t length = strlen(text);
    (void)param;
    if (length == 0 || length >= IMG_PATH_SIZE || has_control_characters(text))
        return false;
    memset(&value->file, 0, sizeof value->file);
    memcpy(value->file.path, text, length);
    return true;
}

static void print_file(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    (void)param;
    snprintf(text, size, "%s", value->file.path);
}

static void describe_file(const ImgParam *param, char *text, size_t size)
{
    (void)param;
    snprintf(text, size, "FILE");
}

static void refuse_file(const ImgParam *param, const char *value, char *text, size_t size)
{
    (void)param;
    if (value[0] == '\0')
        snprintf(text, size, "name a file");
    else if (strlen(value) >= IMG_PATH_SIZE)
        snprintf(text, size, "a path has at most %d bytes here; use a shorter one, or a link",
                 (int)IMG_PATH_SIZE - 1);
    else
        snprintf(text, size, "a path has no control characters here; rename the file");
}

const ImgValueKind img_value_file = {
    .size = sizeof(ImgFile),
    .may_be_empty = true,
    .parse = parse_file,
    .print = print_file,
    .describe = describe_file,
    .refuse = refuse_file,
};
