/* Many pictures for one purpose, side by side: each is loaded, sent through the steps and handed to
 * the caller, as many at a time as there are CPUs and memory for. */
#ifndef IMGTOOL_APP_JOB_PICTURES_H
#define IMGTOOL_APP_JOB_PICTURES_H

#include "app/cli/options.h"
#include "app/job/load.h"
#include "io/file_format.h"
#include "kernels/core/exec/exec.h"

/* One of them at work. */
typedef struct Picture {
    size_t index;
    Load load;            /* `image` and `metadata` are the source's until the steps have run */
    const ImgStep *steps; /* of this picture: bound to it, and once they have run complete */
    ImgShape shape; /* of the result: the largest that there can be, until the steps have run */
    ImgTeam *team;  /* borrowed; may be NULL */
    int threads;    /* of the team, at least 1 */
    ImgExec *exec;  /* ran the steps, and may run Pictures.again; borrowed */
    void *own;      /* the caller's; NULL at first */
} Picture;

/* Messages name the file that they are about. */
typedef ImgStatus PictureFunction(void *context, Picture *picture, ImgError *err);

/* All borrowed. */
typedef struct Pictures {
    char *const *paths;
    size_t count;
    const ImgStep *steps;
    size_t step_count;
    const ImgStep *again; /* a step that `use` may run on the result, any number of times, and that
                           * depends on nothing in the file; NULL: there is none */
    const Settings *settings;
    const ImgFileFormat *format; /* of files that `use` writes; NULL: it writes none */
    uint64_t held;               /* bytes that the caller has beside the pictures */
    bool stops;                  /* once one has failed no other is begun */
    bool plans_only;             /* in turn, without pixels where sizes are known without them */
    PictureFunction *planned;    /* before any pixel is decoded; NULL: nothing */
    PictureFunction *use;        /* of the result; from several threads at a time */
    void (*end)(void *context, Picture *picture); /* of each that was begun; NULL: nothing */
    void *context;
} Pictures;

/* Each failure is reported, and *failed counts them. Returns the exit code of the last; one of a
 * backend is of all pictures, and none is begun after it. */
int pictures_run(const Pictures *pictures, size_t *failed);

#endif
