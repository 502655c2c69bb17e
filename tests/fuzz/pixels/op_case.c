/* Makes cases from inputs: see op_case.h. */
#include "tests/fuzz/pixels/op_case.h"

#include <math.h>
#include <string.h>

#include "kernels/core/color/palette.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

ImgFormat choose_format(Choices *choices)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8},    {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGB, 8},
        {IMG_COLOR_RGBA, 8},    {IMG_COLOR_GRAY, 16},      {IMG_COLOR_GRAY_ALPHA, 16},
        {IMG_COLOR_RGB, 16},    {IMG_COLOR_RGBA, 16},      {IMG_COLOR_GRAY, 1},
        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},       {IMG_COLOR_PALETTE, 1},
        {IMG_COLOR_PALETTE, 2}, {IMG_COLOR_PALETTE, 4},    {IMG_COLOR_PALETTE, 8},
    };
    return formats[choose_below(choices, COUNT(formats))];
}

static void make_smaller(ImgShape *shape)
{
    int32_t *larger = shape->width >= shape->height ? &shape->width : &shape->height;
    *larger = (*larger + 1) / 2;
}

ImgShape choose_shape(Choices *choices, const CaseLimits *limits)
{
    ImgShape shape = {1, 1, choose_format(choices)};
    int32_t *sides[2] = {&shape.width, &shape.height};
    for (int i = 0; i < 2; i++) {
        /* If bit 15 is set, the side has up to limits->side pixels, otherwise at most 70. */
        const uint32_t value = choose_16(choices);
        *sides[i] = 1 + (int32_t)((value & 0x8000) != 0 ? (value & 0x7fff) % (uint32_t)limits->side
                                                        : value % 70);
        *sides[i] = *sides[i] < limits->side ? *sides[i] : limits->side;
    }
    while ((int64_t)shape.width * shape.height > limits->pixels)
        make_smaller(&shape);
    return shape;
}

const ImgOp *choose_op(Choices *choices, bool counted)
{
    unsigned count = 0, all = 0;
    while (img_ops[count] != NULL)
        count++;
    while (img_op_at(all) != NULL)
        all++;
    return img_op_at(choose_below(choices, counted ? all : count));
}

ImgFacts choose_facts(Choices *choices)
{
    static const int32_t lights[] = {IMG_LIGHT_SRGB, IMG_LIGHT_LINEAR, 45455, 100,
                                     100000000,      IMG_LIGHT_PQ};
    const int orientation = (int)choose_below(choices, 9);
    return (ImgFacts){orientation, lights[choose_below(choices, COUNT(lights))]};
}

/* Binds a palette with one colour, black, so that the operation must add every other colour. */
static void bind_palette(const ImgOp *op, ImgShape shape, ImgParams *params)
{
    ImgPalette palette = {
        .colors = {{0, 0, 0, 255}}, .count = 1, .room = INT32_C(1) << shape.format.bits};
    if (op->palette.bind != NULL)
        (void)op->palette.bind(params->bytes, shape,
                               shape.format.color == IMG_COLOR_PALETTE ? &palette : NULL);
}

static void bind(const ImgOp *op, const ImgFacts *facts, ImgShape shape, ImgParams *params)
{
    if (op->facts.bind != NULL)
        op->facts.bind(params->bytes, facts);
    if (op->facts.bind_light != NULL)
        op->facts.bind_light(params->bytes, facts->light);
    if (op->measured.by != NULL)
        op->measured.take(params->bytes, shape, NULL);
    bind_palette(op, shape, params);
}

/* Checks the rectangle of the source from which the step computes the rows `wanted`: it must lie
 * inside the picture and not be empty. */
static void judge_rectangle(const ImgStep *step, ImgShape shape, ImgRows wanted)
{
    ImgPart part;
    if (!img_op_part(step->op, shape, step->params.bytes, wanted, &part))
        return;
    const ImgRect rect = part.src;
    expect(rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 &&
               rect.width <= shape.width - rect.x && rect.height <= shape.height - rect.y,
           "%s: %d x %d at (%d, %d) of %d x %d", step->op->name, rect.width, rect.height, rect.x,
           rect.y, shape.width, shape.height);
}

/* Checks what the operation states about a step: its estimated times are finite, the result has
 * pixels, and the rectangle of the source that the rows `wanted` need is valid. */
static void judge_claims(const ImgStep *step, ImgShape shape, ImgShape result, ImgRows wanted)
{
    const void *params = step->params.bytes;
    const double seconds[] = {img_op_cpu_seconds(step->op, shape, params),
                              img_op_cuda_seconds(step->op, shape, params)};
    (void)img_op_traffic(step->op, shape, params);
    (void)img_op_scratch(step->op, shape, params, 4);
    (void)img_op_effect(step->op, shape, params);
    expect(isfinite(seconds[0]) && seconds[0] >= 0 && isfinite(seconds[1]) && seconds[1] >= 0,
           "%s takes %g and %g s", step->op->name, seconds[0], seconds[1]);
    expect(result.width > 0 && result.height > 0, "%s gives %d x %d", step->op->name, result.width,
           result.height);
    judge_rectangle(step, shape, wanted);
}

/* Returns true if the operation accepts the parameters for a source of this shape. Then sets
 * `result`. */
static bool has_shape(const ImgStep *step, ImgShape shape, ImgShape *result)
{
    ImgError err = {IMG_OK, ""};
    const ImgStatus status = step->op->shape(shape, step->params.bytes, result, &err);
    expect(status == err.status && (err.message[0] == '\0') == (status == IMG_OK),
           "%s: status %d, message '%s'", step->op->name, (int)status, err.message);
    expect(status == IMG_OK || status == IMG_E_USAGE || status == IMG_E_UNSUPPORTED ||
               status == IMG_E_LIMIT,
           "%s: status %d: %s", step->op->name, (int)status, err.message);
    return status == IMG_OK;
}

bool choose_step(Choices *choices, const ImgOp *op, const CaseLimits *limits, ImgShape *shape,
                 ImgStep *step, ImgShape *result)
{
    enum { TIMES = 4 };
    const ImgFacts facts = choose_facts(choices);
    memset(step, 0, sizeof *step);
    step->op = op;
    choose_params(choices, op, *shape, &step->params);
    const ImgParams params = step->params;
    for (;; make_smaller(shape)) {
        step->params = params;
        bind(op, &facts, *shape, &step->params);
        if (!has_shape(step, *shape, result))
            return false;
        const bool is_table =
            /* a table may be larger than a small picture, because its size does not depend on the
             * picture */
            result->format.color == IMG_COLOR_COUNTS;
        const int64_t most = is_table ? INT32_MAX : TIMES * limits->pixels;
        const bool fits = (int64_t)result->width * result->height <= most &&
                          img_op_cpu_seconds(op, *shape, step->params.bytes) <= limits->seconds;
        if (fits || (shape->width == 1 && shape->height == 1)) {
            judge_claims(step, *shape, *result,
                         (ImgRows){result->height / 3, result->height / 3 + 1});
            return fits;
        }
    }
}

/* Runs the measurement of the operation (ImgOpMeasured.by), itself an operation, on the picture of
 * the case. Completes the parameters of the case from the resulting table. */
static void measure(Case *one)
{
    const ImgOp *op = one->op->measured.by;
    ImgImage source, table;
    ImgShape shape;
    Random random = {one->seed};
    ImgError err = {IMG_OK, ""};
    expect(op->shape(one->shape, one->params.bytes, &shape, &err) == IMG_OK, "%s: %s", op->name,
           err.message);
    expect(img_image_alloc(one->shape, &source, &err) == IMG_OK &&
               img_image_alloc(shape, &table, &err) == IMG_OK,
           "%s", err.message);
    fill_view(&source.view, one->fill, &random);
    ImgCall call = {
        .op = op, .src = source.view, .dst = table.view, .params = one->params.bytes, .threads = 1};
    expect(img_op_prepare(op, one->shape, call.params, &call.constants, &err) == IMG_OK, "%s",
           err.message);
    expect(op->impls[0].run(&call, &err) == IMG_OK, "%s", err.message);
    one->op->measured.take(one->params.bytes, one->shape, &table.view);
    img_constants_free(&call.constants);
    img_image_free(&table);
    img_image_free(&source);
}

bool choose_case(Choices *choices, const CaseLimits *limits, Case *one)
{
    ImgStep step;
    const ImgOp *op = choose_op(choices, true);
    *one = (Case){.op = op, .shape = choose_shape(choices, limits)};
    one->fill = (Fill)choose_below(choices, FILL_COUNT);
    one->seed = 1 + choose_16(choices);
    one->threads = 1 + (int)choose_below(choices, 4);
    bool runs = choose_step(choices, op, limits, &one->shape, &step, &one->result);
    one->params = step.params;
    if (runs && op->measured.by != NULL) {
        measure(one);
        step.params = one->params;
        runs = has_shape(&step, one->shape, &one->result);
        /* A file may have too many colours for a palette. */
        expect(runs || op->palette.get != NULL, "%s is rejected after it has measured", op->name);
    }
    count_case(op, !runs);
    return runs;
}

/* --- Counts ----------------------------------------------------------------------------------- */

enum { OPS_MOST = 128 };
static struct {
    unsigned long long ran, refused;
} counts[OPS_MOST];

static void print_counts(void)
{
    const ImgOp *op;
    for (size_t o = 0; o < OPS_MOST && (op = img_op_at(o)) != NULL; o++)
        fprintf(stderr, "%-14s %9llu ran %9llu refused\n", op->name, counts[o].ran,
                counts[o].refused);
}

void count_case(const ImgOp *op, bool refused)
{
    static bool is_asked, is_known;
    if (!is_known && getenv("IMGTOOL_FUZZ_COUNTS") != NULL)
        is_asked = atexit(print_counts) == 0;
    is_known = true;
    for (size_t o = 0; is_asked && o < OPS_MOST && img_op_at(o) != NULL; o++)
        if (img_op_at(o) == op)
            refused ? counts[o].refused++ : counts[o].ran++;
}
