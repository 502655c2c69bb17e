/* Splits paths into directory and name, and decides whether two paths lead to the same file. */
#ifndef IMGTOOL_APP_FILES_PATH_PARTS_H
#define IMGTOOL_APP_FILES_PATH_PARTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns the part of the path after the last slash. It points into `path`. */
const char *path_name(const char *path);

/* Calls stat for the directory that contains the path. For a path without a slash it is the working
 * directory. Returns false if stat fails or memory is short. */
bool path_directory(const char *path, struct stat *directory);

/* Returns whether `a` and `b` have the same device and inode. */
bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Returns whether the two paths, whose files do not exist yet, would create the same file. They do
 * if they lead to the same existing directory, and the rest of both paths is equal. */
bool path_will_be_same(const char *a, const char *b);

#endif
