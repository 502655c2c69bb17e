/* Counting the samples of one file. */
#ifndef IMGTOOL_APP_MEASURE_ONE_H
#define IMGTOOL_APP_MEASURE_ONE_H

#include "app/job.h"
#include "app/measure.h"
#include "io/limits.h"
#include "kernels/core/exec.h"
#include "kernels/histogram/histogram.h"

/* What files share that are measured one after the other. */
typedef struct Measurer {
    const Settings *settings;
    ImgLimits limits;
    ImgHistogramParams how;
    ImgExec *exec;   /* kept from file to file, with its GPU; NULL before the first. Borrowed, where
                      * there is `admit` */
    int threads;     /* of `exec` */
    bool tried;      /* they were had in fact */
    JobAdmit *admit; /* for files side by side; or NULL */
    void *admit_context;
} Measurer;

/* Messages name the file. The caller frees measured->tables. */
ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err);

#endif
