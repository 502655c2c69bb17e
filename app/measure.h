/* Counting the samples of files, one picture after the other. */
#ifndef IMGTOOL_APP_MEASURE_H
#define IMGTOOL_APP_MEASURE_H

#include "app/inputs.h"
#include "app/options.h"
#include "app/tables.h"
#include "kernels/core/image.h"

typedef struct Measured {
    const char *path; /* as the user named it; borrowed */
    ImgShape shape;   /* of the picture in the file */
    Tables tables;
} Measured;

/* Gets each picture that was measured; `context` is the caller's. Messages about a failure get the
 * name of the file in front. */
typedef ImgStatus MeasuredFunction(const Measured *measured, void *context, ImgError *err);

/* Measures the files as --luma, --skip-transparent, and the options of backends and limits say, and
 * hands each to `use`. Goes on past a file that fails, after reporting it, but not past a backend
 * that cannot be had. Notes and, with -v and --explain, what ran where go to stderr. Returns the
 * exit code; failures that `inputs` counted are in it. */
int measure_files(const Settings *settings, const Inputs *inputs, MeasuredFunction *use,
                  void *context);

/* One file or several? Failed operands count. */
bool measure_is_single(const Inputs *inputs);

#endif
