/* `imgtool stats FILE...` and `imgtool batch stats FILE...` */
#include "app/args.h"
#include "app/batch/gather.h"
#include "app/batch/stats.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/measure.h"
#include "app/report.h"
#include "app/stats.h"

typedef struct Stats {
    StatsWanted wanted;
    bool csv, full; /* full: all channels of all, as text */
    bool single;
    bool json_lines;     /* an object a line, the total last */
    cJSON *root, *files; /* one object of all */
    bool json_failed;
    size_t printed;
    Total total;
} Stats;

static void print(Stats *stats, const Subject *subject)
{
    const StatsWanted *wanted = &stats->wanted;
    bool first = stats->printed++ == 0;
    if (stats->csv) {
        if (first)
            stats_csv_heading(stdout, wanted);
        stats_csv_rows(stdout, subject, wanted);
    } else if (stats->full) {
        if (!first)
            putchar('\n');
        stats_print_full(stdout, subject, wanted);
    } else {
        if (first)
            stats_print_line_heading(stdout, wanted);
        stats_print_line(stdout, subject, wanted);
    }
}

static ImgStatus print_json_line(Stats *stats, const char *kind, const Subject *subject,
                                 ImgError *err)
{
    bool failed = false;
    cJSON *root = cJSON_CreateObject();
    stats_add_json(root, kind, subject, &stats->wanted, &failed);
    return json_print_line(stdout, root, failed, err);
}

static ImgStatus use_picture(const Measured *measured, void *context, ImgError *err)
{
    Stats *stats = context;
    Subject subject = subject_picture(measured);
    if (stats->json_lines) {
        ImgStatus status = print_json_line(stats, "picture", &subject, err);
        if (status != IMG_OK)
            return status;
    } else if (stats->files != NULL)
        stats_add_json(stats->files, NULL, &subject, &stats->wanted, &stats->json_failed);
    else
        print(stats, &subject);
    return total_add(&stats->total, &measured->tables, err);
}

/* The total of one file would only repeat it, but JSON has it always: programs need not ask. */
static int finish(Stats *stats, int code)
{
    Subject total = subject_total(&stats->total);
    ImgError err = {IMG_OK, ""};
    if (stats->json_lines) {
        if (stats->total.files == 0)
            return code;
        return print_json_line(stats, "total", &total, &err) == IMG_OK ? code
                                                                       : report_failure(&err);
    }
    if (stats->root == NULL) {
        if (!stats->single && stats->total.files > 0)
            print(stats, &total);
        return code;
    }
    if (stats->total.files > 0)
        stats_add_json(stats->root, "total", &total, &stats->wanted, &stats->json_failed);
    else
        json_string(stats->root, "total", NULL, &stats->json_failed);
    return json_print(stdout, stats->root, stats->json_failed, &err) == IMG_OK
               ? code
               : report_failure(&err);
}

static ImgStatus check(const Settings *settings, Stats *stats, ImgError *err)
{
    if (settings->json && settings->csv)
        return img_fail(err, IMG_E_USAGE,
                        "stats: --json and --csv are two forms of one answer; leave one out");
    ImgStatus status = percentiles_parse(settings->percentiles, &stats->wanted.percentiles, err);
    if (status != IMG_OK)
        img_error_prefix(err, "stats");
    return status;
}

static int run(const Settings *settings, const Inputs *inputs, bool json_lines)
{
    ImgError err = {IMG_OK, ""};
    Stats stats = {.wanted = {.luma = (ImgLuma)settings->luma}, .total = TOTAL_NONE};
    if (check(settings, &stats, &err) != IMG_OK)
        return report_failure(&err);
    stats.single = measure_is_single(inputs);
    stats.csv = settings->csv != 0;
    stats.full = stats.single || settings->verbosity >= VERBOSITY_MORE;
    stats.json_lines = json_lines;
    if (settings->json && !json_lines) {
        stats.root = cJSON_CreateObject();
        stats.files = json_array(stats.root, "files", &stats.json_failed);
    }
    int code = finish(&stats, measure_files(settings, inputs, use_picture, &stats));
    total_free(&stats.total);
    return code;
}

int cmd_stats(const Args *args)
{
    const Settings *settings = &args->settings;
    Inputs inputs = INPUTS_NONE;
    for (size_t i = 0; i < args->operand_count; i++)
        inputs_add(&inputs, args->operands[i], settings->recursive != 0);
    int code = run(settings, &inputs, false);
    inputs_free(&inputs);
    return code;
}

/* Options of `batch` that are about outputs. */
static ImgStatus check_batch(const Settings *settings, ImgError *err)
{
    static const char *const of_outputs[] = {"name",  "format",  "in-place",  "resume",
                                             "newer", "dry-run", "fail-fast", "report",
                                             "level", "quality", "strip",     "no-index"};
    for (size_t i = 0; i < sizeof of_outputs / sizeof *of_outputs; i++)
        if (option_given(settings, of_outputs[i]))
            return img_fail(err, IMG_E_USAGE,
                            "batch stats: --%s is about files that are written, and none is; leave "
                            "it out",
                            of_outputs[i]);
    return IMG_OK;
}

int batch_stats(const Args *args)
{
    const Settings *settings = &args->settings;
    ImgError err = {IMG_OK, ""};
    if (check_batch(settings, &err) != IMG_OK)
        return report_failure(&err);
    if (args->operand_count < 2 && settings->from_file == NULL) {
        img_fail(&err, IMG_E_USAGE, "batch stats: INPUT is missing; name files or folders");
        return report_failure(&err);
    }
    interrupt_install();
    Gathered gathered = GATHERED_NONE;
    int code;
    if (gather_inputs(args->operands + 1, args->operand_count - 1, NULL, settings, &gathered,
                      &err) == IMG_OK) {
        interrupt_ask_first(); /* there was nothing to finish before */
        code = run(settings, &gathered.inputs, settings->json != 0);
    } else {
        img_error_prefix(&err, "batch stats");
        code = report_failure(&err);
    }
    inputs_free(&gathered.inputs);
    interrupt_finish();
    return code;
}
