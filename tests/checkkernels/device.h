/* What the checker needs of a GPU, so that it builds and runs without one. Every function says in
 * `err` what failed. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_DEVICE_H
#define IMGTOOL_TESTS_CHECKKERNELS_DEVICE_H

#include <stddef.h>

#include "kernels/core/op.h"

/* IMG_E_UNAVAILABLE where there is no GPU; `name` gets its name. */
ImgStatus device_open(char *name, size_t size, ImgError *err);

ImgStatus device_alloc(void **memory, size_t size, ImgError *err);
void device_free(void *memory);
ImgStatus device_upload(void *to, const void *from, size_t size, ImgError *err);
ImgStatus device_download(void *to, const void *from, size_t size, ImgError *err);

/* Runs on the default stream, with the workspace that the implementation asks for, and waits. */
ImgStatus device_run(const ImgImpl *impl, ImgCall *call, ImgError *err);

/* Seconds that one run takes on the device, its caches filled with other data before. */
ImgStatus device_time_run(const ImgImpl *impl, ImgCall *call, double *seconds, ImgError *err);

/* The same for reading `size` bytes of device memory and doing next to nothing with them. */
ImgStatus device_time_read(const void *from, size_t size, double *seconds, ImgError *err);

/* The same for a copy of `size` bytes from one place in device memory to another. */
ImgStatus device_time_copy(void *to, const void *from, size_t size, double *seconds, ImgError *err);

#endif
