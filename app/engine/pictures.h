/* Processes many pictures in parallel for one purpose. Loads each picture, runs the steps on it,
 * and passes the result to the caller. CPUs and memory limit the number of pictures that are
 * processed at the same time. */
#ifndef IMGTOOL_APP_ENGINE_PICTURES_H
#define IMGTOOL_APP_ENGINE_PICTURES_H

#include "app/engine/load.h"
#include "app/engine/share/options.h"
#include "io/file_format.h"
#include "kernels/core/exec/exec.h"

/* One picture that is being processed. */
typedef struct Picture {
    size_t index;
    /* The loaded file. `image` and `metadata` are those of the input and, after the steps have run,
     * those of the result. */
    Load load;
    /* Steps of this picture, which are bound to it. Their parameters are complete after they have
     * run. */
    const ImgStep *steps;
    /* Shape of the result; before the steps have run, the largest possible one. */
    ImgShape shape;
    ImgTeam *team; /* team of threads for this picture; borrowed; may be NULL */
    int threads;   /* number of threads of the team, at least 1 */
    /* Borrowed executor that runs the steps; it may also run Pictures.again. */
    ImgExec *exec;
    void *own; /* pointer that the caller may use; NULL at first */
} Picture;

/* Called with a picture. Messages must name the file that they concern. */
typedef ImgStatus PictureFunction(void *context, Picture *picture, ImgError *err);

/* A job for pictures_run. All pointers are borrowed. */
typedef struct Pictures {
    char *const *paths;
    size_t count;
    const ImgStep *steps;
    size_t step_count;
    /* A step that `use` may run on the result, any number of times. It must not depend on the file.
     * NULL: there is no such step. */
    const ImgStep *again;
    const EngineOptions *options;
    const ImgFileFormat *format; /* format of the files that `use` writes; NULL: it writes none */
    /* Directory for temporary files, to which a single picture goes that does not fit --max-memory;
     * NULL: it is refused. */
    const char *scratch;
    uint64_t held; /* bytes of memory that the caller uses in addition to the pictures */
    bool stops;    /* true if a failure must prevent that more pictures are started */
    /* Only plan, one picture after the other. Pixels are decoded only if a size depends on them. */
    bool plans_only;
    PictureFunction *planned; /* called before any pixel of the picture is decoded; may be NULL */
    PictureFunction *use;     /* called with each result, by several threads */
    /* Called at the end of each picture that was started; may be NULL. */
    void (*end)(void *context, Picture *picture);
    /* Called with each failure, by one thread at a time. */
    void (*failed)(void *context, const ImgError *failure);
    void *context;
} Pictures;

/* Processes the pictures. Passes failures to `failed`, and counts those of pictures in *failed.
 * Returns the status of the last failure; IMG_OK: there was none. If a backend fails, no more
 * pictures are started, since all of them would fail. */
ImgStatus pictures_run(const Pictures *pictures, size_t *failed);

#endif
