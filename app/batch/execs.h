/* What the workers of a batch run steps with: an executor each, spread over the GPUs of the machine
 * once these pay and are ready; on the CPU until then. */
#ifndef IMGTOOL_APP_BATCH_EXECS_H
#define IMGTOOL_APP_BATCH_EXECS_H

#include "app/options.h"
#include "kernels/core/exec.h"

typedef struct Execs Execs;

/* --backend, --impl and --device as the settings say; without --device all GPUs are used. Opens
 * nothing yet. Harmless to free NULL. */
ImgStatus execs_create(const Settings *settings, int workers, Execs **execs, ImgError *err);
void execs_free(Execs *execs);

/* A picture that is to be worked on, and how many there are with it: the rest may be like it. */
typedef struct ExecsPicture {
    const ImgStep *steps;
    size_t count;
    ImgShape shape;
    size_t pictures;
} ExecsPicture;

/* The executor of a worker for its next picture, owned by `execs`. GPUs that will pay are opened in
 * the background; only for a picture that takes the CPU longer than that, they are waited for. */
ImgStatus execs_get(Execs *execs, int worker, const ExecsPicture *picture, ImgExec **exec,
                    ImgError *err);

/* Has a GPU failed at work, so that the CPU does its part? True once for each. */
bool execs_tell_lost(Execs *execs, int *device, const char **message);

/* Says so to the user, of each that was not told yet. */
void execs_report_lost(Execs *execs);

#endif
