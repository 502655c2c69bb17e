/* Splits paths into directory and name, and compares files. */
#ifndef IMGTOOL_APP_FILES_PATH_PARTS_H
#define IMGTOOL_APP_FILES_PATH_PARTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns the part after the last slash. It points into `path`. */
const char *path_name(const char *path);

/* Calls stat for the directory of a path. If the path has no slash, that is the working directory.
 * Returns false if stat fails or memory is short. */
bool path_directory(const char *path, struct stat *directory);

/* Returns whether device and inode are equal. */
bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Returns whether both paths would create the same file, which does not exist yet. That is so if
 * they lead to the same existing directory, and the parts after it are equal. */
bool path_will_be_same(const char *a, const char *b);

#endif
