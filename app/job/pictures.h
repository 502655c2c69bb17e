/* Processes many pictures in parallel for one purpose: each is loaded, sent through the steps and
 * passed to the caller. CPUs and memory limit how many run at the same time. */
#ifndef IMGTOOL_APP_JOB_PICTURES_H
#define IMGTOOL_APP_JOB_PICTURES_H

#include "app/cli/options.h"
#include "app/job/load.h"
#include "io/file_format.h"
#include "kernels/core/exec/exec.h"

/* One picture in progress. */
typedef struct Picture {
    size_t index;
    Load load; /* `image` and `metadata` are those of the input until the steps have run */
    const ImgStep *steps; /* of this picture: bound to it, and complete once they have run */
    ImgShape shape;       /* of the result; until the steps have run, the largest possible one */
    ImgTeam *team;        /* borrowed; may be NULL */
    int threads;          /* number of threads of the team, at least 1 */
    ImgExec *exec;        /* executor of the steps, which may also run Pictures.again; borrowed */
    void *own;            /* for the caller; NULL at first */
} Picture;

/* Messages must name the file that they concern. */
typedef ImgStatus PictureFunction(void *context, Picture *picture, ImgError *err);

/* A job for pictures_run; everything is borrowed. */
typedef struct Pictures {
    char *const *paths;
    size_t count;
    const ImgStep *steps;
    size_t step_count;
    const ImgStep *again; /* a step that `use` may run on the result, any number of times, and that
                             does not depend on the file; NULL: none */
    const Settings *settings;
    const ImgFileFormat *format; /* of files that `use` writes; NULL: none */
    uint64_t held;               /* bytes that the caller holds beside the pictures */
    bool stops;                  /* start no more pictures after a failure */
    bool plans_only; /* one picture after the other; pixels are decoded only if a size depends on
                        them */
    PictureFunction *planned; /* called before any pixel is decoded; NULL: none */
    PictureFunction *use;     /* receives the result; called from several threads */
    void (*end)(void *context,
                Picture *picture); /* called for each picture that was started; NULL: none */
    void *context;
} Pictures;

/* Processes the pictures. Failures are reported and counted in *failed. Returns the exit code of
 * the last one. A failure of a backend concerns all pictures, so none is started after it. */
int pictures_run(const Pictures *pictures, size_t *failed);

#endif
