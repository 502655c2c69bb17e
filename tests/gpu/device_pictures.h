/* Pictures in device memory for tests: allocation, copies, and checks for writes outside a picture.
 * Any unexpected result ends the program. */
#ifndef IMGTOOL_TESTS_GPU_DEVICE_PICTURES_H
#define IMGTOOL_TESTS_GPU_DEVICE_PICTURES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "imgtool.h"

enum { GUARD = 4096, GUARD_VALUE = 0xA5 };

/* A picture in device memory. Each row starts at a multiple of 16 bytes. */
typedef struct OnDevice {
    imgtool_picture picture;
    size_t bytes;
} OnDevice;

void expect(bool good, const char *what, const char *why);
void cuda(cudaError_t code, const char *what);

OnDevice make_on_device(imgtool_picture like);
size_t row_bytes(const imgtool_picture *picture);
void copy(const imgtool_picture *from, const imgtool_picture *to, enum cudaMemcpyKind kind);

/* expect_guard expects that the bytes of `memory` after the first `used` ones are unchanged.
 * expect_gaps expects the same of the bytes between the rows. */
void expect_guard(const void *memory, size_t used, const char *what);
void expect_gaps(const imgtool_picture *picture, const char *what);
void expect_equal(const imgtool_picture *expected, const imgtool_picture *got, const char *what);

#endif
