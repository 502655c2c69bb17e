/* Creates directories for output files. */
#ifndef IMGTOOL_IO_OUTPUT_DIRECTORY_H
#define IMGTOOL_IO_OUTPUT_DIRECTORY_H

#include "kernels/core/status.h"

/* Creates one directory with permissions 0777 less the umask. Succeeds if the directory exists. */
ImgStatus img_directory_create(const char *directory, ImgError *err);

/* Creates a directory and its missing parent directories, with permissions as in
 * img_directory_create. */
ImgStatus img_directory_create_all(const char *directory, ImgError *err);

#endif
