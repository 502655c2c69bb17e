/* A path as a directory and a name in it. */
#ifndef IMGTOOL_APP_FILES_PATH_PARTS_H
#define IMGTOOL_APP_FILES_PATH_PARTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* What comes after the last slash; points into the path. */
const char *path_name(const char *path);

/* The directory that the path's name lies in: that of work where there is no slash. False where it
 * is not there, or there is no memory. */
bool path_directory(const char *path, struct stat *directory);

/* By device and inode. */
bool path_is_same_file(const struct stat *a, const struct stat *b);

/* Will both be one file, which is not there yet, nor its directory, maybe: have they the same names
 * from a directory on that is there? */
bool path_will_be_same(const char *a, const char *b);

#endif
