/* A simple operation for tests of the executor with a fake GPU. It computes every sample XOR a
 * parameter, on the CPU or in device memory, with constants and a workspace. */
#ifndef IMGTOOL_TESTS_DEVICE_MASKING_H
#define IMGTOOL_TESTS_DEVICE_MASKING_H

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"

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
