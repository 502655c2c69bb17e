/* The plan of a benchmark: lists on the command line, parsed and checked. */
#ifndef IMGTOOL_APP_BENCH_PLAN_H
#define IMGTOOL_APP_BENCH_PLAN_H

#include "app/cli/options.h"
#include "kernels/core/op.h"

typedef struct BenchFormat {
    const char *name; /* "rgb8"; NULL ends the list */
    ImgFormat format;
} BenchFormat;

/* All formats whose samples fill whole bytes: pixels of 1, 2, 3, 4, 6 and 8 bytes. */
extern const BenchFormat bench_formats[];

/* Returns "rgb8"; "" for a format that is not in the list. */
const char *bench_format_name(ImgFormat format);

enum { BENCH_STEPS_MAX = 64, BENCH_SIZES_MAX = 16, BENCH_FORMATS_MAX = 8, BENCH_IMPLS_MAX = 32 };

typedef struct BenchPlan {
    ImgStep steps[BENCH_STEPS_MAX]; /* operations and measurements with their parameters */
    size_t step_count;
    int32_t sizes[BENCH_SIZES_MAX][2]; /* width, height */
    size_t size_count;
    const BenchFormat *formats[BENCH_FORMATS_MAX];
    size_t format_count;
    char impls[BENCH_IMPLS_MAX][64]; /* empty: all implementations */
    size_t impl_count;
    bool named;     /* the user named the steps: an unsupported request is an error */
    bool cpu, cuda; /* backends to measure */
} BenchPlan;

/* `operands` are steps such as "rotate angle=270". Without operands, the plan has all operations
 * and measurements except those that only dispatch by the metadata of a file. IMG_E_USAGE with a
 * message that says what is wrong and what is right. */
ImgStatus bench_plan_make(const Settings *settings, const char *const *operands, size_t count,
                          BenchPlan *plan, ImgError *err);

/* True if the plan includes this implementation: by --impl and by its backend. */
bool bench_plan_has(const BenchPlan *plan, const ImgImpl *impl);

/* Writes "rotate angle=90": parameters that differ from their defaults, and all choices. */
void bench_step_title(const ImgStep *step, char *title, size_t size);

#endif
