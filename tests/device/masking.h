/* A simple operation for testing the executor on a GPU that does not exist: every sample XOR a
 * parameter, on the CPU or in device memory, with constants and a workspace. */
#ifndef IMGTOOL_TESTS_DEVICE_MASKING_H
#define IMGTOOL_TESTS_DEVICE_MASKING_H

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"

enum { MASKING_WIDTH = 37, MASKING_HEIGHT = 5, MASKING_BYTES = MASKING_WIDTH * MASKING_HEIGHT };

/* Returns a step for which any GPU is considered fast enough. */
ImgStep masking_step(uint8_t mask);
ImgShape masking_shape(void);
ImgImage masking_picture(void);
bool masking_is_done(const ImgView *view, uint8_t mask);

/* Returns a source that copies the picture from file bytes to the device. */
ImgDeviceEnd masking_source(void);
/* Returns a sink that copies MASKING_BYTES from the device. */
ImgDeviceEnd masking_sink(uint8_t *bytes);

#endif
