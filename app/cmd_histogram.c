/* `imgtool histogram FILE...` */
#include <string.h>
#include <sys/stat.h>

#include "app/args.h"
#include "app/exit_code.h"
#include "app/histogram.h"
#include "app/interrupt.h"
#include "app/measure.h"
#include "app/plot/histogram.h"
#include "app/plot/page.h"
#include "app/report.h"
#include "app/terminal.h"

typedef struct Output {
    const Settings *settings;
    ImgLuma luma;
    ChartStyle style;
    bool text;           /* nothing else is asked for */
    cJSON *root, *files; /* --json only */
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

static ImgStatus use_picture(const Measured *measured, void *context, ImgError *err)
{
    Output *output = context;
    Histogram histogram;
    Subject subject = subject_picture(measured);
    ImgStatus status = histogram_make(&subject, (uint32_t)output->settings->bins, &histogram, err);
    if (status != IMG_OK)
        return status;
    if (output->files != NULL)
        histogram_add_json(output->files, NULL, &histogram, output->luma, &output->json_failed);
    else
        print(output, &histogram);
    histogram_free(&histogram);
    return total_add(&output->total, &measured->tables, err);
}

/* Alpha is left out: it mostly is one tall bar, beside which nothing else could be seen. */
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
    ImgStatus status = plot_histogram(&what, output->settings->plot, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", report_output_name(output->settings->plot));
    return status;
}

/* Everything that is about all files together. `title` is the one file's, NULL for several. */
static ImgStatus use_total(Output *output, const char *title, ImgError *err)
{
    Histogram total = HISTOGRAM_NONE;
    Subject subject = subject_total(&output->total);
    char several[64];
    snprintf(several, sizeof several, "total of %zu files", subject.files);
    ImgStatus status = histogram_make(&subject, (uint32_t)output->settings->bins, &total, err);
    if (status == IMG_OK && output->root != NULL)
        histogram_add_json(output->root, "total", &total, output->luma, &output->json_failed);
    else if (status == IMG_OK && title == NULL)
        print(output, &total);
    if (status == IMG_OK && output->settings->plot != NULL)
        status = plot(output, &total, title != NULL ? title : several, err);
    histogram_free(&total);
    return status;
}

static int finish(Output *output, const char *title, int code)
{
    ImgError err = {IMG_OK, ""};
    if (output->total.files > 0 && use_total(output, title, &err) != IMG_OK)
        code = report_failure(&err);
    else if (output->total.files == 0 && output->root != NULL)
        json_string(output->root, "total", NULL, &output->json_failed);
    img_error_clear(&err);
    if (output->root != NULL &&
        json_print(stdout, output->root, output->json_failed, &err) != IMG_OK)
        code = report_failure(&err);
    return code;
}

static ImgStatus check(const Settings *settings, ImgError *err)
{
    if (settings->json && settings->csv)
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --json and --csv are two forms of one answer; leave one out");
    if (settings->plot == NULL && settings->log_scale && (settings->json || settings->csv))
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --log is about what is drawn, and --%s prints the counts "
                        "themselves; leave one out",
                        settings->json ? "json" : "csv");
    if (settings->plot == NULL)
        return IMG_OK;
    if (strcmp(settings->plot, "-") == 0 && (settings->json || settings->csv))
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --plot - would mix the picture with what --%s prints; name a "
                        "file",
                        settings->json ? "json" : "csv");
    if (plot_page_check(settings->plot, NULL) != IMG_OK)
        return img_fail(err, IMG_E_USAGE,
                        "histogram: --plot '%s' is neither PNG nor SVG; its name must end in .png "
                        "or .svg",
                        settings->plot);
    return IMG_OK;
}

/* One slip of the hand, and the plot would replace the photo. */
static ImgStatus check_plot_is_no_input(const char *path, const Inputs *inputs, ImgError *err)
{
    struct stat plotted, input;
    if (path == NULL || strcmp(path, "-") == 0 || stat(path, &plotted) != 0)
        return IMG_OK;
    for (size_t i = 0; i < inputs->count; i++)
        if (stat(inputs->paths[i], &input) == 0 && input.st_dev == plotted.st_dev &&
            input.st_ino == plotted.st_ino)
            return img_fail(err, IMG_E_USAGE,
                            "%s: is one of the pictures, and the plot would replace it; name "
                            "another file after --plot",
                            path);
    return IMG_OK;
}

static int run(const Settings *settings, const Inputs *inputs)
{
    ImgError err = {IMG_OK, ""};
    if (check_plot_is_no_input(settings->plot, inputs, &err) != IMG_OK ||
        plot_page_try(settings->plot, &err) != IMG_OK)
        return report_failure(&err);
    Output output = {
        .settings = settings,
        .luma = (ImgLuma)settings->luma,
        .style = {terminal_width(), terminal_utf8(), settings->log_scale != 0},
        .text = !settings->json && settings->plot == NULL,
        .total = TOTAL_NONE,
    };
    if (settings->json) {
        output.root = cJSON_CreateObject();
        output.files = json_array(output.root, "files", &output.json_failed);
    }
    const char *title = measure_is_single(inputs) && inputs->count == 1
                            ? report_input_name(inputs->paths[0])
                            : NULL;
    int code = finish(&output, title, measure_files(settings, inputs, use_picture, &output));
    total_free(&output.total);
    return code;
}

int cmd_histogram(const Args *args)
{
    const Settings *settings = &args->settings;
    ImgError err = {IMG_OK, ""};
    if (check(settings, &err) != IMG_OK)
        return report_failure(&err);
    interrupt_install();
    Inputs inputs = INPUTS_NONE;
    for (size_t i = 0; i < args->operand_count; i++)
        inputs_add(&inputs, args->operands[i], settings->recursive != 0);
    int code = run(settings, &inputs);
    inputs_free(&inputs);
    return code;
}
