/* Contexts, errors and versions of the public interface. */
#include "app/library/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/core/parallel/processors.h"

const char *imgtool_version(void)
{
    return IMGTOOL_VERSION;
}

const char *imgtool_status_text(imgtool_status status)
{
    static const char *const texts[] = {
        [IMGTOOL_OK] = "done",
        [IMGTOOL_E_USAGE] = "invalid argument",
        [IMGTOOL_E_IO] = "file cannot be read or written",
        [IMGTOOL_E_FORMAT] = "damaged or unsupported file",
        [IMGTOOL_E_LIMIT] = "over a limit",
        [IMGTOOL_E_MEMORY] = "no memory left",
        [IMGTOOL_E_UNSUPPORTED] = "not possible with this picture",
        [IMGTOOL_E_UNAVAILABLE] = "not in this build or machine",
        [IMGTOOL_E_DEVICE] = "the GPU failed",
        [IMGTOOL_E_CANCELLED] = "cancelled",
    };
    return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

/* --- Errors ----------------------------------------------------------------------------------- */

/* Copies the status and the message to the caller's struct, which may have the size of another
 * version of the library. If the message is too long it is cut, but never within a UTF-8
 * character. */
static void fill(imgtool_error *error, imgtool_status status, const char *message)
{
    const size_t start = offsetof(imgtool_error, message);
    if (error == NULL || error->size <= start)
        return;
    size_t room = error->size - start - 1, length = strlen(message);
    if (length > room) {
        length = room;
        while (length > 0 && ((unsigned char)message[length] & 0xC0) == 0x80)
            length--;
    }
    error->status = status;
    memcpy(error->message, message, length);
    error->message[length] = '\0';
}

imgtool_status img_lib_begin(imgtool_context *context, imgtool_error *error)
{
    if (context == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "context is NULL");
    if (context->process != getpid())
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "the context belongs to the parent process, and fork does not copy its "
                            "threads; create one in this process");
    context->cancelled = false;
    context->caller = pthread_self();
    fill(error, IMGTOOL_OK, "");
    return IMGTOOL_OK;
}

/* Parentheses prevent the expansion of the macro img_lib_fail, which context.h defines for the
 * static analyser of clang. */
imgtool_status(img_lib_fail)(imgtool_error *error, imgtool_status status, const char *format, ...)
{
    char message[IMG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    img_message_format(message, format, arguments);
    va_end(arguments);
    fill(error, status, message);
    return status;
}

static imgtool_status status_of(ImgStatus status)
{
    static const imgtool_status statuses[] = {
        [IMG_OK] = IMGTOOL_OK,
        [IMG_E_USAGE] = IMGTOOL_E_USAGE,
        [IMG_E_IO] = IMGTOOL_E_IO,
        [IMG_E_TEMPORARY] = IMGTOOL_E_IO, /* differs only in the exit code of the command line */
        [IMG_E_FORMAT] = IMGTOOL_E_FORMAT,
        [IMG_E_LIMIT] = IMGTOOL_E_LIMIT,
        [IMG_E_MEMORY] = IMGTOOL_E_MEMORY,
        [IMG_E_UNSUPPORTED] = IMGTOOL_E_UNSUPPORTED,
        [IMG_E_MISMATCH] = IMGTOOL_E_UNSUPPORTED, /* only the command line returns it */
        [IMG_E_UNAVAILABLE] = IMGTOOL_E_UNAVAILABLE,
        [IMG_E_DEVICE] = IMGTOOL_E_DEVICE,
    };
    return statuses[status];
}

imgtool_status img_lib_end(const imgtool_context *context, ImgStatus status,
                           const ImgError *failure, imgtool_error *error)
{
    if (status == IMG_OK) {
        fill(error, IMGTOOL_OK, "");
        return IMGTOOL_OK;
    }
    if (context != NULL && context->cancelled)
        return img_lib_fail(error, IMGTOOL_E_CANCELLED, "cancelled");
    fill(error, status_of(status), failure->message);
    return status_of(status);
}

/* --- Structs that later versions extend ------------------------------------------------------- */

imgtool_status img_lib_check_size(size_t size, size_t least, const char *name, imgtool_error *error)
{
    if (size >= least)
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_USAGE,
                        "%s: the size %zu is invalid; fill it with the initialiser of its name",
                        name, size);
}

void img_lib_copy_struct(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t most = to_size < from_size ? to_size : from_size;
    if (most > sizeof(size_t))
        memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
               most - sizeof(size_t));
}

/* --- Configuration ---------------------------------------------------------------------------- */

enum { THREADS_MOST = 1024 };
static const uint64_t DEFAULT_MAX_PIXELS = UINT64_C(500000000);

static imgtool_status check_config(const imgtool_config *config, imgtool_error *error)
{
    if (config->threads < 0 || config->threads > THREADS_MOST)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "threads: %d is not within 0 to %d",
                            config->threads, (int)THREADS_MOST);
    if ((int)config->backend < IMGTOOL_BACKEND_AUTO || config->backend > IMGTOOL_BACKEND_CUDA)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "backend: %d is not an imgtool_backend",
                            (int)config->backend);
    if (config->device < 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "device: %d is negative", config->device);
    if (config->max_pixels > IMG_PIXELS_MAX)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "max_pixels: must be at most %llu",
                            (unsigned long long)IMG_PIXELS_MAX);
    if ((config->allocator.allocate == NULL) != (config->allocator.release == NULL))
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "allocator: set both allocate and release, or neither");
    if (config->backend == IMGTOOL_BACKEND_CUDA && !img_cuda_in_build())
        return img_lib_fail(error, IMGTOOL_E_UNAVAILABLE, "this library was built without CUDA");
    return IMGTOOL_OK;
}

static imgtool_status read_config(const imgtool_config *given, imgtool_config *config,
                                  imgtool_error *error)
{
    *config = (imgtool_config)IMGTOOL_CONFIG_INIT;
    if (given != NULL) {
        imgtool_status status =
            img_lib_check_size(given->size, sizeof *config, "imgtool_config", error);
        if (status != IMGTOOL_OK)
            return status;
        img_lib_copy_struct(config, sizeof *config, given, given->size);
    }
    return check_config(config, error);
}

static void complete_config(imgtool_context *context)
{
    imgtool_config *config = &context->config;
    if (config->threads == 0)
        config->threads = img_processors();
    context->pixels_are_limited = config->max_pixels != 0;
    if (config->max_pixels == 0)
        config->max_pixels = DEFAULT_MAX_PIXELS;
    context->limits = (ImgLimits){
        .max_pixels = config->max_pixels,
        .max_memory = config->max_memory != 0 ? config->max_memory : UINT64_MAX,
        .max_text = IMG_DEFAULT_MAX_TEXT,
    };
}

/* --- Contexts --------------------------------------------------------------------------------- */

imgtool_status imgtool_context_create(const imgtool_config *config, imgtool_context **context,
                                      imgtool_error *error)
{
    static const ImgTeamConfig team = {.stack_bytes = IMG_TEAM_STACK_BYTES};
    imgtool_config complete;
    if (context == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "context is NULL");
    *context = NULL;
    imgtool_status status = read_config(config, &complete, error);
    if (status != IMGTOOL_OK)
        return status;
    imgtool_context *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a context");
    made->config = complete;
    complete_config(made);
    made->team = img_team_create(&team);
    made->process = getpid();
    *context = made;
    return img_lib_begin(made, error);
}

static void release(const ImgLibKept *kept)
{
    if (kept->state != NULL)
        kept->release(kept->state);
}

void imgtool_context_destroy(imgtool_context *context)
{
    if (context == NULL)
        return;
    /* A child of fork() does not have the threads, so waiting for them would block. */
    if (context->process == getpid()) {
        img_exec_destroy(context->exec);
        img_team_free(context->team);
        release(&context->slots);
    }
    release(&context->workers);
    free(context);
}

ImgStatus img_lib_exec(imgtool_context *context, ImgExec **exec, ImgError *err)
{
    static const ImgBackend backends[] = {IMG_BACKEND_AUTO, IMG_BACKEND_CPU, IMG_BACKEND_CUDA};
    ImgStatus status = IMG_OK;
    if (context->exec == NULL) {
        const imgtool_config *config = &context->config;
        const ImgExecConfig how = {.backend = backends[config->backend],
                                   .device = config->device,
                                   .threads = config->threads,
                                   .team = context->team};
        status = img_exec_create(&how, &context->exec, err);
    }
    if (status == IMG_OK)
        img_exec_set_limits(context->exec,
                            &(ImgExecLimits){.max_pixels = context->limits.max_pixels,
                                             .room_bytes = context->limits.max_memory});
    if (status == IMG_OK)
        img_exec_set_progress(context->exec, (ImgExecProgress){img_lib_progress, context});
    *exec = context->exec;
    return status;
}

/* --- Progress --------------------------------------------------------------------------------- */

ImgStatus img_lib_cancel(imgtool_context *context, ImgError *err)
{
    context->cancelled = true;
    return img_fail(err, IMG_E_UNSUPPORTED, "cancelled");
}

ImgStatus img_lib_progress(void *context, uint64_t done, uint64_t total, ImgError *err)
{
    imgtool_context *own = context;
    const imgtool_config *config = &own->config;
    if (config->progress == NULL || config->progress(config->progress_user, done, total))
        return IMG_OK;
    return img_lib_cancel(own, err);
}

ImgProgress img_lib_codec_progress(imgtool_context *context)
{
    return (ImgProgress){.report = img_lib_progress, .context = context};
}

/* Calls the progress callback if this is the thread that called the library. With several encoding
 * threads another thread may write the file, and the callback must not run there. */
static ImgStatus report_interrupt(void *context, ImgError *err)
{
    const imgtool_context *own = context;
    return pthread_equal(own->caller, pthread_self()) ? img_lib_progress(context, 0, 1, err)
                                                      : IMG_OK;
}

ImgInterrupt img_lib_interrupt(imgtool_context *context)
{
    return (ImgInterrupt){.ask = report_interrupt, .context = context};
}

/* --- Memory ----------------------------------------------------------------------------------- */

bool img_lib_uses_malloc(const imgtool_context *context)
{
    return context->config.allocator.allocate == NULL;
}

void *img_lib_allocate(const imgtool_context *context, size_t size)
{
    const imgtool_allocator *allocator = &context->config.allocator;
    if (allocator->allocate != NULL)
        return allocator->allocate(allocator->user, size);
    return img_large_alloc(size);
}

void img_lib_release(const imgtool_context *context, void *memory)
{
    const imgtool_allocator *allocator = &context->config.allocator;
    if (allocator->release == NULL)
        free(memory);
    else if (memory != NULL)
        allocator->release(allocator->user, memory);
}

void imgtool_free(imgtool_context *context, void *memory)
{
    if (context != NULL)
        img_lib_release(context, memory);
}
