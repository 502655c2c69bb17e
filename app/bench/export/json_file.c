/* Reads, parses and checks a report from an untrusted file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/export/export.h"
#include "app/library/imgtool.h"
#include "app/text/json.h"
#include "app/text/text.h"

enum { MOST_BYTES = 64 * 1000 * 1000 };

/* Number of zero bytes after the text of a file. cJSON 1.7.15 reads one byte past the end if the
 * text ends after a comma. */
enum { ZEROS = 16 };

static ImgStatus read_file(const char *path, char **text, size_t *length, ImgError *err)
{
    ImgStatus status = IMG_OK;
    size_t capacity = 1 << 16;
    char *grown = NULL;
    *text = NULL;
    *length = 0;
    FILE *in = fopen(path, "rbe");
    if (in == NULL)
        return img_fail(err, IMG_E_IO, "%s", strerror(errno));
    do {
        grown = realloc(*text, capacity + ZEROS);
        if (grown == NULL) {
            status = img_fail(err, IMG_E_MEMORY, "no memory");
            break;
        }
        *text = grown;
        *length += fread(*text + *length, 1, capacity - *length, in);
        memset(*text + *length, 0, ZEROS);
        if (ferror(in))
            status = img_fail(err, IMG_E_IO, "%s", strerror(errno));
        else if (*length > MOST_BYTES)
            status = img_fail(err, IMG_E_LIMIT,
                              "is larger than 64 MB, the limit for the JSON of a benchmark");
        else if (*length < capacity)
            break;
        capacity *= 2;
    } while (status == IMG_OK);
    (void)fclose(in);
    return status;
}

static ImgStatus fail_at(const char *text, const char *end, ImgError *err)
{
    size_t line = 1;
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    return img_fail(err, IMG_E_FORMAT,
                    "is not valid JSON, or is truncated: line %zu cannot be read", line);
}

static const char *text_of(const cJSON *object, const char *key, const char *otherwise)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : otherwise;
}

/* Fails with a message for a report of imgtool 0.1, which had no schema and begins with other keys.
 * The message contains the version that wrote the report. */
static ImgStatus refuse_old(const cJSON *root, ImgError *err)
{
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(root, "machine");
    return img_fail(err, IMG_E_FORMAT,
                    "was written by imgtool %s, before its JSON had a schema; this imgtool, %s, "
                    "reads schema %d: measure again",
                    text_of(machine, "version", "0.1"), imgtool_version(), JSON_SCHEMA);
}

static ImgStatus check_envelope(const cJSON *root, ImgError *err)
{
    const char *command = text_of(root, "command", "");
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    if (cJSON_GetObjectItemCaseSensitive(root, "imgtool_bench") != NULL)
        return refuse_old(root, err);
    if (!cJSON_IsNumber(schema) || command[0] == '\0')
        return img_fail(err, IMG_E_FORMAT,
                        "is JSON, but not what 'imgtool bench --json' writes: it has no 'schema' "
                        "or no 'command'");
    if (schema->valuedouble != JSON_SCHEMA)
        return img_fail(err, IMG_E_FORMAT,
                        "is of schema %g, which imgtool %s wrote; this imgtool, %s, reads schema "
                        "%d: measure again",
                        schema->valuedouble, text_of(root, "imgtool", "of another version"),
                        imgtool_version(), JSON_SCHEMA);
    if (strcmp(command, "bench") != 0)
        return img_fail(err, IMG_E_FORMAT,
                        "is what 'imgtool %.32s' wrote; what 'imgtool bench --json' writes can be "
                        "read",
                        command);
    return IMG_OK;
}

static ImgStatus parse(const char *text, size_t length, cJSON **root, ImgError *err)
{
    const char *end = text, *at;
    if (!text_is_utf8((const uint8_t *)text, length))
        return img_fail(err, IMG_E_FORMAT, "is not UTF-8, and so not JSON");
    if (!json_is_shallow(text, length))
        return img_fail(err, IMG_E_FORMAT, "nests deeper than what 'imgtool bench --json' writes");
    *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, 0);
    if (*root == NULL)
        return fail_at(text, end, err);
    for (at = end; at < text + length; at++)
        if (strchr(" \t\r\n", *at) == NULL)
            return fail_at(text, at, err);
    return check_envelope(*root, err);
}

ImgStatus bench_load_text(const char *text, size_t length, BenchReport *report, ImgError *err)
{
    cJSON *root = NULL;
    *report = BENCH_REPORT_NONE;
    ImgStatus status = parse(text, length, &root, err);
    if (status == IMG_OK)
        status = bench_read_report(root, report, err);
    cJSON_Delete(root);
    if (status != IMG_OK)
        bench_report_free(report);
    return status;
}

ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err)
{
    char *text = NULL;
    size_t length = 0;
    ImgError why = {IMG_OK, ""};
    *report = BENCH_REPORT_NONE;
    ImgStatus status = read_file(path, &text, &length, &why);
    if (status == IMG_OK)
        status = bench_load_text(text, length, report, &why);
    free(text);
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s: %s", path, why.message);
}
