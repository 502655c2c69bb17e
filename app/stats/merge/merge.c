#include "app/stats/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "app/cli/exit_code.h"
#include "app/stats/stats.h"
#include "app/term/messages.h"
#include "app/text/json_lines.h"

typedef struct Merge {
    const char *const *paths;
    JsonLines files, errors;
    Total total;
    BatchParts parts;
    /* Values of the options in the first part. "": the option was not given; NULL: not yet read. */
    char *luma, *percentiles;
    bool skips_transparent; /* true if the first part was counted with --skip-transparent */
    size_t counted;         /* number of parts whose counts were read */
    bool failed;            /* at least one file failed */
} Merge;

/* Fails with IMG_E_FORMAT if part number `source` was counted with another value of `option` than
 * the first part. `found` is the value in part `source`, or NULL if the option was not given. The
 * first call, for the first part, stores this value in *first. */
static ImgStatus agree(Merge *merge, size_t source, const char *option, char **first,
                       const char *found, ImgError *err)
{
    if (found == NULL)
        found = "";
    if (*first == NULL && (*first = strdup(found)) == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (strcmp(*first, found) == 0)
        return IMG_OK;
    return img_fail(err, IMG_E_FORMAT,
                    "%s was counted with --%s %s, and %s with %s; count them alike",
                    merge->paths[0], option, **first != '\0' ? *first : "none",
                    merge->paths[source], *found != '\0' ? found : "none");
}

static ImgStatus agree_on_pixels(Merge *merge, size_t source, bool skips, ImgError *err)
{
    if (merge->counted == 1)
        merge->skips_transparent = skips;
    return skips == merge->skips_transparent
               ? IMG_OK
               : img_fail(
                     err, IMG_E_FORMAT,
                     "%s was counted with --skip-transparent, and %s without; count them alike",
                     merge->paths[skips ? source : 0], merge->paths[skips ? 0 : source]);
}

static ImgStatus add_counts(Merge *merge, size_t source, const cJSON *line, ImgError *err)
{
    merge->counted++;
    if (agree_on_pixels(merge, source, json_line_bool(line, "skip_transparent"), err) == IMG_OK &&
        agree(merge, source, "luma", &merge->luma, json_line_string(line, "luma_weights"), err) ==
            IMG_OK &&
        agree(merge, source, "percentiles", &merge->percentiles,
              json_line_string(line, "percentiles"), err) == IMG_OK &&
        counts_line_add(line, &merge->total, err) != IMG_OK)
        img_error_prefix(err, "%s", merge->paths[source]);
    return err->status;
}

static ImgStatus take_line(void *context, size_t source, const char *text, const cJSON *line,
                           ImgError *err)
{
    Merge *merge = context;
    if (json_line_is(line, "file")) {
        const char *status = json_line_string(line, "status");
        merge->failed |= status == NULL || strcmp(status, "done") != 0;
        return json_lines_keep(&merge->files, source, text, line, 0, err);
    }
    if (json_line_is(line, "error")) {
        merge->failed = true;
        return json_lines_keep(&merge->errors, source, text, line, 0, err);
    }
    if (!json_line_is(line, "counts"))
        return IMG_OK;
    const ImgStatus status = batch_parts_note(&merge->parts, line, err);
    return status == IMG_OK ? add_counts(merge, source, line, err) : status;
}

static ImgStatus read_parts(Merge *merge, size_t count, ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        ImgStatus status =
            json_lines_read(merge->paths[i], "batch stats", i, take_line, merge, err);
        if (status == IMG_OK && merge->counted != i + 1)
            status = img_fail(err, IMG_E_FORMAT,
                              "%s: has no counts of one part; it was not written by 'batch stats "
                              "--shard I/N --json', or is incomplete",
                              merge->paths[i]);
        if (status != IMG_OK)
            return status;
    }
    return IMG_OK;
}

/* Fails with IMG_E_FORMAT if the outputs that were read do not cover all parts of the batch. */
static ImgStatus check_all(Merge *merge, ImgError *err)
{
    char text[BATCH_PARTS_TEXT];
    const char *missing = batch_parts_missing(&merge->parts, text);
    return missing == NULL
               ? IMG_OK
               : img_fail(err, IMG_E_FORMAT, "%s: missing; name the output of all parts", missing);
}

/* Fails with IMG_E_FORMAT if two lines of merge->files have the same path, because the pixels of
 * that file were then counted twice. The lines must be sorted by path. */
static ImgStatus check_once(const Merge *merge, ImgError *err)
{
    const JsonLine *list = merge->files.list;
    for (size_t i = 1; i < merge->files.count; i++)
        if (strcmp(list[i - 1].path, list[i].path) == 0)
            return img_fail(err, IMG_E_FORMAT, "%s was counted twice: in %s and in %s",
                            list[i].path, merge->paths[list[i - 1].source],
                            merge->paths[list[i].source]);
    return IMG_OK;
}

static ImgStatus print_json(const Merge *merge, const Subject *total, const StatsWanted *wanted,
                            ImgError *err)
{
    bool failed = false;
    for (size_t i = 0; i < merge->errors.count; i++)
        if (i == 0 || strcmp(merge->errors.list[i - 1].text, merge->errors.list[i].text) != 0)
            puts(merge->errors.list[i].text);
    for (size_t i = 0; i < merge->files.count; i++)
        puts(merge->files.list[i].text);
    cJSON *root = json_document("batch stats", "total", &failed);
    stats_add_json(root, total, wanted, &failed);
    return json_print_line(stdout, root, failed, err);
}

static ImgLuma luma_of(const char *name)
{
    ImgLuma luma = IMG_LUMA_709;
    if (*name == '\0')
        return IMG_LUMA_NONE;
    return strcmp(name, luma_name(luma)) == 0 ? luma : IMG_LUMA_601;
}

static ImgStatus print(const Merge *merge, const Settings *settings, ImgError *err)
{
    StatsWanted wanted = {.luma = luma_of(merge->luma)};
    Subject total = subject_total(&merge->total);
    const char *list = *merge->percentiles != '\0' ? merge->percentiles : NULL;
    ImgStatus status = percentiles_parse(list, &wanted.percentiles, err);
    if (status != IMG_OK)
        return status;
    if (settings->json)
        return print_json(merge, &total, &wanted, err);
    if (settings->csv) {
        stats_csv_heading(stdout, &wanted);
        stats_csv_rows(stdout, &total, &wanted);
    } else if (total.files > 0 && settings->engine.verbosity >= VERBOSITY_NORMAL) {
        stats_print_full(stdout, &total, &wanted);
    }
    return IMG_OK;
}

int stats_merge(const char *const *paths, size_t count, const Settings *settings)
{
    Merge merge = {.paths = paths, .total = TOTAL_NONE};
    ImgError err = {IMG_OK, ""};
    ImgStatus status = IMG_OK;
    if (settings->json && settings->csv)
        status = img_fail(&err, IMG_E_USAGE, "--json and --csv exclude each other; leave one out");
    if (status == IMG_OK)
        status = read_parts(&merge, count, &err);
    json_lines_sort(&merge.files);
    json_lines_sort(&merge.errors);
    if (status == IMG_OK)
        status = check_once(&merge, &err);
    if (status == IMG_OK)
        status = check_all(&merge, &err);
    if (status == IMG_OK)
        status = print(&merge, settings, &err);
    json_lines_free(&merge.files);
    json_lines_free(&merge.errors);
    batch_parts_free(&merge.parts);
    total_free(&merge.total);
    free(merge.luma);
    free(merge.percentiles);
    if (status != IMG_OK) {
        img_error_prefix(&err, "stats merge");
        return report_failure(&err);
    }
    return merge.failed ? CLI_SOME_FAILED : CLI_OK;
}
