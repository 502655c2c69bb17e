/* Creates directories for output files. */
#ifndef IMGTOOL_IO_OUTPUT_DIRECTORY_H
#define IMGTOOL_IO_OUTPUT_DIRECTORY_H

#include "kernels/core/status.h"

/* Creates one directory if it is missing. Its permissions are 0777 less the umask. */
ImgStatus img_directory_create(const char *directory, ImgError *err);

/* Like img_directory_create, and also creates missing parent directories. */
ImgStatus img_directory_create_all(const char *directory, ImgError *err);

#endif
