/* Private to the library: contexts, memory of the caller's allocator, and errors on their way from
 * the tree's ImgError to the caller's imgtool_error.
 *
 * A public function that can fail begins with img_lib_begin and ends with img_lib_end or
 * img_lib_fail. */
#ifndef IMGTOOL_APP_LIBRARY_CONTEXT_H
#define IMGTOOL_APP_LIBRARY_CONTEXT_H

#include <sys/types.h>

#include "app/library/imgtool.h"
#include "io/interrupt.h"
#include "io/limits.h"
#include "io/png/watch.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

struct imgtool_context {
    imgtool_config config; /* complete: threads are at least 1 */
    ImgLimits limits;
    ImgTeam *team;    /* owned; NULL where there was no memory, which is a team too */
    ImgExec *exec;    /* owned; NULL until something is run: img_lib_exec */
    pthread_t caller; /* of this call */
    pid_t process;    /* which made it: the threads are not in a forked child */
    bool
        cancelled; /* the progress callback, or another of the caller's, said so during this call */
};

/* --- Errors ----------------------------------------------------------------------------------- */

/* Empties *error, which may be NULL. IMGTOOL_E_USAGE: there is no context, or a parent process made
 * it. */
imgtool_status img_lib_begin(imgtool_context *context, imgtool_error *error);

/* For functions without a context, or that have begun: fills *error. Returns `status`. */
imgtool_status img_lib_fail(imgtool_error *error, imgtool_status status, const char *format, ...)
    IMG_PRINTF(3, 4);

#ifdef __clang_analyzer__
/* The analyzer cannot see that a failure never returns IMGTOOL_OK. */
#define img_lib_fail(error, status, ...) (img_lib_fail(error, status, __VA_ARGS__), (status))
#endif

/* Hands a failure on, or its lack: `status` with the message of `failure`. IMGTOOL_E_CANCELLED
 * where the call was. `context` may be NULL. */
imgtool_status img_lib_end(const imgtool_context *context, ImgStatus status,
                           const ImgError *failure, imgtool_error *error);

/* The caller wants no more: what is under way is to end with this status, whatever it is. */
ImgStatus img_lib_cancel(imgtool_context *context, ImgError *err);

/* IMGTOOL_E_USAGE where the size that a struct of the caller's begins with is less than it was
 * in the first version, so that it was not made by its initialiser. `name` is that of the type. */
imgtool_status img_lib_check_size(size_t size, size_t least, const char *name,
                                  imgtool_error *error);

/* Copies as much as both know of a struct that begins with its size, `from_size` and `to_size`; the
 * size at `to` stays as it is. */
void img_lib_copy_struct(void *to, size_t to_size, const void *from, size_t from_size);

/* --- Progress --------------------------------------------------------------------------------- */

/* Asks the caller whether to go on, after `done` of `total` steps. As ImgExecProgress: `context` is
 * the imgtool_context. */
ImgStatus img_lib_progress(void *context, uint64_t done, uint64_t total, ImgError *err);

/* The same for what is coded; of the context, and for one call. */
ImgWatch img_lib_watch(imgtool_context *context);

/* The same where a signal comes while a file is waited for: it is not known how far that is. */
ImgInterrupt img_lib_interrupt(imgtool_context *context);

/* --- Memory ----------------------------------------------------------------------------------- */

/* Is memory of malloc's what the caller frees by imgtool_free? Then it may be handed out as it is.
 */
bool img_lib_uses_malloc(const imgtool_context *context);

/* Of the caller's allocator; NULL where it has none left. */
void *img_lib_allocate(const imgtool_context *context, size_t size);
void img_lib_release(const imgtool_context *context, void *memory);

/* --- Work ------------------------------------------------------------------------------------- */

/* What steps run on; of the context. */
ImgStatus img_lib_exec(imgtool_context *context, ImgExec **exec, ImgError *err);

#endif
