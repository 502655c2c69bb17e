#include "app/bench/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bench/changes/compare.h"
#include "app/bench/export/export.h"
#include "app/bench/print/text.h"
#include "app/cli/exit_code.h"
#include "app/helper/helper.h"
#include "app/helper/plot_child.h"
#include "app/helper/plot_file.h"
#include "app/term/status_line.h"
#include "app/term/terminal.h"
#include "app/text/json.h"
#include "app/text/paths.h"
#include "app/text/streams.h"

static BenchStyle style_of_stdout(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    bool plain =
        (no_color != NULL && no_color[0] != '\0') || (term != NULL && strcmp(term, "dumb") == 0);
    size_t width = (size_t)terminal_width();
    return (BenchStyle){.color = isatty(STDOUT_FILENO) && !plain,
                        .utf8 = terminal_utf8(),
                        .width = width > BENCH_LINE ? width : BENCH_LINE};
}

static bool is_text(const Settings *settings)
{
    return !settings->json && !settings->csv && !settings->markdown;
}

static ImgStatus check_plot(const Settings *settings, ImgError *err)
{
    if (settings->plot == NULL)
        return IMG_OK;
    if (strcmp(settings->plot, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --plot - would mix the picture with the figures; name a file");
    if (plot_file_check(settings->plot, NULL) != IMG_OK)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --plot '%s' is neither PNG nor SVG; its name must end in .png or "
                        ".svg",
                        settings->plot);
    return settings->profile ? img_fail(err, IMG_E_USAGE,
                                        "bench: --profile measures nothing that --plot could draw")
                             : IMG_OK;
}

ImgStatus bench_output_check(const Settings *settings, ImgError *err)
{
    if (settings->json + settings->csv + settings->markdown > 1)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --json, --csv and --markdown exclude each other; choose one");
    if (settings->old_report != NULL && settings->csv)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --compare prints text, --json or --markdown, not --csv");
    return check_plot(settings, err);
}

/* Rejects --plot if it names the same file as `input`, even by another path, because the plot would
 * replace that file. */
static ImgStatus check_spared(const Settings *settings, const char *input, ImgError *err)
{
    struct stat plotted;
    if (settings->plot == NULL || input == NULL || stat(settings->plot, &plotted) != 0 ||
        !path_leads_to(input, &plotted))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "bench: --plot '%s' would replace '%s', which is read; name another file",
                    settings->plot, input);
}

static ImgStatus check_inputs(const Settings *settings, ImgError *err)
{
    const char *const inputs[] = {settings->image, settings->old_report, settings->loaded_report};
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && status == IMG_OK; i++)
        status = check_spared(settings, inputs[i], err);
    return status;
}

ImgStatus bench_output_open(const Settings *settings, BenchOutput *output, ImgError *err)
{
    *output = (BenchOutput){.settings = settings, .old = BENCH_REPORT_NONE};
    ImgStatus status = check_inputs(settings, err);
    if (status == IMG_OK)
        status = plot_file_try(settings->plot, err);
    if (status == IMG_OK && settings->plot != NULL)
        status = helper_find(HELPER_PLOT, output->plotter, err);
    if (status == IMG_OK && settings->old_report != NULL)
        status = bench_load(settings->old_report, &output->old, err);
    output->compares = status == IMG_OK && settings->old_report != NULL;
    return status;
}

void bench_output_close(BenchOutput *output)
{
    bench_report_free(&output->old);
}

void bench_output_progress(const Settings *settings, const char *what)
{
    if (what == NULL)
        status_line_clear();
    else if (settings->engine.verbosity >= VERBOSITY_NORMAL)
        status_line_show(what);
}

void bench_output_begin(const Settings *settings, const BenchMachine *machine)
{
    BenchStyle style = style_of_stdout();
    if (!is_text(settings))
        return;
    bench_output_progress(settings, NULL);
    bench_print_machine(stdout, machine, &style);
    img_streams_flush_stdout();
}

static bool same_experiment(const BenchGroup *a, const BenchGroup *b)
{
    return a->section == BENCH_LAB && b->section == BENCH_LAB &&
           strcmp(a->heading, b->heading) == 0;
}

/* Prints all groups of one experiment, up to the group with the index `last`. */
static void print_experiment(const BenchReport *report, size_t last, const BenchStyle *style)
{
    size_t first = last;
    while (first > 0 && same_experiment(&report->groups[first - 1], &report->groups[last]))
        first--;
    bench_print_experiment(stdout, report->groups + first, last + 1 - first, style);
}

static bool is_compact(const Settings *settings, const BenchGroup *group)
{
    return group->section == BENCH_LAB && settings->engine.verbosity <= VERBOSITY_NORMAL;
}

void bench_output_group(const Settings *settings, const BenchReport *report, size_t index)
{
    BenchStyle style = style_of_stdout();
    const BenchGroup *group = &report->groups[index];
    if (!is_text(settings))
        return;
    bench_output_progress(settings, NULL);
    if (index > 0 && is_compact(settings, &group[-1]) && !same_experiment(&group[-1], group))
        print_experiment(report, index - 1, &style);
    if (!is_compact(settings, group))
        bench_print_group(stdout, group, &style);
    img_streams_flush_stdout();
}

int bench_exit_code(const BenchReport *report)
{
    for (size_t g = 0; g < report->group_count; g++)
        for (size_t r = 0; r < report->groups[g].count; r++)
            if (report->groups[g].rows[r].verdict == BENCH_FAILED)
                return CLI_MISMATCH;
    return bench_report_failed(report) ? CLI_SOME_FAILED : CLI_OK;
}

static void end_text(const BenchOutput *output, const BenchReport *report)
{
    BenchStyle style = style_of_stdout();
    size_t count = report->group_count;
    if (count > 0 && is_compact(output->settings, &report->groups[count - 1]))
        print_experiment(report, count - 1, &style);
    if (report->job_count > 0)
        bench_print_jobs(stdout, report, &style);
    bench_print_end(stdout, report, &style);
    if (output->compares)
        (void)bench_print_comparison(stdout, &output->old, report, &style);
}

static ImgStatus end_json(const BenchOutput *output, const BenchReport *report, ImgError *err)
{
    bool failed = false;
    cJSON *root = bench_json(report, &failed);
    if (!output->compares)
        json_null(root, "comparison", &failed);
    else
        bench_add_comparison_json(root, &output->old, report, &failed);
    return json_print(stdout, root, failed, err);
}

static ImgStatus report_text(const BenchReport *report, PlotBytes *text, ImgError *err)
{
    char *data = NULL;
    FILE *out = open_memstream(&data, &text->size);
    if (out == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = bench_print_json(out, report, err);
    if ((fclose(out) != 0 || data == NULL) && status == IMG_OK)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    text->data = (uint8_t *)data;
    return status;
}

/* Draws the plot in another process, imgtool-plot (app/helper/plot_child.h). */
static ImgStatus draw(const BenchOutput *output, const BenchReport *report, ImgError *err)
{
    const Settings *settings = output->settings;
    PlotBytes text = PLOT_BYTES_NONE;
    ImgStatus status = report_text(report, &text, err);
    if (status == IMG_OK)
        status = plot_child_draw(output->plotter, PLOT_CHILD_BENCH, &text, settings->plot, err);
    free(text.data);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", settings->plot);
    return status;
}

ImgStatus bench_output_end(const BenchOutput *output, const BenchReport *report, ImgError *err)
{
    const Settings *settings = output->settings;
    ImgStatus status = IMG_OK;
    if (settings->json) {
        status = end_json(output, report, err);
    } else if (settings->csv) {
        bench_print_csv(stdout, report);
    } else if (settings->markdown) {
        bench_print_markdown(stdout, report);
        if (output->compares)
            (void)bench_print_comparison(stdout, &output->old, report, NULL);
    } else {
        end_text(output, report);
    }
    img_streams_flush_stdout();
    if (status == IMG_OK && settings->plot != NULL)
        status = draw(output, report, err);
    return status;
}
