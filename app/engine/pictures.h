/* Processes many pictures in parallel, each as a job, and passes the result of each job to the
 * caller. CPUs and memory limit the number of pictures that are processed at the same time. */
#ifndef IMGTOOL_APP_ENGINE_PICTURES_H
#define IMGTOOL_APP_ENGINE_PICTURES_H

#include "app/engine/job.h"

/* Description of a run over many pictures. All pointers are borrowed. */
typedef struct Pictures {
    char *const *paths;
    size_t count;
    const ImgStep *steps;
    size_t step_count;
    const ImgStep *again; /* becomes Job.again of every job, so it must be the same for all files */
    const EngineOptions *options;
    const ImgFileFormat *format; /* format of the files that `use` writes; NULL: it writes none */
    /* Place of temporary files, which hold a single picture that does not fit in --max-memory, as
     * in Job. */
    ImgStorePlace scratch;
    uint64_t held; /* bytes of --max-memory that the caller uses for other data than the pictures */
    bool stops;    /* true: after a failure no more pictures are started */
    /* true: the pictures are only planned, one after the other. Pixels are decoded only if a size
     * depends on them. */
    bool plans_only;
    JobFunctions functions; /* called by several threads */
    /* Called with each failure, by one thread at a time. */
    void (*failed)(void *context, const ImgError *failure);
} Pictures;

/* Processes the pictures. Passes each failure to pictures->failed, with the context of `functions`.
 * Sets *failed to the number of pictures that failed. Returns the status of the last failure;
 * IMG_OK: there was none. If a backend fails, no more pictures are started, since all of them would
 * fail. */
ImgStatus img_pictures_run(const Pictures *pictures, size_t *failed);

#endif
