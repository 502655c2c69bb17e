/* Destinations for results: a file that appears complete or not at all, a stream, or a function.
 *
 * A regular file is written to a temporary file in the same directory, which img_output_commit
 * renames. Until then an existing file stays untouched. "-" is standard output. Devices and pipes
 * (/dev/null, a FIFO) are written in place. Open descriptors (/dev/stdout, /dev/fd/N,
 * /proc/self/fd/N) are also written in place, from their current position. If the path is a
 * symbolic link, the link's target is replaced, not the link.
 *
 * Permissions of a new file follow the umask. A file that replaces an old file gets the
 * permissions, group, POSIX ACL and user extended attributes of the old file. If the system does
 * not allow the group or ACL, the file gets fewer permissions, so that a private picture stays
 * private. A program that wants errors instead of signals must ignore SIGPIPE and SIGXFSZ.
 *
 * Error messages do not contain the file's name; the caller adds it in front. */
#ifndef IMGTOOL_IO_OUTPUT_OUTPUT_H
#define IMGTOOL_IO_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "io/interrupt.h"
#include "io/names.h"
#include "kernels/core/status.h"

typedef struct ImgOutput ImgOutput;

/* Callbacks about a temporary file, so that a program can remove the file when a signal ends the
 * program. `created` is called before the file exists, `gone` after it was renamed or removed.
 *
 * A step is the code that creates, renames or removes the file. `enter` is called before each step
 * and `leave` after it; `created` and `gone` are called within a step. A program that exits can
 * wait in these callbacks for the current step and block new ones. Steps do not nest. Each function
 * may be NULL, and so may the pointer to the hooks. */
typedef struct ImgOutputHooks {
    void (*created)(void *context, const char *path);
    void (*gone)(void *context, const char *path);
    void *context;
    void (*enter)(void *context);
    void (*leave)(void *context);
} ImgOutputHooks;

/* Opens an output. Fails immediately with IMG_E_IO if the output cannot be written: the directory
 * is missing or read-only, or `path` is a directory. Fails with IMG_E_USAGE if the output is a
 * terminal. `hooks` must outlive the output. */
ImgStatus img_output_open(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                          ImgError *err);

/* img_output_prepare and img_output_begin together do the same as img_output_open.
 * img_output_prepare checks as much as possible without creating a file; img_output_begin creates
 * the file. img_output_discard also accepts an output that was only prepared. */
ImgStatus img_output_prepare(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                             ImgError *err);
ImgStatus img_output_begin(ImgOutput *output, ImgError *err);

/* Passes the names of all files that this output will use to the function `use`. Called between
 * img_output_prepare and img_output_begin. If the output replaces a file, this function creates the
 * temporary file, because the sandbox forbids the program to set permissions later. May fail with
 * IMG_E_MEMORY. */
ImgStatus img_output_names(ImgOutput *output, ImgNameFunction *use, void *context, ImgError *err);

/* Writes all `size` bytes, or fails. Calls never overlap, but may come from another thread than the
 * thread that opened the output. */
typedef ImgStatus ImgWriteFunction(void *context, const void *data, size_t size, ImgError *err);

/* Opens an output that passes its data to the function `write`. If the function fails, the output
 * fails. Data that was passed cannot be taken back: img_output_commit only reports that all data
 * was passed. May fail with IMG_E_MEMORY. */
ImgStatus img_output_open_function(ImgWriteFunction *write, void *context, ImgOutput **output,
                                   ImgError *err);

/* Returns true if the output is written in place: a pipe, a device or an open descriptor. */
bool img_output_is_in_place(const ImgOutput *output);

/* Sets the callback that decides whether to continue when a signal interrupts a write, for example
 * to a full pipe. */
void img_output_set_interrupt(ImgOutput *output, ImgInterrupt interrupt);

/* Appends `size` bytes to a buffer, which is written to the destination when it is full. After a
 * failure every later call fails with the same error. */
ImgStatus img_output_write(ImgOutput *output, const void *data, size_t size, ImgError *err);

/* Discards everything that was written so far, so that the file can be written again from its
 * start. Must be called only for a temporary file, not for an output that is written in place or by
 * a function. Fails if the file cannot be truncated, or if an earlier write failed. */
ImgStatus img_output_restart(ImgOutput *output, ImgError *err);

/* img_output_bytes returns the number of bytes accepted so far; img_output_seconds returns the time
 * spent in writing them, in seconds. */
uint64_t img_output_bytes(const ImgOutput *output);
double img_output_seconds(const ImgOutput *output);

/* img_output_note returns a note for the user about the file that is replaced. A note names a lost
 * attribute, or other names (hard links) of the file that keep the old contents. `index` counts
 * notes from 0; past the last note the result is NULL. Called after the last write and before the
 * commit. */
enum { IMG_OUTPUT_NOTES = 2 };
const char *img_output_note(ImgOutput *output, int index);

/* A callback that decides whether img_output_commit may replace a file. It receives `made`, the
 * state of the complete new file, and `old`, the state of the file that has the final name. `old`
 * is NULL if no file has that name. If the callback fails, the commit fails and the old file keeps
 * its name.
 *
 * After the two files have exchanged names the callback is called again, because another program
 * may have replaced the old file in between. If the file system cannot exchange names, `lock` is
 * called before the check and `unlock` after the rename. A lock that several outputs share makes
 * them check and rename one at a time. `lock` and `unlock` may be NULL. */
typedef ImgStatus ImgReplaceFunction(void *context, const struct stat *made, const struct stat *old,
                                     ImgError *err);
typedef struct ImgReplaceGuard {
    ImgReplaceFunction *may_replace;
    void (*lock)(void *context), (*unlock)(void *context);
    void *context;
} ImgReplaceGuard;
void img_output_set_guard(ImgOutput *output, const ImgReplaceGuard *guard);

/* Makes img_output_commit fail instead of replacing a file. If the file exists, this function or
 * the commit fails with IMG_E_IO. Pipes and devices are still written. */
ImgStatus img_output_refuse_existing(ImgOutput *output, ImgError *err);

/* Makes img_output_commit replace the old file only if the file still has the state `file`. The
 * caller took this state before it read the picture, and calls this function after reading it. If
 * another program has replaced or changed the file, the commit fails with IMG_E_TEMPORARY and keeps
 * the file.
 *
 * Some changes cannot be detected. If leases are unavailable, a program that already has the old
 * file open may write after the last check. Without RENAME_EXCHANGE (NFS) a change between the last
 * check and the rename remains undetected. */
ImgStatus img_output_expect(ImgOutput *output, const struct stat *file, ImgError *err);

/* Flushes and closes the file after the last write. A file that will replace another is synced to
 * disk first, so that a power failure leaves either the old or the new file. Sets `*temporary` to
 * the path of the complete file, which the output owns. Sets it to NULL if the data was written in
 * place. Only for callers that must record size and times of the file before the rename;
 * img_output_commit also calls this function. */
ImgStatus img_output_finish(ImgOutput *output, const char **temporary, ImgError *err);

/* Renames the file to its final name. Always frees the output and sets `*output` to NULL. On
 * failure the old file is unchanged. */
ImgStatus img_output_commit(ImgOutput **output, ImgError *err);

/* Removes the temporary file, frees the output and sets `*output` to NULL. `*output` may be
 * NULL. */
void img_output_discard(ImgOutput **output);

/* --- Directories for output files ------------------------------------------------------------- */

/* Creates one directory with permissions 0777 less the umask. Succeeds if the directory exists. */
ImgStatus img_directory_create(const char *directory, ImgError *err);

/* Creates a directory and its missing parent directories, with permissions as in
 * img_directory_create. */
ImgStatus img_directory_create_all(const char *directory, ImgError *err);

#endif
