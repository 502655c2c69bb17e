/* clahe on the CPU. Threads first count the pixels of tiles and compute tables, unless an earlier
 * pass over the source has done that (clahe_two_passes.c). After that they compute new pixels, row
 * by row. */
#include <stdlib.h>
#include <string.h>

#include "kernels/clahe/clahe.h"

/* Inputs for computing one row of new pixels. */
typedef struct RowWork {
    const ImgClahePlan *plan;
    const uint16_t *tables;
    const ImgBetween *columns; /* for each column of pixels, the two tiles around it */
    ImgBetween down;
    /* For up to 8 bits per sample: tables that are already interpolated vertically, one for each
     * column of tiles. */
    uint32_t *blended;
} RowWork;

/* Interpolates vertically between the tables of two rows of tiles, for all columns of tiles. All
 * sums fit 32 bits: 8-bit entries times two weights of 12 bits, one for each axis, and a term for
 * rounding. */
static void blend_down(const RowWork *clahe)
{
    const ImgClahePlan *plan = clahe->plan;
    size_t row = (size_t)plan->across << plan->bin_bits;
    const uint16_t *upper = clahe->tables + (size_t)clahe->down.first * row;
    const uint16_t *lower = clahe->tables + (size_t)clahe->down.second * row;
    uint32_t weight = clahe->down.weight, rest = (1U << plan->weight_bits) - weight;
    for (size_t i = 0; i < row; i++)
        clahe->blended[i] = upper[i] * rest + lower[i] * weight;
}

static inline uint32_t new_value_8(const RowWork *clahe, int32_t x, uint32_t value)
{
    const ImgClahePlan *plan = clahe->plan;
    ImgBetween at = clahe->columns[x];
    uint32_t left = clahe->blended[((size_t)at.first << plan->bin_bits) + value];
    uint32_t right = clahe->blended[((size_t)at.second << plan->bin_bits) + value];
    uint32_t whole = 1U << plan->weight_bits, half = whole * whole / 2;
    return (left * (whole - at.weight) + right * at.weight + half) >> 2 * plan->weight_bits;
}

static inline uint32_t new_value_16(const RowWork *clahe, int32_t x, uint32_t value)
{
    return img_clahe_blended(clahe->plan, clahe->tables, clahe->columns[x], clahe->down, value);
}

#define SAMPLE     uint8_t
#define NAME(word) word##_8
#include "kernels/clahe/clahe_rows_source.h"

/* A 16-bit sample that may be at an odd address, because the caller may pass unaligned rows. */
typedef uint16_t Sample16 __attribute__((aligned(1), may_alias));

#define SAMPLE     Sample16
#define NAME(word) word##_16
#include "kernels/clahe/clahe_rows_source.h"

void img_clahe_count_row(const ImgClahePlan *plan, const void *row, int32_t from, int32_t to,
                         uint32_t *counts)
{
    if (plan->bits == 16)
        count_row_16(plan, row, from, to, counts);
    else
        count_row_8(plan, row, from, to, counts);
}

typedef struct Memory {
    ImgBetween *columns;
    /* Scratch memory, one area per part of the picture (ClaheParts): the counts of a tile, later
     * the blended tables of a row. */
    uint32_t *scratch;
    uint16_t *tables;
    /* Tables from an earlier pass over the source, used instead of `tables`. NULL if there was no
     * such pass; then the source is the whole picture. */
    const ImgClaheMeasured *measured;
} Memory;

static size_t scratch_size(const ImgClahePlan *plan)
{
    return (size_t)(plan->bits < 16 ? plan->across : 1) << plan->bin_bits;
}

static void make_table(const ImgCall *call, const ImgClahePlan *plan, int32_t tile,
                       uint32_t *counts, uint16_t *table)
{
    int32_t i = tile % plan->across, j = tile / plan->across;
    int32_t left = img_clahe_border(i, plan->width, plan->across);
    int32_t right = img_clahe_border(i + 1, plan->width, plan->across);
    memset(counts, 0, sizeof *counts << plan->bin_bits);
    for (int32_t y = img_clahe_border(j, plan->height, plan->down);
         y < img_clahe_border(j + 1, plan->height, plan->down); y++) {
        const uint8_t *row = call->src.data + (size_t)y * call->src.stride;
        img_clahe_count_row(plan, row, left, right, counts);
    }
    img_clahe_table(plan, counts, table);
}

static void change_row(const ImgCall *call, const ImgClahePlan *plan, const Memory *memory,
                       int32_t y, uint32_t *blended)
{
    const uint8_t *from = call->src.data + (size_t)y * call->src.stride;
    uint8_t *to = call->dst.data + (size_t)y * call->dst.stride;
    const ImgClaheMeasured *measured = memory->measured;
    const int32_t at = measured != NULL ? measured->first + y : y;
    RowWork clahe = {plan, memory->tables, memory->columns,
                     img_clahe_between(at, plan->height, plan->down, plan->weight_bits), blended};
    if (measured != NULL) {
        clahe.tables = measured->tables;
        clahe.down.first -= measured->first_tile;
        clahe.down.second -= measured->first_tile;
    }
    if (plan->bits == 16) {
        change_row_16(&clahe, from, to);
        return;
    }
    blend_down(&clahe);
    change_row_8(&clahe, from, to);
}

/* The picture, divided into parts that threads process in parallel. Each part has its own scratch
 * memory. */
typedef struct ClaheParts {
    const ImgCall *call;
    const ImgClahePlan *plan;
    const Memory *memory;
    int parts;
} ClaheParts;

static uint32_t *scratch_of(const ClaheParts *clahe, int part)
{
    return clahe->memory->scratch + (size_t)part * scratch_size(clahe->plan);
}

static void make_tables(void *context, int part)
{
    const ClaheParts *clahe = context;
    const ImgClahePlan *plan = clahe->plan;
    for (int32_t tile = part; tile < plan->across * plan->down; tile += clahe->parts)
        make_table(clahe->call, plan, tile, scratch_of(clahe, part),
                   clahe->memory->tables + ((size_t)tile << plan->bin_bits));
}

static void change_rows(void *context, int part)
{
    const ClaheParts *clahe = context;
    int64_t height = clahe->call->src.height;
    int32_t end = (int32_t)(height * (part + 1) / clahe->parts);
    for (int32_t y = (int32_t)(height * part / clahe->parts); y < end; y++)
        change_row(clahe->call, clahe->plan, clahe->memory, y, scratch_of(clahe, part));
}

static void run_parts(const ImgCall *call, const ImgClahePlan *plan, const Memory *memory,
                      int threads)
{
    ClaheParts clahe = {call, plan, memory, threads};
    for (int32_t x = 0; x < plan->width; x++)
        memory->columns[x] = img_clahe_between(x, plan->width, plan->across, plan->weight_bits);
    if (memory->measured == NULL)
        (void)img_parallel_run(call->team, threads, make_tables, &clahe);
    (void)img_parallel_run(call->team, threads, change_rows, &clahe);
}

/* Returns the number of threads to use. Small pictures use one thread. The implementation and
 * img_clahe_scratch must agree on this number. */
static int threads_for(ImgShape src, const void *params, int threads)
{
    return img_op_traffic(&img_op_clahe, src, params) < IMG_BYTES_WORTH_THREADS ? 1 : threads;
}

uint64_t img_clahe_scratch(ImgShape src, const void *params, int threads)
{
    const uint64_t copy = img_prepass_scratch(IMG_PREPASS_WIDEN, src);
    const ImgView view = img_view_make(NULL, 0, img_prepass_shape(IMG_PREPASS_WIDEN, src));
    const ImgCall call = {.src = view, .dst = view, .params = params};
    const ImgClahePlan plan = img_clahe_plan(&call);
    const uint64_t tiles = (uint64_t)plan.across * (uint64_t)plan.down;
    const uint64_t parts = (uint64_t)threads_for(src, params, threads);
    return copy + (uint64_t)plan.width * sizeof(ImgBetween) +
           parts * scratch_size(&plan) * sizeof(uint32_t) +
           (tiles * sizeof(uint16_t) << plan.bin_bits);
}

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    int threads = threads_for(img_view_shape(&call->src), call->params, call->threads);
    const ImgClaheMeasured *measured = call->constants.bytes;
    ImgCall whole = *call;
    if (measured != NULL)
        whole.src.height = measured->height;
    ImgClahePlan plan = img_clahe_plan(&whole);
    size_t tiles = measured == NULL ? (size_t)plan.across * (size_t)plan.down : 1;
    Memory memory = {
        .measured = measured,
        .columns = malloc((size_t)plan.width * sizeof *memory.columns),
        .scratch = malloc((size_t)threads * scratch_size(&plan) * sizeof *memory.scratch),
        .tables = malloc(tiles * sizeof *memory.tables << plan.bin_bits),
    };
    ImgStatus status = IMG_OK;
    if (memory.columns == NULL || memory.scratch == NULL || memory.tables == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    else
        run_parts(call, &plan, &memory, threads);
    free(memory.columns);
    free(memory.scratch);
    free(memory.tables);
    return status;
}

ImgStatus img_clahe_cpu(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(IMG_PREPASS_WIDEN, call, run, NULL, err);
}
