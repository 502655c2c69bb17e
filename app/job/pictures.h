/* Processes many pictures in parallel for one purpose. Each picture is loaded, passed through the
 * steps, and given to the caller. The number that run at the same time is limited by CPUs and
 * memory. */
#ifndef IMGTOOL_APP_JOB_PICTURES_H
#define IMGTOOL_APP_JOB_PICTURES_H

#include "app/cli/options.h"
#include "app/job/load.h"
#include "io/file_format.h"
#include "kernels/core/exec/exec.h"

/* One picture in progress. */
typedef struct Picture {
    size_t index;
    /* `image` and `metadata` belong to the input, and to the result after the steps have run. */
    Load load;
    /* Steps of this picture, bound to it; their parameters are complete after they have run. */
    const ImgStep *steps;
    /* Shape of the result; before the steps have run, the largest possible one. */
    ImgShape shape;
    ImgTeam *team; /* borrowed; may be NULL */
    int threads;   /* number of threads of the team, at least 1 */
    /* Borrowed executor that runs the steps; it may also run Pictures.again. */
    ImgExec *exec;
    void *own; /* pointer that the caller may use; NULL at first */
} Picture;

/* Called for a picture. Messages must name the file that they concern. */
typedef ImgStatus PictureFunction(void *context, Picture *picture, ImgError *err);

/* A job for pictures_run; everything is borrowed. */
typedef struct Pictures {
    char *const *paths;
    size_t count;
    const ImgStep *steps;
    size_t step_count;
    /* A step that `use` may run on the result, any number of times. It does not depend on the file.
     * NULL: none. */
    const ImgStep *again;
    const Settings *settings;
    const ImgFileFormat *format; /* format of the files that `use` writes; NULL: it writes none */
    uint64_t held;               /* bytes that the caller uses in addition to the pictures */
    bool stops;                  /* start no more pictures after a failure */
    /* Only plan: one picture after the other, and pixels are decoded only if a size depends on
     * them. */
    bool plans_only;
    PictureFunction *planned; /* called before any pixel of the picture is decoded; NULL: none */
    PictureFunction *use;     /* called with the result, by several threads */
    void (*end)(void *context,
                Picture *picture); /* called for each picture that was started; NULL: none */
    void *context;
} Pictures;

/* Processes the pictures. Reports failures, and counts them in *failed. Returns the exit code of
 * the last failure. If a backend fails, no more pictures are started, since all of them would
 * fail. */
int pictures_run(const Pictures *pictures, size_t *failed);

#endif
