/* Tests of plots that a child process draws. The files must equal those drawn in this process, and
 * a failure must leave no files. */
#include <dirent.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "app/bench/export/export.h"
#include "app/bench/plot/plot.h"
#include "app/helper/plot_child.h"
#include "app/helper/plot_request.h"
#include "app/plot/histogram/histogram.h"
#include "test_bench_reports.h"
#include "test_io_png.h"

static char directory[64];

static void enter_directory(void)
{
    strcpy(directory, "/tmp/imgtool-child-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static int count_files(void)
{
    int count = -2; /* so that "." and ".." do not count */
    DIR *entries = opendir(".");
    cr_assert_not_null(entries);
    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count;
}

static void leave_directory(void)
{
    (void)unlink("a.png");
    (void)unlink("a.svg");
    (void)unlink("draws");
    cr_assert_eq(chdir("/"), 0);
    cr_expect_eq(rmdir(directory), 0, "something was left in %s", directory);
}

TestSuite(plot_child, .init = enter_directory, .fini = leave_directory, .timeout = 60);

static uint64_t counts[65536];
static const PlotSeries series[] = {{"red", counts}, {"luma", counts}};

/* Returns a histogram with more data than the buffer of a socket holds. */
static PlotHistogram example(void)
{
    for (size_t i = 0; i < 65536; i++)
        counts[i] = i * 7 % 1000;
    return (PlotHistogram){.title = "a photo \x1B \xFF",
                           .series = series,
                           .series_count = 2,
                           .bins = 65536,
                           .maximum = 65535,
                           .pixels = 32000000,
                           .log_scale = true};
}

static void expect_file(const char *path, const PlotBytes *expected)
{
    Bytes bytes = read_all(path);
    cr_assert_eq(bytes.size, expected->size, "%s: %zu bytes, not %zu", path, bytes.size,
                 expected->size);
    cr_expect_eq(memcmp(bytes.data, expected->data, bytes.size), 0, "%s", path);
    free(bytes.data);
}

static ImgStatus draw_histogram(const char *program, const char *path, ImgError *err)
{
    PlotHistogram what = example();
    PlotBytes request;
    cr_assert_eq(plot_request_pack(&what, &request, err), IMG_OK);
    ImgStatus status = plot_child_draw(program, PLOT_CHILD_HISTOGRAM, &request, path, err);
    free(request.data);
    return status;
}

Test(plot_child, a_histogram_equals_one_drawn_in_this_process)
{
    static const char *const paths[] = {"a.png", "a.svg"};
    /* The SVG is not compared, because its ids depend on earlier plots. */
    for (int i = 0; i < 2; i++) {
        ImgError err = {IMG_OK, ""};
        PlotHistogram what = example();
        PlotBytes expected;
        cr_assert_eq(plot_histogram(&what, i == 1, &expected, &err), IMG_OK, "%s", err.message);
        cr_assert_eq(draw_histogram(PLOTTER, paths[i], &err), IMG_OK, "%s", err.message);
        if (i == 0)
            expect_file(paths[i], &expected);
        free(expected.data);
    }
    Bytes svg = read_all("a.svg");
    cr_expect_eq(memcmp(svg.data, "<?xml", 5), 0);
    free(svg.data);
}

Test(plot_child, a_report_equals_one_drawn_in_this_process)
{
    ImgError err = {IMG_OK, ""};
    BenchReport report = BENCH_REPORT_NONE;
    example_machine(&report, true);
    example_operation(&report, "rotate", "9x9", IMG_BACKEND_CPU, example_cpu_rotate, 6, 0.2);
    PlotBytes expected, request = PLOT_BYTES_NONE;
    char *text = NULL;
    cr_assert_eq(bench_plot(&report, false, &expected, &err), IMG_OK, "%s", err.message);
    FILE *out = open_memstream(&text, &request.size);
    cr_assert_eq(bench_print_json(out, &report, &err), IMG_OK);
    fclose(out);
    request.data = (uint8_t *)text;
    cr_assert_eq(plot_child_draw(PLOTTER, PLOT_CHILD_BENCH, &request, "a.png", &err), IMG_OK, "%s",
                 err.message);
    expect_file("a.png", &expected);
    free(expected.data);
    free(text);
    bench_report_free(&report);
}

Test(plot_child, errors_of_the_child_are_returned)
{
    ImgError err = {IMG_OK, ""};
    PlotBytes request = {(uint8_t[]){"not a request"}, 13};
    cr_expect_eq(plot_child_draw(PLOTTER, PLOT_CHILD_HISTOGRAM, &request, "a.png", &err),
                 IMG_E_FORMAT);
    cr_expect_not_null(strstr(err.message, "incomplete"), "%s", err.message);
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(plot_child_draw(PLOTTER, PLOT_CHILD_BENCH, &request, "a.png", &err), IMG_E_FORMAT);
    cr_expect_eq(count_files(), 0);
}

/* Runs a shell script in place of the drawing program. Expects the status `expected` and a message
 * that contains `words`. */
static void expect_failure(const char *script, ImgStatus expected, const char *words)
{
    ImgError err = {IMG_OK, ""};
    FILE *out = fopen("draws", "w");
    cr_assert_not_null(out);
    fprintf(out, "#!/bin/sh\n%s\n", script);
    fclose(out);
    cr_assert_eq(chmod("draws", 0700), 0);
    cr_expect_eq(draw_histogram("./draws", "a.png", &err), expected, "%s: %s", script, err.message);
    cr_expect_not_null(strstr(err.message, words), "%s: \"%s\" lacks \"%s\"", script, err.message,
                       words);
    cr_expect_eq(count_files(), 1, "%s: a file is left", script);
}

Test(plot_child, a_child_that_fails_leaves_no_files)
{
    expect_failure("kill -SEGV $$", IMG_E_IO, "signal 11");
    expect_failure("cat >/dev/null; kill -ABRT $$", IMG_E_IO, "signal 6");
    expect_failure("exit 7", IMG_E_IO, "exit code 7");
    expect_failure("cat >/dev/null", IMG_E_IO, "exit code 0");
    expect_failure("cat >/dev/null; printf 'too short'", IMG_E_IO, "no picture");
    /* The header of the script's answer announces 1000 bytes, in the byte order of this processor,
     * but only three follow. */
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    expect_failure(
        little ? "cat >/dev/null; printf '\\0\\0\\0\\0\\0\\0\\0\\0\\350\\3\\0\\0\\0\\0\\0\\0abc'"
               : "cat >/dev/null; printf '\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\3\\350abc'",
        IMG_E_IO, "no picture");
}

Test(plot_child, a_missing_program_is_named)
{
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(draw_histogram("./missing", "a.png", &err), IMG_E_UNAVAILABLE);
    cr_expect_not_null(strstr(err.message, "./missing cannot be started"), "%s", err.message);
    cr_expect_eq(count_files(), 0);
}

/* The request is larger than the buffer of the socket, and no process reads from the socket. So
 * this process blocks while it sends. */
Test(plot_child, a_child_that_does_not_read_ends_in_a_timeout)
{
    ImgError err = {IMG_OK, ""};
    PlotBytes request = {calloc(1, 8 << 20), 8 << 20}, picture;
    int ends[2];
    cr_assert_not_null(request.data);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    cr_expect_eq(plot_wire_request(ends[0], &request, 1, &picture, &err), PLOT_WIRE_TIMED_OUT);
    free(picture.data);
    free(request.data);
    close(ends[0]);
    close(ends[1]);
}
