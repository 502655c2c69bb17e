/* Counts the samples of one file. */
#ifndef IMGTOOL_APP_STATS_MEASURE_ONE_H
#define IMGTOOL_APP_STATS_MEASURE_ONE_H

#include "app/cli/options.h"
#include "app/job/job.h"
#include "app/stats/tables.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/histogram/histogram.h"

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

#endif
