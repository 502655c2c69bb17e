#include "app/bench/plot/plot.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/helper/plot_child.h"
#include "app/helper/plot_request.h"
#include "app/plot/histogram/histogram.h"

#if IMGTOOL_BENCH
#include "app/bench/export/export.h"
#endif

static ImgStatus draw_histogram(const PlotBytes *request, bool svg, PlotBytes *picture,
                                ImgError *err)
{
    PlotSeries series[PLOT_SERIES_MAX];
    PlotHistogram what;
    ImgStatus status = plot_request_unpack(request, series, &what, err);
    return status == IMG_OK ? plot_histogram(&what, svg, picture, err) : status;
}

#if IMGTOOL_BENCH
static ImgStatus draw_report(const PlotBytes *request, bool svg, PlotBytes *picture, ImgError *err)
{
    BenchReport report = BENCH_REPORT_NONE;
    ImgStatus status = bench_load_text((const char *)request->data, request->size, &report, err);
    if (status == IMG_OK)
        status = bench_plot(&report, svg, picture, err);
    bench_report_free(&report);
    return status;
}
#else
static ImgStatus draw_report(const PlotBytes *request, bool svg, PlotBytes *picture, ImgError *err)
{
    (void)request, (void)svg, (void)picture;
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "this imgtool-plot draws no benchmarks; build it with IMGTOOL_BENCH=ON");
}
#endif

static ImgStatus draw(const char *what, bool svg, PlotBytes *picture, ImgError *err)
{
    PlotBytes request = PLOT_BYTES_NONE;
    ImgStatus status = plot_wire_receive(STDIN_FILENO, &request, err);
    if (status == IMG_OK && strcmp(what, PLOT_CHILD_HISTOGRAM) == 0)
        status = draw_histogram(&request, svg, picture, err);
    else if (status == IMG_OK && strcmp(what, PLOT_CHILD_BENCH) == 0)
        status = draw_report(&request, svg, picture, err);
    else if (status == IMG_OK)
        status =
            img_fail(err, IMG_E_USAGE, "imgtool-plot is of another version: no plot '%s'", what);
    free(request.data);
    return status;
}

int bench_draw(const char *what, const char *form)
{
    ImgError err = {IMG_OK, ""};
    PlotBytes picture = PLOT_BYTES_NONE;
    /* The kernel ends this process if its parent process ends first. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)draw(what, strcmp(form, "svg") == 0, &picture, &err);
    ImgStatus status = plot_wire_reply(STDOUT_FILENO, &picture, &err);
    free(picture.data);
    return status == IMG_OK ? CLI_OK : exit_code_of(status);
}
