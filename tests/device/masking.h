/* An operation without a picture's sense, for the executor on a GPU that is none: every sample XOR
 * a parameter, by the CPU or in device memory, with constants and a workspace. */
#ifndef IMGTOOL_TESTS_DEVICE_MASKING_H
#define IMGTOOL_TESTS_DEVICE_MASKING_H

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"

enum { MASKING_WIDTH = 37, MASKING_HEIGHT = 5, MASKING_BYTES = MASKING_WIDTH * MASKING_HEIGHT };

/* A step that no GPU is too slow for. */
ImgStep masking_step(uint8_t mask);
ImgShape masking_shape(void);
ImgImage masking_picture(void);
bool masking_is_done(const ImgView *view, uint8_t mask);

/* The picture comes to the device from a file, of which it is the bytes. */
ImgDeviceEnd masking_source(void);
/* And goes to one, of MASKING_BYTES. */
ImgDeviceEnd masking_sink(uint8_t *bytes);

#endif
