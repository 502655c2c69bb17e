/* Private to the library: contexts, the caller's allocator, and the conversion of ImgError to
 * imgtool_error.
 *
 * A public function that can fail begins with img_lib_begin and ends with img_lib_end or
 * img_lib_fail. */
#ifndef IMGTOOL_APP_LIBRARY_CONTEXT_H
#define IMGTOOL_APP_LIBRARY_CONTEXT_H

#include <fenv.h>
#include <sys/types.h>

#include "app/library/imgtool.h"
#include "io/interrupt.h"
#include "io/limits.h"
#include "io/png/progress.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* State that a part of the library keeps in a context. Empty if `state` is NULL. */
typedef struct ImgLibKept {
    void *state;
    void (*release)(void *state); /* called by imgtool_context_destroy, also in a forked child */
} ImgLibKept;

struct imgtool_context {
    /* copy of the caller's configuration with defaults filled in; threads are at least 1 */
    imgtool_config config;
    ImgLimits limits;
    bool pixels_are_limited; /* the caller set config.max_pixels */
    /* Owned; NULL if memory was short. Threads are then started for each piece of work. */
    ImgTeam *team;
    ImgExec *exec;      /* owned; NULL until the first call of img_lib_exec */
    ImgLibKept workers; /* for batches on the CPU (app/library/tensors/worker.h) */
    ImgLibKept slots;   /* for batches on a GPU (app/library/tensors/device_slot.h) */
    pthread_t caller;   /* thread that makes the current call */
    pid_t process; /* process that created the context; a forked child does not have its threads */
    /* true if the progress callback, or another function of the caller, cancelled the current
     * call */
    bool cancelled;
};

/* --- Errors ----------------------------------------------------------------------------------- */

/* Begins a call on a context, and empties *error, which may be NULL. Returns IMGTOOL_E_USAGE if the
 * context is NULL or a parent process created it. */
imgtool_status img_lib_begin(imgtool_context *context, imgtool_error *error);

/* Fills *error and returns `status`. Called by functions without a context, and for failures after
 * img_lib_begin. */
imgtool_status img_lib_fail(imgtool_error *error, imgtool_status status, const char *format, ...)
    IMG_PRINTF(3, 4);

#ifdef __clang_analyzer__
/* The static analyser cannot see that img_lib_fail never returns IMGTOOL_OK. This macro shows
 * it. */
#define img_lib_fail(error, status, ...) (img_lib_fail(error, status, __VA_ARGS__), (status))
#endif

/* Ends a call, and returns its status: IMGTOOL_E_CANCELLED if the caller cancelled, otherwise
 * `status`. Fills *error with the message of `failure`. `context` may be NULL. */
imgtool_status img_lib_end(const imgtool_context *context, ImgStatus status,
                           const ImgError *failure, imgtool_error *error);

/* Records that the caller cancelled the call. The returned status only stops the work: img_lib_end
 * returns IMGTOOL_E_CANCELLED instead. */
ImgStatus img_lib_cancel(imgtool_context *context, ImgError *err);

/* Returns IMGTOOL_E_USAGE if `size`, the first member of a caller's struct, is less than `least`,
 * the size in the first version. This happens if the caller did not use the initialiser. `name` is
 * the name of the type. */
imgtool_status img_lib_check_size(size_t size, size_t least, const char *name,
                                  imgtool_error *error);

/* Copies the members that both versions of a struct have. `from_size` and `to_size` are the sizes
 * of the versions. The size at the start of `to` does not change. */
void img_lib_copy_struct(void *to, size_t to_size, const void *from, size_t from_size);

/* --- Progress --------------------------------------------------------------------------------- */

/* Reports `done` of `total` steps to the caller, who may cancel. Has the type of ImgExecProgress;
 * `context` is the imgtool_context. */
ImgStatus img_lib_progress(void *context, uint64_t done, uint64_t total, ImgError *err);

/* Returns an ImgProgress that makes the codec call img_lib_progress. It is valid for one call. */
ImgProgress img_lib_codec_progress(imgtool_context *context);

/* Returns an ImgInterrupt that calls the progress callback if a signal arrives while a file is read
 * or written. The progress is unknown at that point, so the callback gets 0 of 1. */
ImgInterrupt img_lib_interrupt(imgtool_context *context);

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns true if imgtool_free frees memory of malloc. Memory from malloc can then be returned to
 * the caller without a copy. */
bool img_lib_uses_malloc(const imgtool_context *context);

/* img_lib_allocate and img_lib_release use the caller's allocator if there is one, otherwise malloc
 * and free. img_lib_allocate returns NULL if there is no memory. */
void *img_lib_allocate(const imgtool_context *context, size_t size);
void img_lib_release(const imgtool_context *context, void *memory);

/* --- Executor --------------------------------------------------------------------------------- */

/* Sets *exec to the executor of the context, which runs steps. The first call creates it. */
ImgStatus img_lib_exec(imgtool_context *context, ImgExec **exec, ImgError *err);

/* --- The default floating-point environment -----------------------------------------------------
 *
 * Some results are rounded from floats, and must not depend on the caller's floating-point
 * environment: its rounding mode, flushing of denormals and traps. These two functions set the
 * default environment and restore the caller's. */

static inline fenv_t img_lib_set_default_floats(void)
{
    fenv_t callers;
    (void)fegetenv(&callers);
    (void)fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void img_lib_restore_floats(const fenv_t *callers)
{
    (void)fesetenv(callers);
}

/* Sets the default environment until the end of the block, and restores the caller's environment on
 * every exit from it. Use it as a declaration. */
#define IMG_LIB_DEFAULT_FLOATS()                                                                   \
    const fenv_t callers_floats __attribute__((unused, cleanup(img_lib_restore_floats))) =         \
        img_lib_set_default_floats()

#endif
