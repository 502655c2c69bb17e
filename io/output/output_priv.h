/* Private: what an output is, and how it is opened (output_open.c) and written (output.c). */
#ifndef IMGTOOL_IO_OUTPUT_PRIV_H
#define IMGTOOL_IO_OUTPUT_PRIV_H

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "io/output/output.h"
#include "io/output/rights_priv.h"

enum { IMG_OUTPUT_BUFFER_BYTES = 1 << 18, IMG_OUTPUT_NAMES_KEPT = 4 };

struct ImgOutput {
    ImgWriteFunction *write; /* NULL: to the descriptor */
    void *write_context;
    int fd;          /* -1: not open yet, or not any more */
    int claim;       /* keeps the lock of a file that is closed but not in its place yet, or -1 */
    bool finished;   /* flushed and closed */
    mode_t mode;     /* of a new file, from which the umask may take */
    bool replaces;   /* a file, whose rights are `old` */
    bool differs;    /* from what a new file would have by itself */
    nlink_t links;   /* names of the file that is replaced */
    ImgError unkept; /* the first of its attributes that the new one has not; IMG_OK: none */
    ImgRights old;
    ImgReplaceGuard guard; /* `may` is NULL: it may replace whatever there is */
    struct stat expected;  /* what was read (img_output_expect) */
    int expected_fd;       /* that file, or -1 */
    bool has_lease;        /* on it */
    /* Each name may be another's memory instead of ours (img_output_names). NULL: there is none. */
    const char *in_place, *target, *temporary;
    char *own_in_place, *own_target, *own_temporary;
    const char *kept[IMG_OUTPUT_NAMES_KEPT]; /* what `temporary` may be; first NULL: anything new */
    char *own_kept[IMG_OUTPUT_NAMES_KEPT];
    const ImgOutputHooks *hooks;
    ImgInterrupt interrupt;
    char note[IMG_MESSAGE_SIZE];
    ImgError failure; /* the first one, which later calls repeat */
    uint64_t bytes;
    double seconds;
    size_t used;
    uint8_t buffer[IMG_OUTPUT_BUFFER_BYTES];
};

/* Around each step that creates, renames or removes a temporary file. errno stays as it is. */
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

/* What failed, in a user's words. */
ImgStatus img_output_fail(int code, ImgError *err);

/* After the temporary file was renamed or removed, or could not be created. In a step. */
void img_output_forget_temporary(ImgOutput *output);

/* A file that cannot be removed stays known to the hooks, which may try again at the end. The first
 * one is a step of its own, the second one is called in a step. */
void img_output_remove_temporary(ImgOutput *output);
void img_output_remove_in_step(ImgOutput *output);

/* replace.c: the finished temporary file gets the name of the target. To be called within a step.
 */
ImgStatus img_output_put(ImgOutput *output, ImgError *err);

/* Without asking whether what was written has arrived. */
void img_output_drop_descriptor(int *fd);

#endif
