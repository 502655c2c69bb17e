/* The plan of a benchmark: which steps, sizes, formats and implementations to measure, from the
 * options and operands of the command line. */
#ifndef IMGTOOL_APP_BENCH_PLAN_H
#define IMGTOOL_APP_BENCH_PLAN_H

#include "app/cli/options.h"
#include "kernels/core/op.h"

typedef struct BenchFormat {
    const char *name; /* name, such as "rgb8"; NULL ends the list */
    ImgFormat format;
} BenchFormat;

/* All formats whose samples have 8 or 16 bits. Their pixels have 1, 2, 3, 4, 6 or 8 bytes. An entry
 * whose name is NULL ends the table. */
extern const BenchFormat bench_formats[];

/* Returns the name of a format, such as "rgb8"; "" if bench_formats does not contain the format. */
const char *bench_format_name(ImgFormat format);

enum { BENCH_STEPS_MAX = 64, BENCH_SIZES_MAX = 16, BENCH_FORMATS_MAX = 8, BENCH_IMPLS_MAX = 32 };

typedef struct BenchPlan {
    ImgStep steps[BENCH_STEPS_MAX]; /* operations and measurements to run, with their parameters */
    size_t step_count;
    /* sizes to measure, as pairs of width and height in pixels */
    int32_t sizes[BENCH_SIZES_MAX][2];
    size_t size_count;
    const BenchFormat *formats[BENCH_FORMATS_MAX];
    size_t format_count;
    /* names of the implementations to run; if there are none, all implementations run */
    char impls[BENCH_IMPLS_MAX][64];
    size_t impl_count;
    /* true if the user named the steps. A format or size that a step does not support is then an
     * error */
    bool named;
    bool cpu, cuda; /* true if CPU rows, and if CUDA rows, are measured */
} BenchPlan;

/* Makes the plan. `operands` are steps such as "rotate angle=270". Without operands the plan has
 * all operations and measurements, except those that depend on the metadata of a file. Fails with
 * IMG_E_USAGE for an operand or option that is wrong; the message suggests a correction. */
ImgStatus bench_plan_make(const Settings *settings, const char *const *operands, size_t count,
                          BenchPlan *plan, ImgError *err);

/* Returns true if the plan includes both the backend and the name (--impl) of the implementation
 * `impl`. */
bool bench_plan_has(const BenchPlan *plan, const ImgImpl *impl);

/* Writes a step to `title`, such as "rotate angle=90". It contains all parameters with named
 * choices, and other parameters if they differ from their defaults. */
void bench_step_title(const ImgStep *step, char *title, size_t size);

#endif
