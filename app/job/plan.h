/* What will happen to a picture, before a pixel is decoded: shapes and memory. */
#ifndef IMGTOOL_APP_JOB_PLAN_H
#define IMGTOOL_APP_JOB_PLAN_H

#include "app/job/load.h"
#include "app/sched/place.h"
#include "io/encode.h"

typedef struct Plan {
    ImgShape after;      /* of the result */
    ImgFacts facts;      /* of the file; but for light zeros where no step asks */
    uint64_t peak_bytes; /* the most that is alive at a time, the codec's buffers apart */
} Plan;

/* Opens and reads the file of `load`, binds the steps to its facts and works out what they need; no
 * pixel is decoded yet. `format`: of the output; NULL: there is none. `place`: asked for room
 * once the header is read, and again when the need is known; NULL: the file is alone, and *share
 * stays as it is. IMG_E_LIMIT, with the option that would help, for more than --max-memory.
 * Messages name the file. */
ImgStatus plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                    const Place *place, Share *share, Plan *plan, ImgError *err);

#endif
