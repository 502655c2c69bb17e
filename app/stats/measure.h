/* Counts the samples of one file, and of many files. */
#ifndef IMGTOOL_APP_STATS_MEASURE_H
#define IMGTOOL_APP_STATS_MEASURE_H

#include "app/cli/options.h"
#include "app/files/inputs.h"
#include "app/job/job.h"
#include "app/stats/tables.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/histogram/histogram.h"

/* --- One file --------------------------------------------------------------------------------- */

typedef struct Measured {
    const char *path; /* as the user gave it; borrowed */
    ImgShape shape;   /* of the picture in the file */
    Tables tables;
} Measured;

/* State shared by files that are measured one after the other. */
typedef struct Measurer {
    const Settings *settings;
    ImgHistogramParams how;
    ImgExec *exec;      /* kept from file to file, with its GPU; NULL before the first; borrowed if
                           `place` is set */
    ImgTeam *team;      /* of `exec`; may be NULL */
    const Place *place; /* for files in parallel; or NULL */
    uint64_t held;      /* bytes of --max-memory used beside this picture */
} Measurer;

/* Measures one file. Messages name the file. The caller frees measured->tables. */
ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err);

/* --- Many files ------------------------------------------------------------------------------- */

/* Receives each picture that was measured. A message of failure gets the name of the file as a
 * prefix. */
typedef ImgStatus MeasuredFunction(const Measured *measured, void *context, ImgError *err);

/* Receives each picture that could not be measured, after the failure was reported. The tables are
 * empty, and so is the shape unless the header was read. */
typedef void UnmeasuredFunction(const Measured *measured, const ImgError *failure, void *context);

typedef struct MeasureHandlers {
    MeasuredFunction *use;
    UnmeasuredFunction *failed; /* NULL: failures are only reported */
    void *context;
} MeasureHandlers;

/* Measures the files by --luma, --skip-transparent, and the options of backends and limits, and
 * passes each to `use` in the order of `inputs`. Continues after a file that fails, but not if a
 * backend is unavailable. Notes and, with -v and --explain, what ran where go to stderr. Returns
 * the exit code, which includes failures that `inputs` counted. */
int measure_files(const Settings *settings, const Inputs *inputs, const MeasureHandlers *handlers);

/* Returns whether there is at most one file, counting failed operands. */
bool measure_is_single(const Inputs *inputs);

#endif
