/* Counts the samples of one file, and of many files. */
#ifndef IMGTOOL_APP_STATS_MEASURE_H
#define IMGTOOL_APP_STATS_MEASURE_H

#include "app/cli/options.h"
#include "app/engine/job.h"
#include "app/files/inputs.h"
#include "app/stats/tables.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/histogram/histogram.h"

/* --- One file --------------------------------------------------------------------------------- */

typedef struct Measured {
    const char *path; /* path as the user wrote it; borrowed */
    ImgShape shape;   /* shape of the picture in the file */
    Tables tables;
} Measured;

/* State that is kept from file to file when files are measured one after the other. */
typedef struct Measurer {
    const Settings *settings;
    ImgHistogramParams how;
    /* executor that is kept from file to file, with its GPU; unused if `place` is set */
    JobExec kept;
    /* The worker that measures this file, and the memory, threads and devices that it may use, if
     * files are measured at the same time (app/engine/share/place.h). NULL: they are measured one
     * after the other. */
    const Place *place;
    uint64_t held; /* bytes of --max-memory that are in use for purposes other than this picture */
} Measurer;

/* Measures one file. Messages name the file. The caller frees measured->tables. */
ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err);

/* --- Many files ------------------------------------------------------------------------------- */

/* Called with each picture that was measured. If the function fails, its error message gets the
 * name of the file in front. */
typedef ImgStatus MeasuredFunction(const Measured *measured, void *context, ImgError *err);

/* Called with each picture that could not be measured, after the failure was printed. The tables
 * are empty. The shape is empty unless the header was read. */
typedef void UnmeasuredFunction(const Measured *measured, const ImgError *failure, void *context);

typedef struct MeasureHandlers {
    MeasuredFunction *use;
    UnmeasuredFunction *failed; /* may be NULL; failures are then only printed */
    void *context;
} MeasureHandlers;

/* Measures the files according to --luma, --skip-transparent and the options of backends and
 * limits. Passes each result to `use`, in the order of `inputs`. Continues after a file that fails,
 * but stops if a backend is unavailable. Prints notes on stderr and, with -v and --explain, how
 * each file was processed. Returns the exit code, which also covers failures that `inputs`
 * counted. */
int measure_files(const Settings *settings, const Inputs *inputs, const MeasureHandlers *handlers);

/* Returns whether there is at most one file. Operands that failed count as files, too. */
bool measure_is_single(const Inputs *inputs);

#endif
