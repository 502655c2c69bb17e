/* A report out of a file that may hold anything: read, parsed, checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/print/json.h"
#include "app/bench/print/json_read.h"

enum { MOST_BYTES = 64 * 1000 * 1000 };

/* Zeros follow the text: cJSON 1.7.15 looks one byte too far where it ends after a comma. */
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
            status = img_fail(err, IMG_E_LIMIT, "is larger than 64 MB, which no benchmark is");
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
    return img_fail(err, IMG_E_FORMAT, "is no JSON, or is cut off: line %zu makes no sense", line);
}

static ImgStatus parse(const char *text, size_t length, cJSON **root, ImgError *err)
{
    const char *end = text, *at;
    *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, 0);
    if (*root == NULL)
        return fail_at(text, end, err);
    for (at = end; at < text + length; at++)
        if (strchr(" \t\r\n", *at) == NULL)
            return fail_at(text, at, err);
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(*root, "imgtool_bench");
    if (!cJSON_IsNumber(format))
        return img_fail(err, IMG_E_FORMAT,
                        "is JSON, but not what 'imgtool bench --json' writes: it has no number "
                        "'imgtool_bench'");
    if (format->valuedouble != BENCH_JSON_FORMAT)
        return img_fail(err, IMG_E_FORMAT,
                        "is of format %g of 'imgtool bench --json'; this imgtool reads format %d",
                        format->valuedouble, BENCH_JSON_FORMAT);
    return IMG_OK;
}

ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err)
{
    char *text = NULL;
    size_t length = 0;
    cJSON *root = NULL;
    ImgError why = {IMG_OK, ""};
    *report = BENCH_REPORT_NONE;
    ImgStatus status = read_file(path, &text, &length, &why);
    if (status == IMG_OK)
        status = parse(text, length, &root, &why);
    if (status == IMG_OK) {
        Reader reader = {.err = &why};
        bench_read_report(&reader, root, report);
        status = reader.failed ? why.status : IMG_OK;
    }
    cJSON_Delete(root);
    free(text);
    if (status == IMG_OK)
        return IMG_OK;
    bench_report_free(report);
    return img_fail(err, status, "%s: %s", path, why.message);
}
