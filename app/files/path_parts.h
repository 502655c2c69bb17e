/* Paths: name and directory, and comparing files. */
#ifndef IMGTOOL_APP_FILES_PATH_PARTS_H
#define IMGTOOL_APP_FILES_PATH_PARTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns what follows the last slash; it points into the path. */
const char *path_name(const char *path);

/* Calls stat for the directory of a path, which is the working directory without a slash. Returns
 * false if that fails or memory is short. */
bool path_directory(const char *path, struct stat *directory);

/* Compares device and inode. */
bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Returns whether both paths will name the same file, which does not exist yet: their last parts
 * are equal, up to an existing directory. */
bool path_will_be_same(const char *a, const char *b);

#endif
