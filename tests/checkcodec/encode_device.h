/* Encoding on the device, from host memory to host memory. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_ENCODE_DEVICE_H
#define IMGTOOL_TESTS_CHECKCODEC_ENCODE_DEVICE_H

#include "io/png/cuda/encode/png_encode_cuda.h"

/* Memory for pictures of one plan. Start with {0}; device_close frees whatever there is. */
typedef struct Device {
    ImgPngEncodeCudaPlan plan;
    ImgPngEncodeCudaPlaces places;
    void *pixels, *workspace, *output, *size, *strips, *blocks;
} Device;

ImgStatus device_open(Device *device, const ImgView *view, const ImgPngEncodeCudaOptions *options,
                      ImgError *err);
/* Encodes what was uploaded, and waits. */
ImgStatus device_encode(Device *device, ImgError *err);
/* To `chunks`, with room for plan.output bytes. */
ImgStatus device_download(const Device *device, uint8_t *chunks, size_t *size, ImgError *err);
/* To `strips`, with room for all of the plan. */
ImgStatus device_results(const Device *device, ImgPngCudaStrip *strips, ImgError *err);
/* To `blocks`, with room for plan.starts. */
ImgStatus device_blocks(const Device *device, ImgPngCudaBlock *blocks, ImgError *err);
void device_close(Device *device);

#endif
