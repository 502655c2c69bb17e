/* The plan of a benchmark: the lists on the command line, parsed and checked. */
#ifndef IMGTOOL_APP_BENCH_PLAN_H
#define IMGTOOL_APP_BENCH_PLAN_H

#include "app/cli/options.h"
#include "kernels/core/op.h"

typedef struct BenchFormat {
    const char *name; /* name, such as "rgb8"; NULL ends the list */
    ImgFormat format;
} BenchFormat;

/* All formats whose samples fill whole bytes. Their pixels have 1, 2, 3, 4, 6 and 8 bytes. */
extern const BenchFormat bench_formats[];

/* Returns the name of a format, such as "rgb8"; "" if it is not in the list. */
const char *bench_format_name(ImgFormat format);

enum { BENCH_STEPS_MAX = 64, BENCH_SIZES_MAX = 16, BENCH_FORMATS_MAX = 8, BENCH_IMPLS_MAX = 32 };

typedef struct BenchPlan {
    ImgStep steps[BENCH_STEPS_MAX]; /* operations and measurements to run, with their parameters */
    size_t step_count;
    int32_t sizes[BENCH_SIZES_MAX][2]; /* pairs of width and height */
    size_t size_count;
    const BenchFormat *formats[BENCH_FORMATS_MAX];
    size_t format_count;
    char impls[BENCH_IMPLS_MAX][64]; /* names of the implementations to run; empty: all */
    size_t impl_count;
    /* true if the user named the steps: an unsupported format or size is then an error */
    bool named;
    bool cpu, cuda; /* backends to measure */
} BenchPlan;

/* Makes the plan. `operands` are steps such as "rotate angle=270". Without operands, the plan has
 * all operations and measurements except those that only choose another operation by a file's
 * metadata. IMG_E_USAGE; the message gives the mistake and a correction. */
ImgStatus bench_plan_make(const Settings *settings, const char *const *operands, size_t count,
                          BenchPlan *plan, ImgError *err);

/* Returns true if the plan includes this implementation, by its name (--impl) and its backend. */
bool bench_plan_has(const BenchPlan *plan, const ImgImpl *impl);

/* Writes a step such as "rotate angle=90". It contains all choices, and the other parameters that
 * differ from their defaults. */
void bench_step_title(const ImgStep *step, char *title, size_t size);

#endif
