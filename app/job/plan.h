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

/* What an executor asks once it has measured (ImgExecLimits). `most_bytes` is the function's. */
typedef struct PlanLimits {
    Load *load;                  /* planned */
    const ImgFileFormat *format; /* of the output; NULL: there is none */
    const Place *place;          /* NULL: the file is alone */
    int threads;
    uint64_t most_bytes;
} PlanLimits;

/* Holds the executor to what was planned. What turns out to be larger is to fit --max-memory with
 * its encoder, and becomes the plan (Load.room); beside other pictures it also needs room that is
 * free: else Load.lacking says that the picture is to be begun anew, without what was admitted for
 * it. `own` is borrowed until the last run of the picture ends. */
void plan_limit_exec(PlanLimits *own, ImgExec *exec);

/* Where the plan is by rows (Load.by_rows): decodes the file and runs the steps on its rows as they
 * come; the result is load->image. *done is false where the file looks damaged: there is room for
 * it as a whole then, and load_decode has the verdict. */
ImgStatus plan_run_rows(Load *load, ImgStep *steps, size_t count, const Place *place, Share *share,
                        ImgRunReport *run, bool *done, ImgError *err);

#endif
