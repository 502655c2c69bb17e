/* Destinations for results: a file that appears complete or not at all, a stream, or a function.
 *
 * A regular file is written to a temporary file in the same directory, which img_output_commit
 * renames; until then an existing file stays untouched. "-" is standard output. Devices and pipes
 * (/dev/null, a FIFO) are written in place, and so are open descriptors (/dev/stdout, /dev/fd/N,
 * /proc/self/fd/N), from their current position. A symbolic link is followed: its target is
 * replaced, not the link.
 *
 * Permissions of a new file follow the umask. A file that replaces another gets its permissions,
 * group, POSIX ACL and user extended attributes. If the system does not allow the group or ACL, the
 * file gets fewer permissions, so that a private picture stays private. A program that wants errors
 * instead of signals ignores SIGPIPE and SIGXFSZ.
 *
 * Messages do not name the file: the caller adds its name in front. */
#ifndef IMGTOOL_IO_OUTPUT_H
#define IMGTOOL_IO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "io/interrupt.h"
#include "io/names.h"
#include "kernels/core/status.h"

typedef struct ImgOutput ImgOutput;

/* Callbacks around the life of a temporary file, so that a program that a signal ends can remove
 * it. `created` is called before the file exists, `gone` after it was renamed or removed. Both are
 * called between `enter` and `leave`, which surround each step that creates, renames or removes the
 * file. A program that exits waits for the current step and blocks new ones. Steps do not nest.
 * Each function may be NULL, and so may the hooks. */
typedef struct ImgOutputHooks {
    void (*created)(void *context, const char *path);
    void (*gone)(void *context, const char *path);
    void *context;
    void (*enter)(void *context);
    void (*leave)(void *context);
} ImgOutputHooks;

/* Opens an output. Fails early with IMG_E_IO if it cannot be written: missing or read-only
 * directory, a directory of that name; IMG_E_USAGE for a terminal. `hooks` must outlive the
 * output. */
ImgStatus img_output_open(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                          ImgError *err);

/* img_output_open in two steps: prepare checks what it can without creating a file, begin creates
 * it. An output that was only prepared is discarded like any other. */
ImgStatus img_output_prepare(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                             ImgError *err);
ImgStatus img_output_begin(ImgOutput *output, ImgError *err);

/* Between prepare and begin: passes the names of all files that this output will use to `use`. If
 * the output replaces a file, its temporary file is created here, because a sandboxed program must
 * not set permissions later. May fail with IMG_E_MEMORY. */
ImgStatus img_output_names(ImgOutput *output, ImgNameFunction *use, void *context, ImgError *err);

/* Writes all `size` bytes, or fails. Calls never overlap, but may come from other threads than the
 * one that opened the output. */
typedef ImgStatus ImgWriteFunction(void *context, const void *data, size_t size, ImgError *err);

/* Opens an output that passes its data to a function; if the function fails, so does the output.
 * Data that was passed cannot be taken back, so commit means only that all data was passed. May
 * fail with IMG_E_MEMORY. */
ImgStatus img_output_open_function(ImgWriteFunction *write, void *context, ImgOutput **output,
                                   ImgError *err);

/* Returns true for a pipe, a device or an open descriptor, which are written in place. */
bool img_output_is_in_place(const ImgOutput *output);

/* Sets the callback for a signal that interrupts a wait for a pipe's reader. */
void img_output_set_interrupt(ImgOutput *output, ImgInterrupt interrupt);

/* Appends data, buffered. After a failure every later call fails with the same error. */
ImgStatus img_output_write(ImgOutput *output, const void *data, size_t size, ImgError *err);

/* Bytes accepted so far, and seconds spent in writing them. */
uint64_t img_output_bytes(const ImgOutput *output);
double img_output_seconds(const ImgOutput *output);

/* Returns notes for the user about the file that is replaced, by number from 0: a lost attribute,
 * or other names (hard links) that keep the old contents. NULL past the last note. Call it after
 * the last write and before the commit. */
enum { IMG_OUTPUT_NOTES = 2 };
const char *img_output_note(ImgOutput *output, int index);

/* Decides whether img_output_commit may replace a file. `may` receives the state of the complete
 * new file `made` and of the file that has the name, or NULL if there is none. If it fails, the
 * commit fails and `old` keeps its name.
 *
 * After the two files have exchanged names `may` is called again, because another program may have
 * replaced the file in between. If the file system cannot exchange names, `lock` and `unlock`
 * surround the check and the rename, so that outputs with one guard do this one at a time. Both may
 * be NULL. */
typedef ImgStatus ImgReplaceFunction(void *context, const struct stat *made, const struct stat *old,
                                     ImgError *err);
typedef struct ImgReplaceGuard {
    ImgReplaceFunction *may_replace;
    void (*lock)(void *context), (*unlock)(void *context);
    void *context;
} ImgReplaceGuard;
void img_output_set_guard(ImgOutput *output, const ImgReplaceGuard *guard);

/* Never replace a file: fails with IMG_E_IO, now or in img_output_commit, if one exists. Pipes and
 * devices are still written. */
ImgStatus img_output_refuse_existing(ImgOutput *output, ImgError *err);

/* Commit only if the old file is still in state `file`, as it was before it was read.
 * img_output_commit then fails with IMG_E_TEMPORARY, and keeps the file, if another program has
 * replaced or changed it. Call it once the picture is read.
 *
 * Some changes cannot be detected. A program that already has the old file open may write after the
 * last check, if leases are unavailable. Without RENAME_EXCHANGE (NFS) changes between the last
 * check and the rename are missed. */
ImgStatus img_output_expect(ImgOutput *output, const struct stat *file, ImgError *err);

/* Flushes and closes after the last write. A file that will replace another is synced to disk
 * first, so that a power failure leaves either the old or the new file. *temporary is the path of
 * the complete file, owned by the output; NULL if the data was written in place. For callers that
 * must record size and times of the file before it gets its name; otherwise img_output_commit calls
 * it. */
ImgStatus img_output_finish(ImgOutput *output, const char **temporary, ImgError *err);

/* Renames the file to its final name. Always frees the output and sets *output to NULL. On failure
 * the old file is unchanged. */
ImgStatus img_output_commit(ImgOutput **output, ImgError *err);

/* Removes the temporary file and frees the output. NULL is allowed. */
void img_output_discard(ImgOutput **output);

#endif
