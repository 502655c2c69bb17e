/* Encoding on the device. The input and the output are in host memory. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_ENCODE_DEVICE_H
#define IMGTOOL_TESTS_CHECKCODEC_ENCODE_DEVICE_H

#include "io/png/cuda/encode/png_encode_cuda.h"

/* Device memory for pictures of one plan. Initialise with {0}, and free with device_close. */
typedef struct Device {
    ImgPngEncodeCudaPlan plan;
    ImgPngEncodeCudaPlaces places;
    void *pixels, *workspace, *output, *size, *strips, *blocks;
} Device;

ImgStatus device_open(Device *device, const ImgView *view, const ImgPngEncodeCudaOptions *options,
                      ImgError *err);
/* Encodes the uploaded picture, and waits until it is encoded. */
ImgStatus device_encode(Device *device, ImgError *err);
/* Downloads the encoded chunks to `chunks`, which must have plan.output bytes. */
ImgStatus device_download(const Device *device, uint8_t *chunks, size_t *size, ImgError *err);
/* Downloads the results of the strips to `strips`, which must have an element for each strip of the
 * plan. */
ImgStatus device_results(const Device *device, ImgPngCudaStrip *strips, ImgError *err);
/* Downloads the positions of blocks to `blocks`, which must have plan.starts elements. */
ImgStatus device_blocks(const Device *device, ImgPngCudaBlock *blocks, ImgError *err);
void device_close(Device *device);

#endif
