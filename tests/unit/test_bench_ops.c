/* Tests of the options of `imgtool bench`, and of how rows are checked, timed and compared. */
#include <criterion/criterion.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/bench/measure/measurement.h"
#include "app/bench/output.h"
#include "app/term/messages.h"
#include "kernels/core/params.h"

static BenchPlan plan;
static ImgError err;

static ImgStatus make_plan(const char *sizes, const char *formats, const char *impl,
                           const char *step)
{
    Settings settings;
    settings_init(&settings);
    settings.sizes = sizes;
    settings.formats = formats;
    settings.engine.impl = impl;
    img_error_clear(&err);
    return bench_plan_make(&settings, &step, step != NULL ? 1 : 0, &plan, &err);
}

Test(plan, lists_are_split)
{
    cr_assert_eq(make_plan("7x5, 4001x3001,7x5", "rgb8,gray16,rgb8", "cpu", "rotate angle=180"),
                 IMG_OK, "%s", err.message);
    cr_assert_eq(plan.size_count, 2, "a size that is named twice is measured once");
    cr_assert_eq(plan.sizes[0][0], 7);
    cr_assert_eq(plan.sizes[0][1], 5);
    cr_assert_eq(plan.sizes[1][0], 4001);
    cr_assert_eq(plan.format_count, 2, "a format that is named twice is measured once");
    cr_assert_str_eq(plan.formats[1]->name, "gray16");
    cr_assert_eq(plan.step_count, 1);
    char title[64];
    bench_step_title(&plan.steps[0], title, sizeof title);
    cr_assert_str_eq(title, "rotate angle=180");
}

Test(plan, defaults_cover_everything_that_needs_no_files)
{
    bool sums = false;
    cr_assert_eq(make_plan(NULL, NULL, NULL, NULL), IMG_OK);
    cr_assert_eq(plan.size_count, 1);
    cr_assert_eq(plan.format_count, 6);
    for (size_t i = 0; i < plan.step_count; i++) {
        cr_assert_null(plan.steps[i].op->facts.bind, "%s", plan.steps[i].op->name);
        sums |= strcmp(plan.steps[i].op->name, "sum") == 0;
    }
    cr_assert(sums, "measurements are measured too");
}

typedef struct Wrong {
    const char *sizes, *formats, *impl, *step, *message;
} Wrong;

Test(plan, errors_name_the_valid_values)
{
    static const Wrong cases[] = {
        {"4001", NULL, NULL, NULL, "invalid --size '4001'"},
        {"0x5", NULL, NULL, NULL, "invalid --size '0x5'"},
        {"5x-5", NULL, NULL, NULL, "invalid --size '5x-5'"},
        {"5x99999999999", NULL, NULL, NULL, "invalid --size"},
        {NULL, "rbg8", NULL, NULL, "did you mean 'rgb8'?"},
        {NULL, "", NULL, NULL, "invalid --format ''"},
        {NULL, NULL, "cpu-avx", "rotate", "did you mean 'cpu-avx2'?"},
        {NULL, NULL, "cuda-column", "rotate", "no operation of this run has 'cuda-column'"},
        {NULL, NULL, NULL, "rotat", "did you mean 'rotate'?"},
        {NULL, NULL, NULL, "rotate angle=360.1", "angle"},
        {NULL, NULL, NULL, "rotate | flip", "is a series of operations"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Wrong *c = &cases[i];
        cr_assert_eq(make_plan(c->sizes, c->formats, c->impl, c->step), IMG_E_USAGE, "case %zu", i);
        cr_assert(strstr(err.message, c->message) != NULL, "case %zu: %s", i, err.message);
    }
}

/* --- Measurements with known times ------------------------------------------------------------ */

static int stop_after, asked;

static bool stopped(void)
{
    return stop_after > 0 && ++asked > stop_after;
}

/* Reports fixed times instead of measuring: 1 ms for the limit, 4 ms for row 1 and 2 ms for row 2.
 * With warm caches they take half as long. Row 3 fails. */
static ImgStatus known_time(void *context, size_t row, ImgCaches caches, int repeats,
                            double *seconds, ImgError *failure)
{
    static const double times[] = {1e-3, 4e-3, 2e-3};
    (void)repeats;
    (*(int *)context)++;
    if (row == 3)
        return img_fail(failure, IMG_E_DEVICE, "out of order");
    *seconds = caches == IMG_CACHES_WARM ? times[row] / 2 : times[row];
    return IMG_OK;
}

static BenchReport report;

static BenchGroup *group_of_four(void)
{
    report = BENCH_REPORT_NONE;
    BenchGroup *group = bench_report_add_group(&report, &err);
    for (int i = 0; i < 4; i++)
        bench_group_add_row(group, &err)->verdict = i == 0 ? BENCH_LIMIT : BENCH_VERIFIED;
    group->bytes = 3000;
    group->limit_bytes = 2000;
    return group;
}

static void free_report(void)
{
    bench_report_free(&report);
}

Test(measurement, times_shares_and_speedups_are_reported, .fini = free_report)
{
    int runs = 0;
    BenchGroup *group = group_of_four();
    Measurement measurement = {.group = group,
                               .run = known_time,
                               .context = &runs,
                               .seconds = 0.01,
                               .warm = true,
                               .stopped = stopped};
    stop_after = 0;
    cr_assert_eq(measurement_run(&measurement, &err), IMG_OK);
    cr_assert_float_eq(group->rows[1].cold.median, 4e-3, 1e-12);
    cr_assert_float_eq(group->rows[1].warm.median, 2e-3, 1e-12);
    cr_assert_float_eq(group->rows[1].cold.noise, 0, 1e-12);
    cr_assert_float_eq(bench_share(group, &group->rows[0]), 1, 1e-12);
    cr_assert_float_eq(bench_rate(group, &group->rows[0]), 2e6, 1e-3, "bytes of its own");
    /* Row 2 moves 3000 bytes in 2 ms, and the limit 2000 bytes in 1 ms. The row thus reaches 0.75
     * of the rate of the limit. */
    cr_assert_float_eq(bench_share(group, &group->rows[2]), 0.75, 1e-9);
    cr_assert_float_eq(group->rows[2].speedup, 2, 1e-9);
    cr_assert_float_eq(group->rows[1].speedup, 0, 1e-12, "the first is compared with nothing");
    cr_assert_eq(group->rows[3].verdict, BENCH_FAILED);
    cr_assert(strstr(group->rows[3].message, "out of order") != NULL);
    cr_assert(bench_report_failed(&report));
}

/* Reports a noisy time for the limit: 20 ms in two runs, then 1 ms in two runs, and so on. All
 * other rows take 1 ms. */
static ImgStatus erratic_time(void *context, size_t row, ImgCaches caches, int repeats,
                              double *seconds, ImgError *failure)
{
    int *runs = context;
    (void)caches;
    (void)repeats;
    (void)failure;
    *seconds = row == 0 && (*runs)++ % 4 < 2 ? 20e-3 : 1e-3;
    return IMG_OK;
}

/* The reported share of a row must be the ratio of the reported rates, even if the times are
 * noisy. */
Test(measurement, shares_agree_with_rates, .fini = free_report)
{
    int runs = 0;
    BenchGroup *group = group_of_four();
    Measurement measurement = {
        .group = group, .run = erratic_time, .context = &runs, .seconds = 0.05, .stopped = stopped};
    stop_after = 0;
    cr_assert_eq(measurement_run(&measurement, &err), IMG_OK);
    for (int row = 0; row < 4; row++) {
        double part = bench_rate(group, &group->rows[row]) / bench_rate(group, &group->rows[0]);
        cr_assert_gt(group->rows[row].cold.samples, 0);
        cr_expect_float_eq(bench_share(group, &group->rows[row]), part, 1e-9);
    }
    cr_expect_geq(group->rows[0].cold.samples,
                  group->rows[1].cold.samples + group->rows[2].cold.samples +
                      group->rows[3].cold.samples,
                  "the limit is timed before each run of each row");
}

Test(measurement, a_measurement_ends_on_request, .fini = free_report)
{
    int runs = 0;
    BenchGroup *group = group_of_four();
    Measurement measurement = {
        .group = group, .run = known_time, .context = &runs, .seconds = 0.01, .stopped = stopped};
    stop_after = 1;
    asked = 0;
    cr_assert_eq(measurement_run(&measurement, &err), IMG_OK);
    cr_assert_eq(group->rows[2].cold.samples, 0);
    cr_assert_lt(runs, 10);
}

/* --- An operation with a wrong row ------------------------------------------------------------ */

static ImgStatus same_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *failure)
{
    (void)params, (void)failure;
    *dst = src;
    return IMG_OK;
}

static uint64_t two_ways(ImgShape src, const void *params)
{
    (void)params;
    return 2 * (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format);
}

static ImgStatus copy_all(const ImgCall *call, ImgError *failure)
{
    (void)failure;
    size_t row = (size_t)call->src.width * img_format_pixel_size(call->src.format);
    for (int32_t y = 0; y < call->src.height; y++)
        memcpy(call->dst.data + (size_t)y * call->dst.stride,
               call->src.data + (size_t)y * call->src.stride, row);
    return IMG_OK;
}

static ImgStatus copy_but_one_byte(const ImgCall *call, ImgError *failure)
{
    ImgStatus status = copy_all(call, failure);
    call->dst.data[3 * call->dst.stride + 2] ^= 1;
    return status;
}

static const ImgParam no_params[] = {{.name = NULL}};
static const ImgImpl impls[] = {
    {.name = "reference", .backend = IMG_BACKEND_CPU, .run = copy_all},
    {.name = "wrong", .backend = IMG_BACKEND_CPU, .run = copy_but_one_byte},
    {.name = "right", .backend = IMG_BACKEND_CPU, .run = copy_all},
    {.name = NULL},
};
static const ImgOp copying = {.name = "copying",
                              .params = no_params,
                              .shape = same_shape,
                              .cost = {.traffic = two_ways},
                              .impls = impls};

static int groups_finished;

static void begins(const Bench *bench, const char *what)
{
    (void)bench, (void)what;
}

static void finished(const Bench *bench, const BenchGroup *group)
{
    (void)bench, (void)group;
    groups_finished++;
}

static Bench bench;
static Settings settings;

static void set_up_bench(void)
{
    settings_init(&settings);
    settings.row_time = 1;
    bench = (Bench){.settings = &settings,
                    .threads = 2,
                    .stopped = stopped,
                    .begins = begins,
                    .finished = finished};
    stop_after = groups_finished = 0;
    cr_assert_eq(make_plan("33x17", "rgb8,gray16", NULL, "rotate"), IMG_OK);
    bench.plan = plan;
    bench.plan.steps[0] = (ImgStep){.op = &copying};
}

static void free_bench(void)
{
    bench_report_free(&bench.report);
}

Test(ops, a_wrong_row_fails_and_the_others_are_timed, .init = set_up_bench, .fini = free_bench)
{
    cr_assert_eq(bench_ops(&bench, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(bench.report.group_count, 2, "one for each format");
    cr_assert_eq(groups_finished, 2);
    const BenchGroup *group = &bench.report.groups[0];
    cr_assert_eq(group->count, 4, "memcpy and three rows");
    cr_assert_str_eq(group->subject, "rgb8 33x17");
    cr_assert_eq(group->bytes, 2 * 33 * 17 * 3);
    cr_assert_eq(group->rows[0].verdict, BENCH_LIMIT);
    cr_assert_eq(group->rows[1].verdict, BENCH_VERIFIED);
    cr_assert_eq(group->rows[2].verdict, BENCH_FAILED);
    cr_assert_str_eq(group->rows[2].message, "differs from the reference in row 3");
    cr_assert_eq(group->rows[2].cold.samples, 0, "a wrong result is not timed");
    cr_assert_eq(group->rows[3].verdict, BENCH_VERIFIED);
    cr_assert_gt(group->rows[3].cold.samples, 0);
    cr_assert_gt(group->rows[3].speedup, 0);
    cr_assert_eq(bench_exit_code(&bench.report), 5);
}

Test(ops, correct_rows_do_not_fail, .init = set_up_bench, .fini = free_bench)
{
    strcpy(bench.plan.impls[0], "right");
    bench.plan.impl_count = 1;
    cr_assert_eq(bench_ops(&bench, &err), IMG_OK);
    cr_assert_eq(bench.report.groups[0].count, 2);
    cr_assert_eq(bench_exit_code(&bench.report), 0);
}

Test(ops, sizes_over_the_limits_are_rejected_before_any_allocation, .init = set_up_bench,
     .fini = free_bench)
{
    bench.plan.sizes[0][0] = bench.plan.sizes[0][1] = 1 << 30;
    cr_assert_eq(bench_ops(&bench, &err), IMG_E_LIMIT);
    cr_assert(strstr(err.message, "--max-pixels") != NULL, "%s", err.message);
    settings.engine.program = report_program(); /* its messages name options */
    settings.engine.max_pixels = UINT64_MAX;
    img_error_clear(&err);
    cr_assert_eq(bench_ops(&bench, &err), IMG_E_LIMIT);
    cr_assert(strstr(err.message, "--max-memory") != NULL, "%s", err.message);
}

Test(report, text_is_cut_between_characters)
{
    char text[8];
    bench_copy_text(text, sizeof text, "1234567");
    cr_assert_str_eq(text, "1234567");
    bench_copy_text(text, sizeof text, "12345678");
    cr_assert_str_eq(text, "1234567");
    bench_copy_text(text, sizeof text, "12345\xC3\xA9");
    cr_assert_str_eq(text, "12345\xC3\xA9");
    bench_copy_text(text, sizeof text, "123456\xC3\xA9");
    cr_assert_str_eq(text, "123456");
    bench_copy_text(text, sizeof text, "1234\xF0\x9F\x98\x80");
    cr_assert_str_eq(text, "1234");
    bench_copy_text(text, sizeof text, "\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    cr_assert_eq(strlen(text), 7, "bytes other than UTF-8 are cut anywhere");
}
