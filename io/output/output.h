/* Where results go: a file that appears whole or not at all, a stream, or a function.
 *
 * A regular file is written to a temporary file in the same directory and renamed by
 * img_output_commit; until then whatever had that name is untouched. "-" is standard output;
 * devices and pipes (/dev/null, a FIFO) are written in place, never replaced, and so is what a
 * descriptor leads to (/dev/stdout, /dev/fd/N, /proc/self/fd/N), from where it stands. A symbolic
 * link is followed, so that the file behind it is replaced and not the link. Permissions of a new
 * file follow the umask. One that replaces a file has that one's instead, its group, its list of
 * rights (POSIX ACL) and the attributes of users. Without its group or list, where the system does
 * not allow these, it has fewer permissions, so that a private picture stays private. The program
 * ignores SIGPIPE and SIGXFSZ, if it wants errors instead.
 *
 * Messages do not name the file: the caller puts its name in front. */
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

/* Called around the life of a temporary file, so that a program can remove it when a signal ends
 * it. `created` comes before the file exists, `gone` after it was renamed or removed. Both come
 * between `enter` and `leave`, which surround each step that creates, renames or removes the file:
 * a program that ends waits for such a step, and lets no other begin. Steps do not nest. Each
 * function may be NULL, and so may the hooks. */
typedef struct ImgOutputHooks {
    void (*created)(void *context, const char *path);
    void (*gone)(void *context, const char *path);
    void *context;
    void (*enter)(void *context);
    void (*leave)(void *context);
} ImgOutputHooks;

/* Fails early, with IMG_E_IO, where nothing can be written: a missing or read-only directory, a
 * directory by that name; IMG_E_USAGE for a terminal. `hooks` must outlive the output. */
ImgStatus img_output_open(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                          ImgError *err);

/* The same in two steps: what can be known without touching a file, and the file. An output that is
 * prepared only is discarded as any other. */
ImgStatus img_output_prepare(const char *path, const ImgOutputHooks *hooks, ImgOutput **output,
                             ImgError *err);
ImgStatus img_output_begin(ImgOutput *output, ImgError *err);

/* Between both: gives `use` all names of files that this output will use from now on. A file that
 * replaces another is created here already, as to give it permissions takes calls which a program
 * that asks for names may not make later. IMG_E_MEMORY. */
ImgStatus img_output_names(ImgOutput *output, ImgNameFunction *use, void *context, ImgError *err);

/* Takes all `size` bytes, or fails. Calls come one after another, but perhaps from other threads
 * than the one that opened the output: those that write. */
typedef ImgStatus ImgWriteFunction(void *context, const void *data, size_t size, ImgError *err);

/* All that is written goes to a function, with a failure of which the output fails. What has gone
 * there does not come back: to commit such an output means that all of it has. IMG_E_MEMORY. */
ImgStatus img_output_open_function(ImgWriteFunction *write, void *context, ImgOutput **output,
                                   ImgError *err);

/* True where it is written in place: to a pipe, a device or an open descriptor. */
bool img_output_is_in_place(const ImgOutput *output);

/* Who is asked where a signal comes while `output` waits for a pipe's reader. */
void img_output_set_interrupt(ImgOutput *output, ImgInterrupt interrupt);

/* Buffered; after a failure every later call fails likewise. */
ImgStatus img_output_write(ImgOutput *output, const void *data, size_t size, ImgError *err);

/* Bytes accepted so far, and the seconds that the system took to write them. */
uint64_t img_output_bytes(const ImgOutput *output);
double img_output_seconds(const ImgOutput *output);

/* What the user should know of the file that is replaced, by number from 0: an attribute that is
 * lost, other names (hard links) that stay with the old file. NULL past the last. To be asked when
 * all is written and before it is committed. */
enum { IMG_OUTPUT_NOTES = 2 };
const char *img_output_note(ImgOutput *output, int index);

/* What img_output_commit may replace. `may` is asked about the complete file `made` and the file
 * that has the name, or NULL where it is free; else the failure is that of the commit, and `old`
 * keeps its name. It is asked again when both have exchanged their names, as another may have got
 * the name in between. Where the file system has no exchange, `lock` and `unlock` are around the
 * question and the rename: outputs of one guard follow each other there. They may be NULL. */
typedef ImgStatus ImgReplaceFunction(void *context, const struct stat *made, const struct stat *old,
                                     ImgError *err);
typedef struct ImgReplaceGuard {
    ImgReplaceFunction *may;
    void (*lock)(void *context), (*unlock)(void *context);
    void *context;
} ImgReplaceGuard;
void img_output_guard(ImgOutput *output, const ImgReplaceGuard *guard);

/* Replaces no file: IMG_E_IO, now or by img_output_commit, where there is one. Pipes and devices
 * are written to. */
ImgStatus img_output_refuse_existing(ImgOutput *output, ImgError *err);

/* The file that is to be replaced was `file` before it was read. img_output_commit replaces no
 * other one, and none to which another program has written since: IMG_E_TEMPORARY, and what that
 * program has saved stays. To be called once the picture is read. A program that opened the old
 * file before, and writes to it after the last look, goes unnoticed where the file system has no
 * leases or they are not ours to take. So does what happens between the last look and a rename
 * where there is no RENAME_EXCHANGE (NFS). */
ImgStatus img_output_expect(ImgOutput *output, const struct stat *file, ImgError *err);

/* All is written: flushes, synchronises to the disk what will replace an existing file, so that a
 * power cut leaves the old file or the new one, and closes. *temporary is the path of the whole
 * file, which has the size and the times that it will have in its place; NULL where it was written
 * in place. It belongs to the output. For those who have to note something before a file gets its
 * name; img_output_commit does this where it was not done. */
ImgStatus img_output_finish(ImgOutput *output, const char **temporary, ImgError *err);

/* Puts the file in its place. Frees the output in any case, sets *output to NULL; on failure the
 * old file is as it was. */
ImgStatus img_output_commit(ImgOutput **output, ImgError *err);

/* Removes the temporary file and frees the output; harmless on NULL. */
void img_output_discard(ImgOutput **output);

#endif
