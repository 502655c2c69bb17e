/* Runs `imgtool stats FILE...` and `imgtool batch stats FILE...`. */
#include <string.h>

#include "app/batch/shard/share.h"
#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/commands/shared.h"
#include "app/files/gather.h"
#include "app/stats/measure.h"
#include "app/stats/merge/merge.h"
#include "app/stats/stats.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/csv.h"

typedef enum Form {
    FORM_NONE,  /* nothing is printed: --quiet without CSV or JSON */
    FORM_LINES, /* text: one line per picture, or three for a colour picture without luma */
    FORM_FULL,  /* text: all channels of every file */
    FORM_CSV,
    FORM_JSON,       /* a single JSON document for all files */
    FORM_JSON_LINES, /* JSON, one document per line: the files, then the total */
} Form;

typedef struct Stats {
    StatsWanted wanted;
    Form form;
    bool single;
    const Settings *settings;
    BatchPart part; /* the part of the batch; its count is 0 if the batch is not split */
    /* With FORM_JSON: the document and its array of files, or NULL if memory was short. */
    cJSON *root, *files;
    bool json_failed;
    size_t printed;
    size_t tried; /* number of files that were measured, or reported as failed */
    Total total;
} Stats;

static void print(Stats *stats, const Subject *subject)
{
    const StatsWanted *wanted = &stats->wanted;
    bool first = stats->printed++ == 0;
    if (stats->form == FORM_CSV) {
        if (first)
            stats_csv_heading(stdout, wanted);
        stats_csv_rows(stdout, subject, wanted);
    } else if (stats->form == FORM_NONE) {
        return;
    } else if (stats->form == FORM_FULL) {
        if (!first)
            putchar('\n');
        stats_print_full(stdout, subject, wanted);
    } else {
        if (first)
            stats_print_line_heading(stdout, wanted);
        stats_print_line(stdout, subject, wanted);
    }
}

static ImgStatus print_json_line(const Stats *stats, const char *type, const Subject *subject,
                                 ImgError *err)
{
    bool failed = false;
    cJSON *root = json_document("batch stats", type, &failed);
    stats_add_json(root, subject, &stats->wanted, &failed);
    return json_print_line(stdout, root, failed, err);
}

static ImgStatus use_subject(Stats *stats, const Subject *subject, ImgError *err)
{
    switch (stats->form) {
    case FORM_JSON_LINES:
        return print_json_line(stats, "file", subject, err);
    case FORM_JSON:
        stats_add_json(json_object(stats->files, NULL, &stats->json_failed), subject,
                       &stats->wanted, &stats->json_failed);
        return IMG_OK;
    default:
        print(stats, subject);
        return IMG_OK;
    }
}

static ImgStatus use_picture(const Measured *measured, void *context, ImgError *err)
{
    Stats *stats = context;
    Subject subject = subject_picture(measured);
    ImgStatus status = total_add(&stats->total, &measured->tables, err);
    if (status == IMG_OK)
        status = use_subject(stats, &subject, err);
    stats->tried += status == IMG_OK;
    return status;
}

/* In CSV and JSON, prints a row or object for a file that failed. */
static void use_failure(const Measured *measured, const ImgError *failure, void *context)
{
    Stats *stats = context;
    Subject subject = subject_failed(measured, failure);
    ImgError err = {IMG_OK, ""};
    stats->tried++;
    if ((stats->form == FORM_JSON || stats->form == FORM_JSON_LINES || stats->form == FORM_CSV) &&
        use_subject(stats, &subject, &err) != IMG_OK)
        (void)report_failure(&err);
}

/* Prints the total. Text has no total if there is only one file, since it would repeat the same
 * figures; JSON always has one. The counts for 'stats merge' are printed only if the part is
 * complete (`whole`). Otherwise merged figures would be wrong without any sign of it. */
static ImgStatus use_total(Stats *stats, bool whole, ImgError *err)
{
    Subject total = subject_total(&stats->total);
    switch (stats->form) {
    case FORM_JSON_LINES:
        if (stats->part.count > 0 && whole &&
            counts_line_print(&stats->total, stats->part, stats->settings, err) != IMG_OK)
            return err->status;
        return print_json_line(stats, "total", &total, err);
    case FORM_JSON:
        stats_add_json(json_object(stats->root, "total", &stats->json_failed), &total,
                       &stats->wanted, &stats->json_failed);
        return json_print(stdout, stats->root, stats->json_failed, err);
    default:
        if (!stats->single && stats->total.files > 0)
            print(stats, &total);
        return IMG_OK;
    }
}

static ImgStatus check(const Settings *settings, Stats *stats, ImgError *err)
{
    if (settings->json && settings->csv)
        return img_fail(err, IMG_E_USAGE,
                        "stats: --json and --csv exclude each other; leave one out");
    ImgStatus status = percentiles_parse(settings->percentiles, &stats->wanted.percentiles, err);
    if (status != IMG_OK)
        img_error_prefix(err, "stats");
    return status;
}

static Form choose_form(const Settings *settings, bool single, bool json_lines)
{
    if (settings->json)
        return json_lines ? FORM_JSON_LINES : FORM_JSON;
    if (settings->csv)
        return FORM_CSV;
    if (settings->engine.verbosity < VERBOSITY_NORMAL)
        return FORM_NONE;
    return single || settings->engine.verbosity >= VERBOSITY_MORE ? FORM_FULL : FORM_LINES;
}

/* In JSON, adds an object for each input in which no file was found (FailedInputs). */
static ImgStatus use_failed_inputs(Stats *stats, const FailedInputs *inputs, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (stats->form == FORM_JSON)
        failed_inputs_add_json(stats->root, inputs, &stats->json_failed);
    if (stats->form == FORM_JSON_LINES)
        status = failed_inputs_check(inputs, err);
    for (size_t i = 0; stats->form == FORM_JSON_LINES && i < inputs->count && status == IMG_OK;
         i++) {
        bool failed = false;
        cJSON *line = failed_input_line("batch stats", &inputs->list[i], &failed);
        status = json_print_line(stdout, line, failed, err);
    }
    return status;
}

static void begin_json(Stats *stats)
{
    stats->root = json_document("stats", "document", &stats->json_failed);
    stats->files = json_array(stats->root, "files", &stats->json_failed);
}

static int run(const Settings *settings, const Inputs *inputs, BatchPart part, bool json_lines)
{
    ImgError err = {IMG_OK, ""};
    Stats stats = {.settings = settings,
                   .part = part,
                   .wanted = {.luma = (ImgLuma)settings->luma},
                   .total = TOTAL_NONE};
    const MeasureHandlers handlers = {use_picture, use_failure, &stats};
    if (check(settings, &stats, &err) != IMG_OK)
        return report_failure(&err);
    stats.single = measure_is_single(inputs);
    stats.form = choose_form(settings, stats.single, json_lines);
    if (stats.form == FORM_JSON)
        begin_json(&stats);
    if (use_failed_inputs(&stats, &inputs->failed, &err) != IMG_OK)
        return report_failure(&err);
    int code = measure_files(settings, inputs, &handlers);
    if (use_total(&stats, stats.tried == inputs->count, &err) != IMG_OK)
        code = report_failure(&err);
    total_free(&stats.total);
    return code;
}

static int merge(const Args *args)
{
    static const char *const options[] = {"json", "csv", "quiet", "verbose", "no-sandbox", NULL};
    ImgError err = {IMG_OK, ""};
    if (options_check_only(&args->settings, "stats merge", options, &err) != IMG_OK)
        return report_failure(&err);
    Sandbox sandbox = {.may_use_gpu = false};
    const size_t count = args->operand_count - 1;
    char *const *paths = sandbox_paths(&sandbox, (char *const *)args->operands + 1, count);
    sandbox_enter(&sandbox, &args->settings);
    const int code = stats_merge((const char *const *)paths, count, &args->settings);
    sandbox_free(&sandbox);
    return code;
}

static int run_in_sandbox(const Args *args, const Inputs *inputs, void *context)
{
    (void)context;
    Sandbox sandbox = {.may_use_gpu = true, .for_many = true};
    const Inputs readable = inputs_in_sandbox(inputs, &args->settings, &sandbox);
    const int code = run(&args->settings, &readable, (BatchPart){0, 0}, false);
    sandbox_free(&sandbox);
    return code;
}

int cmd_stats(const Args *args)
{
    csv_begin(stdout);
    if (args->operand_count > 1 && strcmp(args->operands[0], "merge") == 0)
        return merge(args);
    return inputs_run(args, args->operand_count, run_in_sandbox, NULL);
}

/* Rejects options of `batch` that concern outputs. */
static ImgStatus check_batch(const Settings *settings, ImgError *err)
{
    static const char *const of_outputs[] = {
        "name",       "format",    "in-place", "resume",   "newer",
        "dry-run",    "fail-fast", "report",   "level",    "quality",
        "strip",      "no-index",  "force",    "preserve", "backup",
        "no-clobber", "no-record", "steal",    "grace",    "quiet-unless-failed"};
    for (size_t i = 0; i < sizeof of_outputs / sizeof *of_outputs; i++)
        if (option_given(settings, of_outputs[i]))
            return img_fail(
                err, IMG_E_USAGE,
                "batch stats: --%s has no effect, as no picture is written; leave it out",
                of_outputs[i]);
    return IMG_OK;
}

int batch_stats(const Args *args)
{
    Settings own = args->settings;
    own.engine.only_files = true; /* an input may have become a pipe since it was listed */
    const Settings *settings = &own;
    ImgError err = {IMG_OK, ""};
    if (check_batch(settings, &err) != IMG_OK)
        return report_failure(&err);
    if (args->operand_count < 2 && settings->from_file == NULL) {
        img_fail(&err, IMG_E_USAGE, "batch stats: INPUT is missing; name files or directories");
        return report_failure(&err);
    }
    interrupt_install();
    Shard shard;
    Gathered gathered = GATHERED_NONE;
    int code;
    if (shard_find(settings, &shard, &err) == IMG_OK &&
        gather_inputs(args->operands + 1, args->operand_count - 1, NULL, settings, &gathered,
                      &err) == IMG_OK &&
        (shard.count == 0 ||
         share_take_inputs(&gathered.inputs, &shard, settings, &err) == IMG_OK)) {
        interrupt_defer_first(); /* Before this call there are no files in progress that an
                                    interrupt should let finish. */
        inputs_note_left_out(&gathered.inputs, settings);
        code = run(settings, &gathered.inputs, (BatchPart){shard.index + 1, shard.count}, true);
    } else {
        img_error_prefix(&err, "batch stats");
        code = report_failure(&err);
    }
    inputs_free(&gathered.inputs);
    interrupt_finish();
    return code;
}
