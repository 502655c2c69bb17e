/* Runs `imgtool histogram FILE...`. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/commands/shared.h"
#include "app/files/gather.h"
#include "app/helper/helper.h"
#include "app/helper/plot_child.h"
#include "app/helper/plot_request.h"
#include "app/stats/histogram.h"
#include "app/stats/measure.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/term/terminal.h"
#include "app/text/csv.h"
#include "app/text/paths.h"
#include "app/text/streams.h"

typedef struct Output {
    const Settings *settings;
    const char *helper; /* path of imgtool-plot; NULL: no plot */
    ImgLuma luma;
    ChartStyle style;
    bool text; /* the histograms are printed as text */
    /* With --json: the document and its array of files, or NULL if memory was short. */
    cJSON *root, *files;
    bool json_failed;
    size_t printed;
    Total total;
} Output;

static void print(Output *output, const Histogram *histogram)
{
    bool first = output->printed++ == 0;
    if (output->settings->csv) {
        if (first)
            histogram_csv_heading(stdout);
        histogram_csv_rows(stdout, histogram);
    } else if (output->text) {
        if (!first)
            putchar('\n');
        histogram_print(stdout, histogram, output->luma, &output->style);
    }
}

static void add_json(Output *output, const Histogram *histogram)
{
    cJSON *object = json_object(output->files, NULL, &output->json_failed);
    histogram_add_json(object, histogram, output->luma, &output->json_failed);
}

static ImgStatus use_picture(const Measured *measured, void *context, ImgError *err)
{
    Output *output = context;
    Histogram histogram;
    Subject subject = subject_picture(measured);
    ImgStatus status = histogram_make(&subject, (uint32_t)output->settings->bins, &histogram, err);
    if (status != IMG_OK)
        return status;
    status = total_add(&output->total, &measured->tables, err);
    if (status == IMG_OK && output->settings->json)
        add_json(output, &histogram);
    else if (status == IMG_OK)
        print(output, &histogram);
    histogram_free(&histogram);
    return status;
}

/* Adds to the JSON document an object for a file that failed, so that every file has one. */
static void use_failure(const Measured *measured, const ImgError *failure, void *context)
{
    Output *output = context;
    Histogram none = HISTOGRAM_NONE;
    none.subject = subject_failed(measured, failure);
    if (output->settings->json)
        add_json(output, &none);
}

/* Draws the plot. Leaves out alpha, since its single tall bar would make all others invisible. */
static ImgStatus plot(const Output *output, const Histogram *total, const char *title,
                      ImgError *err)
{
    PlotSeries series[CHANNEL_COUNT];
    size_t count = 0;
    for (int c = 0; c < CHANNEL_COUNT; c++)
        if (total->of[c] != NULL && c != CHANNEL_ALPHA)
            series[count++] = (PlotSeries){channel_name((Channel)c), total->of[c]};
    PlotHistogram what = {
        .title = title,
        .series = series,
        .series_count = count,
        .bins = (int)total->bins,
        .maximum = (UINT32_C(1) << total->subject.tables.bits) - 1,
        .pixels = total->subject.tables.pixels,
        .log_scale = output->settings->log_scale != 0,
    };
    PlotBytes request;
    ImgStatus status = plot_request_pack(&what, &request, err);
    if (status == IMG_OK)
        status = plot_child_draw(output->helper, PLOT_CHILD_HISTOGRAM, &request,
                                 output->settings->plot, err);
    free(request.data);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_output_name(output->settings->plot));
    return status;
}

/* Prints the total of all files, adds it to the JSON document, and draws it. `title` is the name of
 * the file; NULL if there are several. */
static ImgStatus use_total(Output *output, const char *title, ImgError *err)
{
    Histogram total = HISTOGRAM_NONE;
    Subject subject = subject_total(&output->total);
    char several[64];
    snprintf(several, sizeof several, "total of %zu files", subject.files);
    ImgStatus status = IMG_OK;
    if (subject.files > 0)
        status = histogram_make(&subject, (uint32_t)output->settings->bins, &total, err);
    output->json_failed |= status != IMG_OK;
    if (status == IMG_OK && output->settings->json)
        histogram_add_json(json_object(output->root, "total", &output->json_failed), &total,
                           output->luma, &output->json_failed);
    else if (status == IMG_OK && subject.files > 0 && title == NULL)
        print(output, &total);
    if (status == IMG_OK && subject.files > 0 && output->settings->plot != NULL)
        status = plot(output, &total, title != NULL ? title : several, err);
    histogram_free(&total);
    return status;
}

static int finish(Output *output, const char *title, int code)
{
    ImgError err = {IMG_OK, ""}, late = {IMG_OK, ""};
    if (use_total(output, title, &err) != IMG_OK)
        code = report_failure(&err);
    if (output->settings->json &&
        json_print(stdout, output->root, output->json_failed, &late) != IMG_OK)
        code = report_failure(&late);
    return code;
}

static ImgStatus check(const Settings *settings, ImgError *err)
{
    if (settings->json && settings->csv)
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --json and --csv exclude each other; leave one out");
    if (settings->plot == NULL && settings->log_scale && (settings->json || settings->csv))
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --log applies to charts, and --%s prints the counts "
                        "themselves; leave one out",
                        settings->json ? "json" : "csv");
    if (settings->plot == NULL)
        return IMG_OK;
    if (strcmp(settings->plot, "-") == 0 && (settings->json || settings->csv))
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --plot - would mix the picture with what --%s prints; name a "
                        "file",
                        settings->json ? "json" : "csv");
    if (plot_file_check(settings->plot, NULL) != IMG_OK)
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --plot '%s' is neither PNG nor SVG; its name must end in .png "
                        "or .svg",
                        settings->plot);
    return IMG_OK;
}

/* Rejects a plot that would overwrite one of the pictures, as a typing error could. */
static ImgStatus check_plot_is_no_input(const char *path, const Inputs *inputs, ImgError *err)
{
    struct stat plotted;
    if (path == NULL || strcmp(path, "-") == 0 || stat(path, &plotted) != 0)
        return IMG_OK;
    for (size_t i = 0; i < inputs->count; i++)
        if (path_leads_to(inputs->paths[i], &plotted))
            return img_fail(err, IMG_E_USAGE,
                            "%s: is one of the pictures, and the plot would replace it; name "
                            "another file after --plot",
                            path);
    return IMG_OK;
}

static int run(const Args *args, const Inputs *inputs, void *context)
{
    (void)context;
    const Settings *settings = &args->settings;
    ImgError err = {IMG_OK, ""};
    char helper[PATH_MAX];
    if (check_plot_is_no_input(settings->plot, inputs, &err) != IMG_OK ||
        plot_file_try(settings->plot, &err) != IMG_OK ||
        (settings->plot != NULL && helper_find(HELPER_PLOT, helper, &err) != IMG_OK))
        return report_failure(&err);
    Output output = {
        .settings = settings,
        .helper = settings->plot != NULL ? helper : NULL,
        .luma = (ImgLuma)settings->luma,
        .style = {terminal_width(), terminal_utf8(), settings->log_scale != 0},
        .text = !settings->json && settings->plot == NULL &&
                settings->engine.verbosity >= VERBOSITY_NORMAL,
        .total = TOTAL_NONE,
    };
    const MeasureHandlers handlers = {use_picture, use_failure, &output};
    if (settings->json) {
        output.root = json_document("histogram", "document", &output.json_failed);
        output.files = json_array(output.root, "files", &output.json_failed);
        failed_inputs_add_json(output.root, &inputs->failed, &output.json_failed);
    }
    const char *title = measure_is_single(inputs) && inputs->count == 1
                            ? img_streams_input_name(inputs->paths[0])
                            : NULL;
    Sandbox sandbox = {.may_use_gpu = true, .for_many = true};
    Inputs readable = *inputs;
    if (settings->plot == NULL)
        readable = inputs_in_sandbox(inputs, settings, &sandbox);
    else
        sandbox_leave_out("another program draws --plot");
    int code = finish(&output, title, measure_files(settings, &readable, &handlers));
    sandbox_free(&sandbox);
    total_free(&output.total);
    return code;
}

int cmd_histogram(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    if (check(&args->settings, &err) != IMG_OK)
        return report_failure(&err);
    interrupt_install();
    csv_begin(stdout);
    return inputs_run(args, args->operand_count, run, NULL);
}
