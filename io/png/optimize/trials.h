/* Private: finds the smallest stream of several forms of a picture and several plans of filters.
 *
 * Segments of some 256 KB are filtered and deflated quickly with each plan. The best plans are then
 * deflated in full, in parts of some 4 MB, which are joined to one stream. The bytes depend neither
 * on the number of threads nor on the processor. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_TRIALS_H
#define IMGTOOL_IO_PNG_OPTIMIZE_TRIALS_H

#include "io/png/optimize/effort.h"
#include "io/png/optimize/reduce.h"
#include "io/png/progress.h"
#include "kernels/core/parallel/parallel.h"

/* A form of the picture. */
typedef struct ImgTrialPicture {
    const ImgReduced *picture; /* borrowed */
    uint64_t chunk_bytes;      /* bytes of the chunks that depend on this form */
    /* The form depends on how the input was stored, not on its pixels alone. Such forms are
     * deflated in full besides those of ImgEffort.in_full, so that optimizing the result again
     * changes nothing. */
    bool is_extra;
} ImgTrialPicture;

typedef struct ImgTrialJob {
    const ImgTrialPicture *pictures;
    int count; /* at least 1, not all of them extra */
    const ImgEffort *effort;
    ImgTeam *team; /* may be NULL */
    int threads;
    ImgProgress *progress; /* receives the progress, and can cancel the work; may be NULL */
} ImgTrialJob;

typedef struct ImgTrialResult {
    int picture; /* index of the smallest form */
    ImgFilterPlan plan;
    int trials;      /* number of pairs of a form and a plan that were estimated */
    uint8_t *stream; /* complete zlib stream; the caller frees it */
    size_t size;     /* size of the stream in bytes */
} ImgTrialResult;

/* Finds the smallest stream. Fails if memory is short or the work is cancelled. */
ImgStatus img_try_pictures(const ImgTrialJob *job, ImgTrialResult *result, ImgError *err);

/* Returns the memory in bytes that img_try_pictures needs beside `forms` forms of a picture of
 * shape `shape`. */
uint64_t img_trials_bytes(ImgShape shape, int forms, const ImgEffort *effort, int threads);

#endif
