/* Benchmarks of operations (bench.h). GB/s are computed from img_op_traffic, or for a chain of
 * operations from the bytes of the source and the result. */
#include "tests/checkkernels/bench.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/measure/variants.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "tests/checkkernels/bench_work.h"

enum { NUMBER_DRAWS = 2, DRAWS_MOST = 9 };

/* Options, source picture and results of a benchmark run. */
typedef struct Job {
    const CheckOptions *options;
    const BenchOptions *wanted;
    CheckTally *tally;
    ImgImage source;
} Job;

static const struct {
    const char *name;
    ImgFormat format;
} formats[] = {
    {"gray8", {IMG_COLOR_GRAY, 8}}, {"gray16", {IMG_COLOR_GRAY, 16}},
    {"rgb8", {IMG_COLOR_RGB, 8}},   {"rgba8", {IMG_COLOR_RGBA, 8}},
    {"rgb16", {IMG_COLOR_RGB, 16}}, {"rgba16", {IMG_COLOR_RGBA, 16}},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* --- Rows of the table ------------------------------------------------------------------------ */

/* Approximate time for measuring a row, in seconds. */
static const double ROW_SECONDS = 0.3;

static bool has_row(const BenchWork *work, const ImgImpl *impl, const CheckOptions *options)
{
    return bench_applies(work, impl) &&
           (options->impl == NULL || strcmp(options->impl, impl->name) == 0);
}

static bool has_rows(const BenchWork *work, const CheckOptions *options)
{
    for (const ImgImpl *impl = work->op->impls; impl->name != NULL; impl++)
        if (has_row(work, impl, options))
            return true;
    return false;
}

/* Adds a row for a copy or a plain read, with which the implementations are compared, and for every
 * implementation that the options select. */
static ImgStatus add_rows(Variants *variants, const BenchWork *work, const BenchOptions *wanted,
                          const CheckOptions *options, ImgError *err)
{
    ImgStatus status = wanted->once ? IMG_OK : variants_add(variants, NULL, err);
    for (const ImgImpl *impl = work->op->impls; status == IMG_OK && impl->name != NULL; impl++) {
        if (!has_row(work, impl, options))
            continue;
        status = variants_add(variants, impl, err);
        if (status == IMG_OK && wanted->against != NULL)
            variants_check_last(variants);
    }
    return status;
}

static bool never_stops(void)
{
    return false;
}

static void print_row(const BenchWork *work, const BenchGroup *group, const BenchRow *row,
                      const BenchOptions *wanted, CheckTally *tally)
{
    const bool is_limit = row->verdict == BENCH_LIMIT;
    const double speedup = row->speedup > 0 ? row->speedup : 1;
    printf("%-22s %-7s %-20s ", work->title, work->format, row->name);
    if (!is_limit)
        row->message[0] == '\0' ? tally->passed++ : tally->failed++;
    if (row->message[0] != '\0' || wanted->once) {
        printf("%s%s\n", row->message[0] == '\0' ? "verified" : "FAIL: ", row->message);
        return;
    }
    printf("%10.3f %5.1f%% %8.1f %5.0f%% ", row->cold.median * 1e3, row->cold.noise * 100,
           bench_rate(group, row) * 1e-9, bench_share(group, row) * 100);
    if (is_limit)
        printf("%8s\n", "");
    else
        printf("%7.2fx%s\n", speedup, wanted->against != NULL ? " verified" : "");
}

/* Checks and times the rows of one group. */
static ImgStatus measure(Workload *workload, BenchGroup *group, const BenchWork *work,
                         const BenchOptions *wanted, const CheckOptions *options, ImgError *err)
{
    Variants variants = {.workload = workload, .group = group, .backend = work->backend};
    const Measurement how = {.seconds = ROW_SECONDS, .stopped = never_stops};
    if (group == NULL)
        return IMG_E_MEMORY;
    group->bytes = work->bytes;
    group->limit_bytes = workload_limit_bytes(workload);
    const ImgStatus status = add_rows(&variants, work, wanted, options, err);
    return status == IMG_OK && !wanted->once ? variants_time(&variants, how, err) : status;
}

/* Checks and times every implementation that the options select. Does nothing if they select
 * none. */
static void bench_variants(const BenchWork *work, const BenchOptions *wanted,
                           const CheckOptions *options, CheckTally *tally)
{
    Workload workload;
    BenchReport report = BENCH_REPORT_NONE;
    ImgError err = {IMG_OK, ""};
    if (!has_rows(work, options))
        return;
    ImgStatus status = bench_open(&workload, work, wanted, options, &err);
    if (status == IMG_OK)
        status =
            measure(&workload, bench_report_add_group(&report, &err), work, wanted, options, &err);
    for (size_t r = 0; status == IMG_OK && r < report.groups[0].count; r++)
        print_row(work, report.groups, &report.groups[0].rows[r], wanted, tally);
    if (status != IMG_OK) {
        printf("FAIL %s %s: %s\n", work->title, work->format, err.message);
        tally->failed++;
    }
    fflush(stdout);
    bench_report_free(&report);
    workload_free(&workload);
}

/* --- Operations ------------------------------------------------------------------------------- */

/* Writes an operation with its parameters, such as "rotate angle=270", to `title`. */
static void make_title(const ImgOp *op, const ImgParams *params, char *title, size_t size)
{
    size_t used = (size_t)snprintf(title, size, "%s", op->name);
    for (const ImgParam *param = op->params; param->name != NULL && used < size; param++) {
        char text[IMG_PARAM_TEXT];
        img_params_print(param, params, text, sizeof text);
        const bool is_told = param->choices != NULL && !param->is_detail;
        if (is_told || !img_param_is_default(param, params))
            used += (size_t)snprintf(title + used, size - used, " %s", text);
    }
}

static bool is_measure(const ImgOp *op)
{
    for (size_t i = 0; img_measures[i] != NULL; i++)
        if (img_measures[i] == op)
            return true;
    return false;
}

/* Sets the parameters that the command line gives. Returns false if one is invalid. */
static bool set_values(const ImgOp *op, const BenchOptions *wanted, ImgParams *params,
                       CheckTally *tally)
{
    img_params_init(op, params);
    for (int i = 0; i < wanted->values_count; i++) {
        char name[64];
        ImgError err;
        const char *equals = strchr(wanted->values[i], '=');
        snprintf(name, sizeof name, "%.*s", equals == NULL ? 0 : (int)(equals - wanted->values[i]),
                 wanted->values[i]);
        if (equals == NULL || img_params_set(op, params, name, equals + 1, &err) != IMG_OK) {
            fprintf(stderr, "%s %s: %s\n", op->name, wanted->values[i],
                    equals == NULL ? "a parameter is NAME=VALUE" : err.message);
            tally->failed++;
            return false;
        }
    }
    return true;
}

static ImgStatus open_work(const ImgOp *op, const ImgParams *params, BenchWork *work, ImgError *err)
{
    work->op = op;
    work->params = params->bytes;
    ImgStatus status = op->shape(work->src, work->params, &work->dst, err);
    if (status == IMG_OK)
        work->bytes = img_op_traffic(op, work->src, work->params);
    return status == IMG_OK ? img_op_prepare(op, work->src, work->params, &work->constants, err)
                            : status;
}

static bool is_asked(const Job *job, ImgBackend backend)
{
    return job->options->backend == IMG_BACKEND_AUTO || job->options->backend == backend;
}

static void bench_backend(const BenchWork *work, Job *job)
{
    if (job->wanted->fail_if_slower)
        bench_choice(work, job->wanted, job->options, job->tally);
    else
        bench_variants(work, job->wanted, job->options, job->tally);
}

static void bench_params(const ImgOp *op, const ImgParams *params, const char *format,
                         ImgShape shape, Job *job)
{
    char title[64];
    ImgError err = {IMG_OK, ""};
    BenchWork work = {.src = shape, .title = title, .format = format, .source = &job->source};
    make_title(op, params, title, sizeof title);
    if (open_work(op, params, &work, &err) != IMG_OK) {
        printf("FAIL %s %s: %s\n", title, format, err.message);
        job->tally->failed++;
        return;
    }
    for (work.backend = IMG_BACKEND_CPU; work.backend <= IMG_BACKEND_CUDA; work.backend++)
        if (is_asked(job, work.backend))
            bench_backend(&work, job);
    img_constants_free(&work.constants);
}

static void bench_format(const ImgOp *op, size_t format, Job *job)
{
    const BenchOptions *wanted = job->wanted;
    const char *name = formats[format].name;
    const ImgShape shape = {wanted->width, wanted->height, formats[format].format};
    Random random = {job->options->seed};
    ImgParams params;
    if (wanted->format != NULL && strcmp(wanted->format, name) != 0)
        return;
    if (wanted->values_count > 0) {
        if (set_values(op, wanted, &params, job->tally))
            bench_params(op, &params, name, shape, job);
        return;
    }
    for (int draw = 0; case_params(op, shape, draw, &random, &params); draw++) {
        bool numbers = op->params[0].name != NULL && op->params[0].type != IMG_PARAM_CHOICE;
        if ((numbers && draw == NUMBER_DRAWS) || (is_measure(op) && draw > 0) || draw == DRAWS_MOST)
            break; /* Other values of the parameters would take the same time. */
        bench_params(op, &params, name, shape, job);
    }
}

/* --- Chains ----------------------------------------------------------------------------------- */

static void bench_pass(Chain *chain, BenchWork *work, Job *job)
{
    static ImgPlan plan; /* static, because it is too large for the stack */
    ImgError err = {IMG_OK, ""};
    if (chain_plan(chain, work->src, work->backend, &plan, &err) != IMG_OK) {
        printf("FAIL %s %s: %s\n", work->title, work->format, err.message);
        job->tally->failed++;
        return;
    }
    const ImgPass *pass = &plan.passes[0];
    work->op = pass->op;
    work->params = pass->params;
    work->dst = pass->dst;
    work->constants = pass->constants;
    work->bytes = limit_bytes(work->src, work->dst);
    bench_backend(work, job);
    img_plan_free(&plan);
}

static void bench_chain(Job *job)
{
    static Chain chain; /* static, because it is too large for the stack */
    const BenchOptions *wanted = job->wanted;
    ImgError err = {IMG_OK, ""};
    if (chain_parse(wanted->chain, &chain, &err) != IMG_OK) {
        fprintf(stderr, "--chain: %s\n", err.message);
        job->tally->failed++;
        return;
    }
    char title[64];
    snprintf(title, sizeof title, "%zu steps", chain.count);
    BenchWork work = {.chain = &chain, .title = title, .source = &job->source};
    for (size_t f = 0; f < FORMATS; f++) {
        if (wanted->format != NULL && strcmp(wanted->format, formats[f].name) != 0)
            continue;
        work.src = (ImgShape){wanted->width, wanted->height, formats[f].format};
        work.format = formats[f].name;
        for (work.backend = IMG_BACKEND_CPU; work.backend <= IMG_BACKEND_CUDA; work.backend++)
            if (is_asked(job, work.backend))
                bench_pass(&chain, &work, job);
    }
}

/* Returns true if the options select the operation. An operation that depends on metadata
 * (ImgOp.facts.bind) must be selected by its name. It only runs one of the operations that rotate
 * or flip pictures, and those have their own rows in the table. */
static bool is_selected(const ImgOp *op, const CheckOptions *options)
{
    return check_wants(options, op) && (options->ops != NULL || op->facts.bind == NULL);
}

/* Times all selected operations in all formats. Normally the outer loop runs over the operations,
 * so the table lists the formats of an operation together. With the option `fail_if_slower` the
 * outer loop runs over the formats, so that fewer source pictures are made. */
static void bench_ops(Job *job)
{
    const bool by_format = job->wanted->fail_if_slower;
    const ImgOp *op;
    for (size_t outer = 0; outer < (by_format ? FORMATS : 1); outer++)
        for (size_t o = 0; (op = img_op_at(o)) != NULL; o++)
            for (size_t f = by_format ? outer : 0; f < (by_format ? outer + 1 : FORMATS); f++)
                if (is_selected(op, job->options))
                    bench_format(op, f, job);
}

static void print_head(const BenchOptions *wanted)
{
    if (wanted->fail_if_slower) {
        bench_choice_print_head(wanted);
        return;
    }
    printf("%d x %d pixels, %s, median, GB/s of bytes read plus bytes written\n", wanted->width,
           wanted->height, wanted->fill);
    printf("%-22s %-7s %-20s %10s %6s %8s %6s %8s\n", "operation", "format", "variant", "ms",
           "noise", "GB/s", "copy", "speed-up");
}

void bench_all(const CheckOptions *options, const BenchOptions *wanted, CheckTally *tally)
{
    Job job = {.options = options, .wanted = wanted, .tally = tally, .source = IMG_IMAGE_NONE};
    print_head(wanted);
    wanted->chain != NULL ? bench_chain(&job) : bench_ops(&job);
    img_image_free(&job.source);
}
