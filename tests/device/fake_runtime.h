/* Settings of the runtime without a GPU (fake_runtime.c), and an operation for tests with it
 * (masking.c). */
#ifndef IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H
#define IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"

/* Sets the total device memory in bytes, including the memory in use. Before the first call it is
 * as large as the memory of the host. */
void fake_runtime_set_memory(size_t bytes);

/* Sets whether the machine has a CUDA driver from now on. Before the first call it has one. */
void fake_runtime_set_driver(bool is_there);

/* --- An operation for tests of the executor with a fake GPU ----------------------------------- */

/* The operation replaces each sample by sample XOR mask, where the mask is a parameter. It runs on
 * the CPU or in device memory, with constants and a workspace. */

enum { MASKING_WIDTH = 37, MASKING_HEIGHT = 5, MASKING_BYTES = MASKING_WIDTH * MASKING_HEIGHT };

/* Returns a step that masks samples. The executor considers any GPU fast enough for it. */
ImgStep masking_step(uint8_t mask);
ImgShape masking_shape(void);
ImgImage masking_picture(void);
bool masking_is_done(const ImgView *view, uint8_t mask);

/* Returns a source that copies a picture from the bytes of a file to the device. */
ImgDeviceEnd masking_source(void);
/* Returns a sink that copies MASKING_BYTES bytes from the device to `bytes`. */
ImgDeviceEnd masking_sink(uint8_t *bytes);

#endif
