/* Checks pipelines: see op_judge.h. */
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "tests/fuzz/pixels/op_judge.h"

enum { STEPS_MOST = 5, GUARD_BYTE = 0xa7 };

typedef struct Pipeline {
    ImgStep steps[STEPS_MOST];
    size_t count;
    ImgShape src, dst; /* shape of the source, and shape that the plan predicts for the result */
    ImgFacts facts;
    int threads;
    uint64_t seed; /* seed of the source's pixels */
} Pipeline;

static void print_pipeline(const Pipeline *pipeline)
{
    char text[IMG_PARAM_TEXT];
    fprintf(stderr, "%d x %d %s %d, %d threads", pipeline->src.width, pipeline->src.height,
            img_color_name(pipeline->src.format.color), pipeline->src.format.bits,
            pipeline->threads);
    for (size_t i = 0; i < pipeline->count; i++) {
        const ImgOp *op = pipeline->steps[i].op;
        fprintf(stderr, " | %s", op->name);
        for (const ImgParam *param = op->params; param->name != NULL; param++) {
            img_params_print(param, &pipeline->steps[i].params, text, sizeof text);
            fprintf(stderr, " %s=%s", param->name, text);
        }
    }
    fputc('\n', stderr);
}

static void expect_of(bool holds, const Pipeline *pipeline, const char *what, const char *more)
{
    if (holds)
        return;
    print_pipeline(pipeline);
    expect(false, "%s: %s", what, more);
    abort(); /* never reached; tells static analysers that this function does not return */
}

/* Chooses steps that can follow each other, as far as their shapes are known before they run. */
static void choose_steps(Choices *choices, const CaseLimits *limits, Pipeline *pipeline)
{
    const unsigned wanted = 1 + choose_below(choices, STEPS_MOST);
    ImgShape shape = pipeline->src;
    CaseLimits rest = *limits;
    for (unsigned i = 0; i < wanted; i++) {
        ImgShape from = shape, result;
        ImgStep *step = &pipeline->steps[pipeline->count];
        const ImgOp *op = choose_op(choices, false);
        const bool applies = choose_step(choices, op, &rest, &from, step, &result);
        /* A step is skipped if it needs a smaller picture than the steps before it give. */
        if (!applies || from.width != shape.width || from.height != shape.height)
            continue;
        count_case(op, false);
        rest.seconds -= img_op_cpu_seconds(op, shape, step->params.bytes);
        shape = result;
        pipeline->count++;
    }
}

/* --- Running steps one after another ---------------------------------------------------------- */

static ImgStatus run_reference(const ImgOp *op, const void *params, const ImgView *from,
                               ImgImage *result)
{
    ImgShape shape;
    ImgCall call = {.op = op, .src = *from, .params = params, .threads = 1};
    *result = IMG_IMAGE_NONE;
    ImgStatus status = op->shape(img_view_shape(from), params, &shape, NULL);
    if (status != IMG_OK)
        return status;
    expect(img_image_alloc(shape, result, NULL) == IMG_OK, "no memory");
    expect(img_op_prepare(op, img_view_shape(from), params, &call.constants, NULL) == IMG_OK,
           "%s: no constants", op->name);
    call.dst = result->view;
    expect(op->impls[0].run(&call, NULL) == IMG_OK, "%s: the reference fails", op->name);
    img_constants_free(&call.constants);
    return IMG_OK;
}

/* Runs a step with the reference implementation. A step that measures first measures its own
 * source. */
static ImgStatus run_step(const ImgStep *step, const ImgView *from, ImgImage *result)
{
    ImgParams params = step->params;
    const ImgOp *measure = step->op->measured.by;
    *result = IMG_IMAGE_NONE;
    if (measure != NULL) {
        ImgImage table;
        const ImgStatus status = run_reference(measure, params.bytes, from, &table);
        if (status != IMG_OK)
            return status;
        step->op->measured.take(params.bytes, img_view_shape(from), &table.view);
        img_image_free(&table);
    }
    return run_reference(step->op, params.bytes, from, result);
}

static ImgStatus run_all(const Pipeline *pipeline, const ImgView *from, ImgImage *result)
{
    ImgImage now = {.view = *from}, next;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < pipeline->count && status == IMG_OK; i++) {
        status = run_step(&pipeline->steps[i], &now.view, &next);
        if (i > 0)
            img_image_free(&now);
        now = next;
    }
    *result = status == IMG_OK ? now : IMG_IMAGE_NONE;
    return status;
}

/* --- Running steps with the executor ---------------------------------------------------------- */

static ImgExec *exec_of(int threads)
{
    static ImgExec *execs[5]; /* kept, to test that earlier pipelines do not affect the result */
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = threads};
    if (execs[threads] == NULL)
        expect(img_exec_create(&config, &execs[threads], NULL) == IMG_OK, "no executor");
    return execs[threads];
}

static void expect_result(const Pipeline *pipeline, ImgStatus status, const ImgError *err,
                          const ImgImage *got, ImgStatus wanted, const ImgImage *expected,
                          const char *what)
{
    expect_of((status == IMG_OK) == (wanted == IMG_OK), pipeline, what,
              status == IMG_OK ? "runs, although a step does not apply" : err->message);
    if (status != IMG_OK)
        return;
    const ImgView *a = &got->view, *b = &expected->view;
    expect_of(a->width == b->width && a->height == b->height &&
                  a->format.color == b->format.color && a->format.bits == b->format.bits,
              pipeline, what, "different shape");
    for (int32_t y = 0; y < a->height; y++)
        expect_of(memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride,
                         (size_t)a->width * img_format_pixel_size(a->format)) == 0,
                  pipeline, what, "different pixels");
}

static void judge_view(const Pipeline *pipeline, const ImgView *source, ImgStatus wanted,
                       const ImgImage *expected)
{
    ImgStep steps[STEPS_MOST];
    ImgImage got;
    ImgRunReport report;
    ImgView to = {NULL, 0, 0, 0, {IMG_COLOR_GRAY, 0}};
    ImgError err = {IMG_OK, ""};
    memcpy(steps, pipeline->steps, sizeof steps);
    const ImgStatus status = img_exec_run_view(exec_of(pipeline->threads), steps, pipeline->count,
                                               source, &to, &got, &report, &err);
    expect_result(pipeline, status, &err, &got, wanted, expected, "from a view");
    img_image_free(&got);
}

static ImgStatus give(void *context, int32_t first, int32_t count, ImgView *rows, ImgError *err)
{
    const ImgView *source = context;
    (void)err;
    *rows = img_view_crop(source, 0, first, source->width, count);
    return IMG_OK;
}

static ImgRoom any_room(const Pipeline *pipeline)
{
    return (ImgRoom){pipeline->threads, UINT64_MAX, false};
}

static ImgStatus take_band(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    const ImgView *image = context;
    const ImgView to = img_view_crop(image, 0, first, image->width, rows->height);
    (void)worker;
    (void)err;
    img_view_copy(rows, &to);
    return IMG_OK;
}

/* Copies the bands of steps that all run in bands to an image. */
static ImgStatus take_bands(ImgBands *bands, ImgShape shape, ImgImage *got, ImgError *err)
{
    const ImgBandSink sink = {take_band, NULL, &got->view};
    const ImgStatus status = img_image_alloc(shape, got, err);
    return status == IMG_OK ? img_bands_run(bands, &sink, err) : status;
}

/* Returns the shape of the result of the steps, whose measurements must be done. If a step is
 * invalid, returns the shape before it; the run of the steps then fails. */
static ImgShape shape_after(const ImgStep *steps, size_t count, ImgShape shape)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].op->shape(shape, steps[i].params.bytes, &shape, NULL) != IMG_OK)
            break;
    return shape;
}

/* Runs the steps in bands of `rows` rows, if they allow it, and copies the bands to an image. If
 * `rows` is 0, img_bands_collect makes the image instead. If `is_in_memory` is false, the source
 * delivers its rows in order: once for each measurement, and once for the result. */
static void judge_bands(const Pipeline *pipeline, ImgView *source, int32_t rows, bool is_in_memory,
                        ImgStatus wanted, const ImgImage *expected)
{
    ImgStep steps[STEPS_MOST];
    ImgImage got = IMG_IMAGE_NONE;
    ImgRunReport report;
    ImgBandsPlan plan;
    ImgBands *bands = NULL;
    ImgMeasured measured = {0};
    ImgStatus status = IMG_OK;
    ImgError err = {IMG_OK, ""};
    const ImgBandHeights heights = {rows, rows};
    const ImgImage image = {.view = *source};
    const ImgRowSource from = {.shape = pipeline->src,
                               .image = is_in_memory ? &image : NULL,
                               .rows = give,
                               .context = source};
    memcpy(steps, pipeline->steps, sizeof steps);
    if (!img_bands_plan(steps, pipeline->count, pipeline->src, NULL, any_room(pipeline), heights,
                        is_in_memory ? IMG_BANDS_IN_MEMORY : IMG_BANDS_REPEATED, &plan))
        return;
    for (size_t i = 0; status == IMG_OK && i < plan.measures; i++)
        status = img_bands_measure(exec_of(pipeline->threads), steps, pipeline->count, &from,
                                   heights, &measured, &err);
    if (status == IMG_OK)
        status = img_bands_begin(exec_of(pipeline->threads), steps, pipeline->count, &from, heights,
                                 &measured, &bands, &err);
    if (status == IMG_OK)
        status = rows > 0 ? take_bands(bands, shape_after(steps, pipeline->count, pipeline->src),
                                       &got, &err)
                          : img_bands_collect(bands, &got, &err);
    img_bands_end(bands, &report);
    if (status != IMG_OK)
        img_image_free(&got);
    expect_result(pipeline, status, &err, &got, wanted, expected,
                  is_in_memory ? "in bands of a picture in memory" : "in bands");
    img_measured_free(&measured);
    img_image_free(&got);
}

/* --- The whole check -------------------------------------------------------------------------- */

static void judge_chosen(Pipeline *pipeline, Fill fill, int32_t rows)
{
    const Case one = {.shape = pipeline->src, .fill = fill, .seed = pipeline->seed};
    ImgImage source = case_source(&one), expected;
    uint64_t peak;
    ImgError err = {IMG_OK, ""};
    const ImgStatus planned =
        img_steps_plan(pipeline->steps, pipeline->count, pipeline->src, &pipeline->facts,
                       any_room(pipeline), &pipeline->dst, &peak, &err);
    expect_of(planned == err.status && (err.message[0] == '\0') == (planned == IMG_OK), pipeline,
              "plan", err.message);
    if (planned == IMG_OK) {
        const ImgStatus wanted = run_all(pipeline, &source.view, &expected);
        judge_view(pipeline, &source.view, wanted, &expected);
        for (int i = 0; i < 4; i++)
            judge_bands(pipeline, &source.view, i / 2 == 0 ? rows : 0, i % 2 == 0, wanted,
                        &expected);
        expect_of(wanted != IMG_OK || img_steps_measure(pipeline->steps, pipeline->count) ||
                      (pipeline->dst.width == expected.view.width &&
                       pipeline->dst.height == expected.view.height),
                  pipeline, "plan", "different shape");
        img_image_free(&expected);
    }
    img_image_free(&source);
}

void judge_pipeline(Choices *choices, const CaseLimits *limits)
{
    Pipeline pipeline = {.count = 0};
    pipeline.src = choose_shape(choices, limits);
    pipeline.threads = 1 + (int)choose_below(choices, 4);
    pipeline.seed = 1 + choose_16(choices);
    pipeline.facts = choose_facts(choices);
    const Fill fill = (Fill)choose_below(choices, FILL_COUNT);
    const int32_t rows = 1 + (int32_t)choose_below(choices, 32);
    choose_steps(choices, limits, &pipeline);
    if (pipeline.count > 0)
        judge_chosen(&pipeline, fill, rows);
}
