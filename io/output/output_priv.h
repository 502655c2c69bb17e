/* Private: the state of an output, which output_open.c creates and output.c writes. */
#ifndef IMGTOOL_IO_OUTPUT_PRIV_H
#define IMGTOOL_IO_OUTPUT_PRIV_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "io/output/output.h"
#include "io/output/permissions_priv.h"

enum { IMG_OUTPUT_BUFFER_BYTES = 1 << 18, IMG_OUTPUT_NAMES_KEPT = 4 };

struct ImgOutput {
    ImgWriteFunction *write; /* NULL: write to the descriptor */
    void *write_context;
    int fd;        /* -1: not open yet, or closed */
    int lock_fd;   /* descriptor that holds the lock of a closed file until it is renamed, or -1 */
    bool finished; /* flushed and closed */
    mode_t mode;   /* mode for creating the file; the umask is subtracted */
    bool replaces; /* it replaces a file, whose permissions are `old` */
    bool differs;  /* `old` differs from what a new file would get */
    nlink_t links; /* hard links to the file that is replaced */
    ImgError unkept; /* the first attribute that could not be copied; IMG_OK: none */
    ImgPermissions old;
    ImgReplaceGuard guard; /* `may_replace` is NULL: replace any file */
    struct stat expected;  /* state of the file that was read (img_output_expect) */
    int expected_fd;       /* descriptor of that file, or -1 */
    bool has_lease;        /* a read lease on expected_fd is held */
    /* Each name may point to memory of the caller (img_output_names) instead of ours. NULL:
     * none. */
    const char *in_place, *target, *temporary;
    char *own_in_place, *own_target, *own_temporary;
    const char *kept[IMG_OUTPUT_NAMES_KEPT]; /* reserved names for `temporary`; the first is NULL:
                                              * any name */
    char *own_kept[IMG_OUTPUT_NAMES_KEPT];
    const ImgOutputHooks *hooks;
    ImgInterrupt interrupt;
    char note[IMG_MESSAGE_SIZE];
    ImgError failure; /* the first error; later calls repeat it */
    uint64_t bytes;
    double seconds;
    size_t used;
    uint8_t buffer[IMG_OUTPUT_BUFFER_BYTES];
};

/* Called around each step that creates, renames or removes a temporary file. errno is preserved. */
static inline void img_output_enter(const ImgOutputHooks *hooks)
{
    if (hooks != NULL && hooks->enter != NULL)
        hooks->enter(hooks->context);
}

static inline void img_output_leave(const ImgOutputHooks *hooks)
{
    const int code = errno;
    if (hooks != NULL && hooks->leave != NULL)
        hooks->leave(hooks->context);
    errno = code;
}

/* Fails with a message for the errno value `code`. */
ImgStatus img_output_fail(int code, ImgError *err);

/* Called within a step, after the temporary file was renamed or removed, or could not be
 * created. */
void img_output_forget_temporary(ImgOutput *output);

/* Removes the temporary file. If that fails, the hooks keep it, to try again at exit. The first
 * function is a step of its own; the second is called within a step. */
void img_output_remove_temporary(ImgOutput *output);
void img_output_remove_in_step(ImgOutput *output);

/* Renames the finished temporary file to the target (replace.c). Called within a step. */
ImgStatus img_output_install(ImgOutput *output, ImgError *err);

/* Closes the descriptor and ignores errors. */
void img_output_drop_descriptor(int *fd);

#endif
