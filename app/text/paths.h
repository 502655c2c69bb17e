/* Splits and joins paths, and decides whether two paths lead to the same file. */
#ifndef IMGTOOL_APP_TEXT_PATHS_H
#define IMGTOOL_APP_TEXT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Identifies an existing file, whatever its path. */
typedef struct FileId {
    dev_t device;
    ino_t inode;
} FileId;

FileId file_id(const struct stat *info);

/* Orders files by device and inode. Both arguments point to structs that begin with a FileId. Has
 * the type that qsort, bsearch and tsearch take. */
int file_id_compare(const void *a, const void *b);

/* Returns whether `a` and `b` have the same device and inode. */
bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Returns whether the path leads to the existing file `file`. */
bool path_leads_to(const char *path, const struct stat *file);

/* Returns whether the two paths, whose files do not exist yet, would create the same file. They do
 * if they lead to the same existing directory, and the rest of both paths is equal. */
bool path_will_be_same(const char *a, const char *b);

/* Returns the part of the path after the last slash. It points into `path`. */
const char *path_name(const char *path);

/* Returns the number of bytes before the name, with the slash. */
size_t path_directory_length(const char *path);

/* Returns the path of the directory that contains the file, without a slash at its end, unless it
 * is "/". It is "." for a path without a slash. Returns NULL if there is no memory. The caller
 * frees it. */
char *path_directory(const char *path);

/* Calls stat for the directory that contains the path. Returns false if stat fails or memory is
 * short. */
bool path_stat_directory(const char *path, struct stat *directory);

/* Returns the path of `name` in `directory`. "" is the root directory. Returns NULL if there is no
 * memory. The caller frees it. */
char *path_join(const char *directory, const char *name);

#endif
