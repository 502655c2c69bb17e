/* memory_steps: runs random steps on random pictures in one process. Compares the memory that the
 * steps use in addition to the pictures with the memory that the plan states. It covers many more
 * steps than memory_jobs does. It uses no files, because their memory would hide the memory of
 * steps. README.md has more.
 *
 *     memory_steps [--seed N] [--cases N | --only N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/pipeline/pipeline.h"
#include "tests/checkkernels/fill.h"
#include "tests/memory/jobs.h"
#include "tests/memory/peak.h"

/* BESIDE is the number of bytes that no plan includes, "some 100 KiB" (kernels/core/op.h), for an
 * operation, its threads, and data kept between runs. */
enum { BESIDE = 128 << 10, STEPS = 3, THREADS = 8, CASES = 2000 };
enum { USUAL = 700 };

typedef struct Case {
    ImgStep steps[STEPS];
    size_t count;
    ImgShape shape;
    ImgRoom room;
} Case;

typedef struct Totals {
    uint64_t runs, in_bands, refused, wrong;
    uint64_t most; /* largest number of bytes that a case used in addition to its plan */
} Totals;

/* --- Cases ------------------------------------------------------------------------------------ */

static uint32_t below(void *random, uint32_t bound)
{
    return random_below(random, bound);
}

static ImgShape draw_shape(Random *random)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 1},  {IMG_COLOR_GRAY, 4}, {IMG_COLOR_GRAY, 8},
        {IMG_COLOR_GRAY, 16}, {IMG_COLOR_RGB, 8},  {IMG_COLOR_GRAY_ALPHA, 8},
        {IMG_COLOR_RGBA, 8},  {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16}};
    ImgShape shape = draw_sides(below, random, USUAL);
    shape.format = formats[random_below(random, sizeof formats / sizeof *formats)];
    return shape;
}

static void draw_files(ImgStep *step, Random *random)
{
    for (const ImgParam *param = step->op->params; param->name != NULL; param++)
        if (param->type == IMG_PARAM_FILE)
            draw_file(step->op, param, random, &step->params);
}

/* Draws the available memory and threads of a case. In half of the cases the memory is less than
 * all threads would use. */
static void draw_room(Case *drawn, Random *random)
{
    ImgShape dst;
    uint64_t least, most;
    ImgRoom one = {1, UINT64_MAX, false},
            all = {1 + (int)random_below(random, THREADS), UINT64_MAX, false};
    const ImgFacts facts = {.light = IMG_LIGHT_SRGB};
    drawn->room = all;
    if (img_steps_plan(drawn->steps, drawn->count, drawn->shape, &facts, one, &dst, &least, NULL) ==
            IMG_OK &&
        img_steps_plan(drawn->steps, drawn->count, drawn->shape, &facts, all, &dst, &most, NULL) ==
            IMG_OK &&
        random_below(random, 2) == 0 && most > least)
        drawn->room.bytes = least + random_next(random) % (most - least);
}

/* Makes case `number` for a seed. Returns false if an operation in it first measures a size,
 * because the memory of its result is not known in advance. */
static bool draw_case(uint64_t seed, uint64_t number, Case *drawn)
{
    static const StepFiles files = {"look.cube", "kernel.txt", "picture.png"};
    static const double seconds = 0.05;
    Random random = random_start(seed, number);
    const size_t wanted = 1 + random_below(&random, 2) * random_below(&random, STEPS);
    memset(drawn, 0, sizeof *drawn);
    drawn->shape = draw_shape(&random);
    ImgShape shape = drawn->shape;
    for (; drawn->count < wanted; drawn->count++) {
        ImgStep *step = &drawn->steps[drawn->count];
        if (!step_draw(&files, &shape, seconds, &random, step))
            break;
        draw_files(step, &random);
    }
    draw_room(drawn, &random);
    return drawn->count > 0 && !img_steps_measure(drawn->steps, drawn->count);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void fill(const ImgImage *image, uint64_t number)
{
    Random random = random_start(number, 1);
    fill_view(&image->view, number % 2 == 0 ? FILL_RANDOM : FILL_PLACE, &random);
}

static void report(const Case *run, uint64_t number, const char *how, uint64_t planned,
                   size_t taken, Totals *totals)
{
    char text[STEPS_TEXT];
    totals->runs++;
    if (taken > planned && taken - planned > totals->most)
        totals->most = taken - planned;
    if (taken <= planned + BESIDE)
        return;
    totals->wrong++;
    img_pipeline_print(run->steps, run->count, text, sizeof text);
    printf("WRONG: case %llu, %s: %zu bytes, %llu planned: %d x %d, %s of %d bits, %d threads, "
           "room %llu\n    %s\n",
           (unsigned long long)number, how, taken, (unsigned long long)planned, run->shape.width,
           run->shape.height, img_color_name(run->shape.format.color), run->shape.format.bits,
           run->room.threads, (unsigned long long)run->room.bytes, text);
}

/* Returns an executor that is limited to the planned memory. Commands and the library limit their
 * executors in the same way. */
static ImgExec *make_exec(const Case *run, uint64_t planned)
{
    ImgExec *exec = NULL;
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = run->room.threads};
    const ImgExecLimits limits = {.room_bytes = planned, .most_bytes = planned};
    if (img_exec_create(&config, &exec, NULL) != IMG_OK)
        abort();
    img_exec_set_limits(exec, &limits);
    return exec;
}

static void run_whole(Case *run, uint64_t number, uint64_t planned, Totals *totals)
{
    ImgImage image;
    heap_peak_start();
    if (img_image_alloc(run->shape, &image, NULL) != IMG_OK)
        abort();
    fill(&image, number);
    ImgExec *exec = make_exec(run, planned);
    const ImgStatus status = img_exec_run(exec, run->steps, run->count, &image, NULL, NULL);
    const size_t taken = heap_peak_end();
    totals->refused += status != IMG_OK;
    report(run, number, "as a whole", planned, taken, totals);
    img_exec_destroy(exec);
    img_image_free(&image);
}

static ImgStatus give_rows(void *context, int32_t first, int32_t count, ImgView *rows,
                           ImgError *err)
{
    const ImgImage *from = context;
    (void)err;
    *rows = img_view_crop(&from->view, 0, first, from->view.width, count);
    return IMG_OK;
}

static void run_in_bands(Case *run, uint64_t number, Totals *totals)
{
    ImgImage from, image = IMG_IMAGE_NONE;
    ImgBandsPlan plan;
    ImgBands *bands;
    ImgRunReport told;
    if (!img_bands_plan(run->steps, run->count, run->shape, NULL, run->room, (ImgBandHeights){0, 0},
                        IMG_BANDS_IN_ORDER, &plan))
        return;
    if (img_image_alloc(run->shape, &from, NULL) != IMG_OK)
        abort();
    fill(&from, number);
    heap_peak_start();
    ImgExec *exec = make_exec(run, plan.peak_bytes);
    const ImgRowSource source = {.shape = run->shape, .rows = give_rows, .context = &from};
    ImgStatus status = img_bands_begin(exec, run->steps, run->count, &source,
                                       (ImgBandHeights){0, 0}, NULL, &bands, NULL);
    if (status == IMG_OK)
        status = img_bands_collect(bands, &image, NULL);
    img_bands_end(bands, &told);
    const size_t taken = heap_peak_end();
    totals->in_bands++;
    totals->refused += status != IMG_OK;
    report(run, number, "in bands", plan.peak_bytes, taken, totals);
    img_exec_destroy(exec);
    img_image_free(&image);
    img_image_free(&from);
}

static void do_case(uint64_t seed, uint64_t number, Totals *totals)
{
    Case run;
    ImgShape dst;
    uint64_t planned;
    const ImgFacts facts = {.light = IMG_LIGHT_SRGB};
    if (!draw_case(seed, number, &run) || img_steps_plan(run.steps, run.count, run.shape, &facts,
                                                         run.room, &dst, &planned, NULL) != IMG_OK)
        return;
    run_whole(&run, number, planned, totals);
    run_in_bands(&run, number, totals);
}

int main(int argc, char **argv)
{
    const CaseOptions options = case_options(argc, argv, CASES);
    Totals totals = {0};
    for (uint64_t i = 0; i < options.count; i++)
        do_case(options.seed, options.first + i, &totals);
    printf("%llu runs of seed %llu, %llu of them in bands, %llu refused, at most %llu bytes "
           "beside a plan, %llu wrong\n",
           (unsigned long long)totals.runs, (unsigned long long)options.seed,
           (unsigned long long)totals.in_bands, (unsigned long long)totals.refused,
           (unsigned long long)totals.most, (unsigned long long)totals.wrong);
    return totals.runs == 0 || totals.wrong > 0;
}
