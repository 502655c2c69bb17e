/* The tone family on the CPU. The histogram counts the samples, in several threads. After that,
 * threads change the rows. If the samples were counted in an earlier pass over the source, only
 * rows are changed. */
#include <stdlib.h>
#include <string.h>

#include "kernels/tone/tone.h"

/* Number of pixels per run. Long rows are divided into runs, which different threads may
 * process. */
enum { RUN = 1 << 16 };

/* Inputs of the loops that change rows. Entries of maps have the type of the picture's samples, so
 * that 8-bit maps are small. */
typedef struct Recolouring {
    ImgTonePlan plan;
    const void *maps[3]; /* for IMG_TONE_SAMPLES: one table per colour channel */
    int32_t *shifts;     /* for IMG_TONE_SHIFT: new luma minus old luma, indexed by old luma */
    uint32_t level;      /* for IMG_TONE_SPLIT: level between black and white */
    int32_t maximum;
} Recolouring;

typedef void RowFunction(const Recolouring *how, const void *from, void *to, int32_t width);

#define SAMPLE     uint8_t
#define NAME(word) word##_8
#include "kernels/tone/tone_rows_source.h"

/* A 16-bit sample that may be at an odd address, because the caller may pass unaligned rows. */
typedef uint16_t Sample16 __attribute__((aligned(1), may_alias));

#define SAMPLE     Sample16
#define NAME(word) word##_16
#include "kernels/tone/tone_rows_source.h"

/* Addresses of counts and tables, which are in one block of memory. */
typedef struct Memory {
    uint64_t *counts;
    int32_t *shifts;
    uint16_t *tables;
    uint8_t *narrow;
} Memory;

static size_t memory_bytes(const ImgTonePlan *plan, ImgFormat format)
{
    size_t bins = (size_t)1 << plan->bits, tables = (size_t)plan->tables;
    size_t rows = (size_t)img_histogram_rows(format, &plan->counted);
    return bins * (rows * sizeof(uint64_t) + sizeof(int32_t) + tables * (sizeof(uint16_t) + 1));
}

uint64_t img_tone_scratch(const ImgOp *op, ImgShape src, const void *params, int threads)
{
    const uint64_t copy = img_prepass_scratch(img_tone_prepass(op), src);
    src = img_prepass_shape(img_tone_prepass(op), src);
    const ImgTonePlan plan = img_tone_plan(op, src.format, params);
    return copy + memory_bytes(&plan, src.format) +
           img_histogram_scratch(src, &plan.counted, threads);
}

static ImgStatus take_memory(const ImgTonePlan *plan, ImgFormat format, Memory *memory,
                             ImgError *err)
{
    size_t bins = (size_t)1 << plan->bits, tables = (size_t)plan->tables;
    size_t rows = (size_t)img_histogram_rows(format, &plan->counted);
    memory->counts = malloc(memory_bytes(plan, format));
    if (memory->counts == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    memory->shifts = (int32_t *)(memory->counts + rows * bins);
    memory->tables = (uint16_t *)(memory->shifts + bins);
    memory->narrow = (uint8_t *)(memory->tables + tables * bins);
    return IMG_OK;
}

static void prepare(Recolouring *how, const Memory *memory)
{
    const ImgTonePlan *plan = &how->plan;
    size_t bins = (size_t)1 << plan->bits, entries = (size_t)plan->tables * bins;
    how->maximum = (int32_t)bins - 1;
    how->shifts = memory->shifts;
    if (plan->way == IMG_TONE_SHIFT)
        for (size_t v = 0; v < bins; v++)
            memory->shifts[v] = (int32_t)memory->tables[v] - (int32_t)v;
    if (plan->way != IMG_TONE_SAMPLES)
        return;
    if (plan->bits < 16)
        for (size_t i = 0; i < entries; i++)
            memory->narrow[i] = (uint8_t)memory->tables[i];
    for (int32_t c = 0; c < 3; c++) {
        size_t at = c < plan->tables ? (size_t)c * bins : 0;
        how->maps[c] = plan->bits < 16 ? (const void *)(memory->narrow + at) : memory->tables + at;
    }
}

typedef struct Rows {
    const ImgView *src, *dst;
    const Recolouring *how;
    RowFunction *run;
    int64_t runs; /* number of runs per row */
} Rows;

static void change_runs(void *context, int64_t first, int64_t end)
{
    const Rows *rows = context;
    const ImgView *src = rows->src, *dst = rows->dst;
    size_t from_size = img_format_pixel_size(src->format);
    size_t to_size = img_format_pixel_size(dst->format);
    for (int64_t i = first; i < end; i++) {
        size_t y = (size_t)(i / rows->runs), x = (size_t)(i % rows->runs) * RUN;
        int32_t left = src->width - (int32_t)x, width = left < RUN ? left : RUN;
        rows->run(rows->how, src->data + y * src->stride + x * from_size,
                  dst->data + y * dst->stride + x * to_size, width);
    }
}

static void run_rows(const ImgCall *call, const Recolouring *how, int threads)
{
    Rows rows = {&call->src, &call->dst, how,
                 how->plan.bits < 16 ? row_function_8(how->plan.way)
                                     : row_function_16(how->plan.way),
                 (call->src.width + (int64_t)RUN - 1) / RUN};
    img_parallel_for(call->team, threads, rows.runs * call->src.height, change_runs, &rows);
}

/* --- Two passes over the source --------------------------------------------------------------- */

/* The constants of the second pass: what was computed from the counts of the whole picture. */
typedef struct Measured {
    uint32_t level;    /* see Recolouring */
    uint16_t tables[]; /* as img_tone_tables computes them */
} Measured;

static size_t tables_bytes(const ImgTonePlan *plan)
{
    return (sizeof(uint16_t) << plan->bits) * (size_t)plan->tables;
}

static void take_measured(const Measured *measured, Recolouring *how, const Memory *memory)
{
    how->level = measured->level;
    memcpy(memory->tables, measured->tables, tables_bytes(&how->plan));
}

static void set_params(const ImgOp *op, ImgFormat src, const void *params, void *measured)
{
    *(ImgHistogramParams *)measured = img_tone_plan(op, src, params).counted;
}

/* Copies a table of counts. If samples are widened before they are changed (IMG_PREPASS_WIDEN),
 * moves each count to the entry of the widened value. The caller has filled `counts` with zeros. */
static void widen_counts(const ImgView *table, const ImgTonePlan *plan, uint64_t *counts)
{
    const size_t bins = (size_t)1 << plan->bits;
    const size_t scale = (bins - 1) / ((size_t)table->width - 1);
    for (int32_t y = 0; y < table->height; y++)
        for (size_t v = 0; v < (size_t)table->width; v++)
            counts[(size_t)y * bins + v * scale] = img_view_counts(table, y)[v];
}

static ImgStatus make_constants(const ImgOp *op, ImgShape src, const void *params,
                                const ImgView *table, ImgConstants *constants, ImgError *err)
{
    src = img_prepass_shape(img_tone_prepass(op), src);
    const ImgTonePlan plan = img_tone_plan(op, src.format, params);
    const size_t size = sizeof(Measured) + tables_bytes(&plan);
    uint64_t *counts = calloc((size_t)table->height << plan.bits, sizeof *counts);
    Measured *measured = calloc(1, size);
    if (counts == NULL || measured == NULL) {
        free(counts);
        free(measured);
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    widen_counts(table, &plan, counts);
    img_tone_tables(&plan, counts, measured->tables, &measured->level);
    free(counts);
    *constants = (ImgConstants){measured, size};
    return IMG_OK;
}

static uint64_t constants_bytes(const ImgOp *op, ImgShape src, const void *params)
{
    src = img_prepass_shape(img_tone_prepass(op), src);
    const ImgTonePlan plan = img_tone_plan(op, src.format, params);
    return sizeof(Measured) + memory_bytes(&plan, src.format);
}

const ImgTwoPasses img_tone_two_passes = {.measure = &img_measure_histogram,
                                          .set_params = set_params,
                                          .constants = make_constants,
                                          .constants_bytes = constants_bytes};

/* --- The run ---------------------------------------------------------------------------------- */

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    ImgShape shape = img_view_shape(&call->src);
    bool small = call->op->cost.traffic(shape, call->params) < IMG_BYTES_WORTH_THREADS;
    int threads = small ? 1 : call->threads;
    const Measured *measured = call->constants.bytes;
    Recolouring how = {.plan = img_tone_plan(call->op, shape.format, call->params)};
    Memory memory = {NULL, NULL, NULL, NULL};
    ImgStatus status = take_memory(&how.plan, shape.format, &memory, err);
    if (status == IMG_OK && measured == NULL)
        status = img_histogram_count(&call->src, &how.plan.counted, call->team, threads,
                                     memory.counts, err);
    if (status == IMG_OK && measured == NULL)
        img_tone_tables(&how.plan, memory.counts, memory.tables, &how.level);
    if (status == IMG_OK && measured != NULL)
        take_measured(measured, &how, &memory);
    if (status == IMG_OK) {
        prepare(&how, &memory);
        run_rows(call, &how, threads);
    }
    free(memory.counts);
    return status;
}

ImgStatus img_tone_cpu(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(img_tone_prepass(call->op), call, run, NULL, err);
}
