/* Experiments whose variants are implementations of an operation, from the table of operations. */
#include <stdio.h>
#include <string.h>

#include "app/bench/lab/lab.h"
#include "app/bench/measure/counters.h"
#include "app/bench/measure/workload.h"
#include "app/bench/model/model.h"
#include "app/cli/pipeline.h"
#include "kernels/core/select.h"

static const char *const pixel_sizes[] = {"gray8", "gray16", "rgb8", "rgba8",
                                          "rgb16", "rgba16", NULL};
static const char *const quarter_turns[] = {"transpose", "rotate angle=90", "rotate angle=270",
                                            NULL};
static const char *const sums[] = {"sum", NULL};
static const char *const rgb[] = {"rgb8", NULL};
static const char *const grays[] = {"grayscale", NULL};

static const char *const transposes[] = {"transpose", NULL};
static const char *const rgba[] = {"rgba8", NULL};

static const char *const look_at_first[] = {
    "cuda-naive-read: look at 'sectors written'. The 32 threads of a warp write 32 pixels of one "
    "column, each into a sector of its own: 16,384 sectors, where 2,048 would hold them all.",
    "cuda-tiled: a block reads a tile of 32 x 32 pixels by rows into shared memory and writes its "
    "columns as rows. Both sides have 2,048 sectors now. But the 32 words of a column of the tile "
    "lie in one bank: look at the wavefronts of 'shared reads', 32 for each read.",
    "cuda-padded-bank: one unused word after each row of the tile moves every row on by a "
    "bank. A column meets all 32 banks, and a read takes one wavefront.",
    "Next:",
    "  imgtool bench lab first --show     the kernels' source",
    "  imgtool bench lab first --plot first.png",
    "  imgtool bench lab square           the bank conflict alone, in 32 x 32 words",
    "  imgtool bench lab coalescing       pixels of 3 bytes: sectors again",
    "  imgtool bench lab sum              branches that split warps",
    "  imgtool bench lab --list -v        more experiments; 'lab all' runs them",
    NULL,
};

/* Size of the pictures for counting, in pixels. Width and height are odd and larger than any tile,
 * so that edges are counted too. The picture is small, because the emulator needs a microsecond for
 * a nanosecond of work on a GPU. */
enum { WIDTH = 131, HEIGHT = 97 };

const LabOps lab_ops[] = {
    {.name = LAB_FIRST,
     .title = "The first lesson: why a transpose needs a tile, and the tile padding",
     .help =
         "A transpose reads rows and writes columns. A GPU moves memory in sectors of 32 bytes, "
         "and its shared memory has 32 banks of 4 bytes: a column is bad for both. Three "
         "kernels turn the same 128 x 128 pixels of 4 bytes.",
     .look = look_at_first,
     .impls = "cuda-naive-read cuda-tiled cuda-padded-bank",
     .only_named = true,
     .width = 128,
     .height = 128,
     .sources = "kernels/turn/cuda/turn_textbook.cu",
     .steps = transposes,
     .counters = {LAB_GLOBAL_SECTORS, LAB_SHARED_WAVEFRONTS},
     .formats = rgba},
    {.name = "turns",
     .title = "Transposes and quarter turns, pixels of 1, 2, 3, 4, 6 and 8 bytes",
     .help = "Compares naive transposes, which read or write with large strides, with tiles in "
             "shared memory, and with padded, swizzled and vectorised tiles. The effect of "
             "padding depends on the size of a pixel: one pixel per row avoids conflicts for "
             "pixels of 4 bytes, and one bank per row for all sizes up to 6 bytes. Sources: "
             "Cheng, Grossman, McKercher, \"Professional CUDA C Programming\", chapters 4 and "
             "5; kernels/turn/MEASUREMENTS.md for the variant cuda-fast.",
     .width = WIDTH,
     .height = HEIGHT,
     .sources = "kernels/turn/cuda/turn_textbook.cu kernels/turn/cuda/turn_fast.cu",
     .steps = quarter_turns,
     .counters = {LAB_GLOBAL_SECTORS, LAB_SHARED_WAVEFRONTS},
     .formats = pixel_sizes},
    {.name = "image-sums",
     .title = "Sums over images, pixels of 1, 2, 3, 4, 6 and 8 bytes",
     .help = "The steps of a parallel sum (see 'sum'), on pictures. Every block ends with one "
             "atomic addition per channel. The time of these additions hides the cost of "
             "divergence, unless the blocks are fewer and larger. Source: Hwu, Kirk, El Hajj, "
             "\"Programming Massively Parallel Processors\", chapter 10.",
     .width = WIDTH,
     .height = HEIGHT,
     .sources = "kernels/sum/cuda/sum_textbook.cu kernels/sum/cuda/sum_dot.cu",
     .steps = sums,
     .counters = {LAB_SPLIT_BRANCHES},
     .formats = pixel_sizes},
    {.name = "grays",
     .title = "RGB images to gray: how a warp gets pixels of 3 bytes",
     .help = "The problem of the experiment 'coalescing' in an operation. One thread per pixel "
             "loads three single bytes, and each load touches all sectors of its warp: three "
             "times the sectors of the picture. Contiguous words that are staged in shared "
             "memory, or exchanged by shuffles, touch each sector once. The variant cuda-fast "
             "loads 16 bytes per lane, 48 bytes apart. It touches most sectors twice, the "
             "second time in the L1 cache. The variant cuda-naive uses the general code of "
             "point operations, whose arithmetic takes more time than its loads.",
     .width = WIDTH,
     .height = HEIGHT,
     .sources = "kernels/point/cuda/grayscale_textbook.cu",
     .steps = grays,
     .counters = {LAB_GLOBAL_SECTORS},
     .formats = rgb},
    {.name = NULL},
};

/* The result of the reference implementation and the result of the emulator, for the same
 * picture. */
typedef struct Results {
    ImgImage expected, got;
} Results;

static void results_free(Results *results)
{
    img_image_free(&results->expected);
    img_image_free(&results->got);
}

static ImgStatus results_make(const ImgStep *step, const ImgView *src, Results *results,
                              ImgError *err)
{
    ImgShape shape;
    *results = (Results){IMG_IMAGE_NONE, IMG_IMAGE_NONE};
    ImgStatus status = step->op->shape(img_view_shape(src), step->params.bytes, &shape, err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &results->expected, err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &results->got, err);
    ImgCall call = {.op = step->op,
                    .src = *src,
                    .dst = results->expected.view,
                    .params = step->params.bytes,
                    .threads = 1};
    if (status == IMG_OK)
        status =
            img_op_prepare(step->op, img_view_shape(src), step->params.bytes, &call.constants, err);
    if (status == IMG_OK)
        status = step->op->impls[0].run(&call, err);
    img_constants_free(&call.constants);
    return status;
}

static ImgStatus count_row(const Bench *bench, const BenchGroup *group, const ImgStep *step,
                           const ImgView *src, Results *results, BenchRow *row, ImgError *err)
{
    memset(results->got.view.data, 0x3c, results->got.size);
    ImgStatus status = img_model_op(step->op->name, row->name, step->params.bytes, src,
                                    &results->got.view, &row->counts, err);
    if (status == IMG_OK)
        status = workload_compare(&results->expected.view, &results->got.view, err);
    if (status != IMG_OK)
        return status;
    row->counting = bench_counters_replace(bench->counters, group->title, group->counted, row->name,
                                           &row->counts)
                        ? BENCH_MEASURED
                        : BENCH_MODELLED;
    return IMG_OK;
}

static void count_rows(const Bench *bench, BenchGroup *group, const ImgStep *step,
                       const ImgView *src, Results *results)
{
    for (size_t i = 0; i < group->count && !bench->stopped(); i++) {
        BenchRow *row = &group->rows[i];
        ImgError failure = {IMG_OK, ""};
        if (row->verdict == BENCH_VERIFIED &&
            count_row(bench, group, step, src, results, row, &failure) != IMG_OK &&
            (bench->device == NULL || failure.status != IMG_E_UNAVAILABLE))
            bench_row_fail(row, &failure);
    }
}

/* Adds to a group the text of the experiment, and the counts for a picture of the experiment's
 * size. Bench.complete points to this function. */
static ImgStatus complete_group(Bench *bench, BenchGroup *group, const ImgStep *step,
                                ImgFormat format, ImgError *err)
{
    const LabOps *experiment = bench->completing;
    ImgImage picture;
    ImgShape shape = {experiment->width, experiment->height, format};
    snprintf(group->counted, sizeof group->counted, "%s %dx%d", group->format, experiment->width,
             experiment->height);
    if (bench->settings->profile)
        return IMG_OK;
    ImgStatus status = img_image_alloc(shape, &picture, err);
    if (status != IMG_OK)
        return status;
    Results results;
    bench_fill_photo(&picture.view, 1);
    status = results_make(step, &picture.view, &results, err);
    if (status == IMG_OK)
        count_rows(bench, group, step, &picture.view, &results);
    results_free(&results);
    img_image_free(&picture);
    group->section = BENCH_LAB;
    memcpy(group->counters, experiment->counters, sizeof group->counters);
    lab_explain(bench, group, experiment->title, experiment->help);
    group->look = experiment->look;
    return status;
}

static const BenchFormat *find_format(const char *name)
{
    const BenchFormat *format = bench_formats;
    while (strcmp(format->name, name) != 0)
        format++;
    return format;
}

/* Makes the plan of an experiment. The sizes come from the options, and so do the formats if
 * --format is given. Otherwise the experiment defines the formats. */
static ImgStatus plan_for(const Bench *bench, const LabOps *experiment, BenchPlan *plan,
                          ImgError *err)
{
    ImgStatus status = IMG_OK;
    *plan = bench->plan;
    plan->step_count = 0;
    plan->cpu = false;
    plan->cuda = true;
    for (size_t i = 0; experiment->steps[i] != NULL && status == IMG_OK; i++)
        status = pipeline_parse_single(experiment->steps[i], &plan->steps[plan->step_count++], err);
    for (const char *name = experiment->impls; name != NULL && *name != '\0';
         name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");
        snprintf(plan->impls[plan->impl_count++], sizeof plan->impls[0], "%.*s", (int)length, name);
        name += length;
    }
    if (bench->settings->formats != NULL)
        return status;
    plan->format_count = 0;
    for (size_t i = 0; experiment->formats[i] != NULL; i++)
        plan->formats[plan->format_count++] = find_format(experiment->formats[i]);
    return status;
}

ImgStatus bench_lab_ops(Bench *bench, const LabOps *experiment, ImgError *err)
{
    BenchPlan own = bench->plan;
    ImgStatus status = plan_for(bench, experiment, &bench->plan, err);
    bench->complete = complete_group;
    bench->modelled = bench->device == NULL;
    bench->completing = experiment;
    if (status == IMG_OK && bench->device != NULL && !bench->settings->small)
        status = bench_ops(bench, err);
    if (status == IMG_OK &&
        (bench->device == NULL || bench->settings->small || bench->settings->profile)) {
        bench->plan.size_count = 1;
        bench->plan.sizes[0][0] = experiment->width;
        bench->plan.sizes[0][1] = experiment->height;
        status = bench_ops(bench, err);
    }
    bench->complete = NULL;
    bench->modelled = false;
    bench->plan = own;
    return status;
}
