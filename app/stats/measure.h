/* Counting the samples of files, one picture after the other. */
#ifndef IMGTOOL_APP_STATS_MEASURE_H
#define IMGTOOL_APP_STATS_MEASURE_H

#include "app/cli/options.h"
#include "app/files/inputs.h"
#include "app/stats/measure_one.h"

/* Gets each picture that was measured; `context` is the caller's. Messages about a failure get the
 * name of the file in front. */
typedef ImgStatus MeasuredFunction(const Measured *measured, void *context, ImgError *err);

/* Gets each picture that could not be measured, after its failure was reported: the tables are
 * none, and the shape is that of an empty picture unless it was read that far. */
typedef void UnmeasuredFunction(const Measured *measured, const ImgError *failure, void *context);

typedef struct MeasureHandlers {
    MeasuredFunction *use;
    UnmeasuredFunction *failed; /* NULL: nothing more is done about a failure */
    void *context;
} MeasureHandlers;

/* Measures the files as --luma, --skip-transparent, and the options of backends and limits say, and
 * hands each to `use`. Continues past a file that fails, after reporting it, but not past a backend
 * that is unavailable. Notes and, with -v and --explain, what ran where go to stderr. Returns the
 * exit code; failures that `inputs` counted are in it. */
int measure_files(const Settings *settings, const Inputs *inputs, const MeasureHandlers *handlers);

/* One file or several? Failed operands count. */
bool measure_is_single(const Inputs *inputs);

#endif
