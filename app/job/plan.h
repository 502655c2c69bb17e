/* Plans the work on a picture before a pixel is decoded: shapes and memory. */
#ifndef IMGTOOL_APP_JOB_PLAN_H
#define IMGTOOL_APP_JOB_PLAN_H

#include "app/job/load.h"
#include "app/sched/place.h"
#include "io/encode.h"

typedef struct Plan {
    ImgShape after;      /* shape of the result */
    ImgFacts facts;      /* of the file; without steps that need them, zeros except `light` */
    uint64_t peak_bytes; /* peak memory in bytes, without buffers of the codec */
} Plan;

/* Opens and reads the file of `load`, binds the steps to it, and computes what they need; no pixel
 * is decoded. `format` is that of the output; NULL: none. `place` is asked to admit the picture
 * after its header is read, and again when its needs are known. NULL: the file is alone, and *share
 * does not change. IMG_E_LIMIT, with a remedy, if more than --max-memory is needed. Messages name
 * the file. */
ImgStatus plan_file(Load *load, ImgStep *steps, size_t count, const ImgFileFormat *format,
                    const Place *place, Share *share, Plan *plan, ImgError *err);

/* Context of the limits that an executor applies to results whose size it must measure
 * (ImgExecLimits). `most_bytes` is used internally. */
typedef struct PlanLimits {
    Load *load;                  /* planned */
    const ImgFileFormat *format; /* of the output; NULL: none */
    const Place *place;          /* NULL: the file is alone */
    int threads;
    uint64_t most_bytes;
} PlanLimits;

/* Makes the executor keep to the plan. If a measured result is larger, it must fit --max-memory
 * together with its encoder, and becomes the new plan (Load.room). Beside other pictures that
 * memory must also be free. If it is not, Load.lacking is set, and the picture must be restarted
 * after its admitted memory is released. `own` is borrowed until the last run of the picture ends.
 */
void plan_limit_exec(PlanLimits *own, ImgExec *exec);

/* For a plan by rows (Load.by_rows): decodes the file and runs the steps on its rows as they come.
 * The result is load->image. *done is false if the file looks damaged. There is then memory for the
 * whole picture, and load_decode gives the exact message. */
ImgStatus plan_run_rows(Load *load, ImgStep *steps, size_t count, const Place *place, Share *share,
                        ImgRunReport *run, bool *done, ImgError *err);

/* --- Private to planning -------------------------------------------------------------------------
 *
 * Private interface of planning: before pixels are decoded, and again after a run has measured. */

/* Returns the memory of a result of that shape with its encoder or Load.again; 0 if there is
 * neither. */
uint64_t plan_encoding_bytes(const Load *load, const ImgFileFormat *format, ImgShape after,
                             const ImgMetadata *metadata, ImgRoom room);

/* Fails with Load.lacking set when memory is short and the job must not block. */
ImgStatus plan_lacks(Load *load, uint64_t need, ImgError *err);

/* Returns the memory of the codec for a file of that size, on the CPU or a GPU. */
uint64_t plan_bytes_beside(const Load *load, uint64_t bytes);

#endif
