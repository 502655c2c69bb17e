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
    int fd; /* descriptor of the file; -1: not open yet, or closed */
    /* Descriptor that holds the lock of a closed file until it is renamed; -1: none. */
    int lock_fd;
    bool finished;   /* true once the file is flushed and closed */
    mode_t mode;     /* mode for creating the file, before the umask */
    bool replaces;   /* true if a file is replaced; its permissions are `old` */
    bool differs;    /* true if `old` differs from the permissions of a new file */
    nlink_t links;   /* number of hard links to the file that is replaced */
    ImgError unkept; /* error of the first attribute that could not be copied; IMG_OK: none */
    ImgPermissions old;
    ImgReplaceGuard guard; /* if `may_replace` is NULL, any file may be replaced */
    struct stat expected;  /* state of the file that was read (img_output_expect) */
    int expected_fd;       /* descriptor of the file that was read, or -1 */
    bool has_lease;        /* true if a read lease on expected_fd is held */
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
    ImgError failure; /* the first error, which later calls return again */
    uint64_t bytes;
    double seconds;
    size_t used;
    uint8_t buffer[IMG_OUTPUT_BUFFER_BYTES];
};

/* Calls the hook before a step: creating, renaming or removing a temporary file. errno is
 * preserved. */
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

/* Tells the hooks that the temporary file is gone: renamed, removed, or not created. Called within
 * a step. */
void img_output_forget_temporary(ImgOutput *output);

/* Remove the temporary file. If that fails, the hooks still know it and can try again at exit.
 * img_output_remove_temporary is a step of its own; the second function is called within a step. */
void img_output_remove_temporary(ImgOutput *output);
void img_output_remove_in_step(ImgOutput *output);

/* Renames the finished temporary file to the target (replace.c). Called within a step. */
ImgStatus img_output_install(ImgOutput *output, ImgError *err);

/* Closes the descriptor and ignores errors. */
void img_output_drop_descriptor(int *fd);

#endif
