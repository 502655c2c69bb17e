/* Directories for files that are written. */
#ifndef IMGTOOL_IO_OUTPUT_DIRECTORY_H
#define IMGTOOL_IO_OUTPUT_DIRECTORY_H

#include "kernels/core/status.h"

/* Creates the directory, if it is missing, with the permissions that the umask leaves. */
ImgStatus img_directory_create(const char *directory, ImgError *err);

/* Likewise, and those that it is in. */
ImgStatus img_directory_create_all(const char *directory, ImgError *err);

#endif
