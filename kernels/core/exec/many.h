/* Runs steps on many pictures in device memory, of any sizes and formats, with few launches.
 * Pictures of one shape that have the same steps share a plan and constants. An operation that has
 * ImgImpl.many processes all small pictures together; others process one picture after another. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_MANY_H
#define IMGTOOL_KERNELS_CORE_EXEC_MANY_H

#include "kernels/core/exec/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgManyPicture {
    /* at least one step, planned by img_steps_plan and without measurements; borrowed */
    ImgStep *steps;
    size_t count;
    /* Source and result in device memory, with rows as for ImgDeviceRun. img_many_plan reads only
     * their shapes; data and strides may be set later. */
    ImgView from, to;
} ImgManyPicture;

/* Plans and constants that are kept from call to call, for a thousand kinds of pictures. */
typedef struct ImgManyKinds ImgManyKinds;

/* Returns NULL when memory is short. */
ImgManyKinds *img_many_kinds_create(void);
/* Does nothing for NULL. */
void img_many_kinds_free(ImgManyKinds *kinds);

typedef struct ImgMany ImgMany;

/* Plans the steps of at most IMG_MANY_MOST pictures on the current device. Takes plans from `kinds`
 * if they fit, and otherwise makes them with `threads` threads and adds them. `pictures` and
 * `kinds` are borrowed until img_many_free. No ImgMany may be used after another one of the same
 * kinds was freed or failed. On failure *many is NULL. */
ImgStatus img_many_plan(ImgManyKinds *kinds, const ImgManyPicture *pictures, size_t count,
                        ImgTeam *team, int threads, ImgMany **many, ImgError *err);

/* Memory that img_many_queue needs, in bytes: device memory and pinned host memory. */
typedef struct ImgManyBytes {
    size_t device, host;
} ImgManyBytes;

ImgManyBytes img_many_bytes(const ImgMany *many);

/* Queues all steps on `stream` (a cudaStream_t), once, and returns without waiting. Both blocks of
 * memory are aligned to 256 bytes and in use until the stream has finished. */
ImgStatus img_many_queue(const ImgMany *many, void *device, void *host, void *stream,
                         ImgError *err);

/* Adds the passes of picture `number` to the report, without times. */
void img_many_describe(const ImgMany *many, size_t number, ImgRunReport *report);

/* Does nothing for NULL. */
void img_many_free(ImgMany *many);

#ifdef __cplusplus
}
#endif
#endif
