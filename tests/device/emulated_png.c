/* Shortens PNG work on an emulated GPU (linked with --wrap), which would otherwise take half a
 * minute. Files of more than a few pixels are decoded on the CPU, and all strips are encoded on the
 * CPU. Real GPUs encode only strips of half a megabyte or more. tests/emulator checks what these
 * tests leave out. */
#include "io/png/cuda/encode/png_encode_cuda.h"
#include "io/png/device.h"
#include "kernels/core/cuda/cuda_util.h"

_Static_assert(IMG_PNG_CUDA_LEFT_TO_CPU == 0, "zeros hand it");

enum { PIXELS_MOST = 10000 };

/* NOLINTBEGIN: the linker makes these names */
typedef ImgPngDeviceReader *MakeReader(const uint8_t *data, const ImgPngHeader *header,
                                       const ImgPngScan *scan, const ImgMetadata *metadata,
                                       bool is_pinned, const char **why_not);
MakeReader __real_img_png_device_reader, __wrap_img_png_device_reader;

ImgPngDeviceReader *__wrap_img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                                 const ImgPngScan *scan,
                                                 const ImgMetadata *metadata, bool is_pinned,
                                                 const char **why_not)
{
    *why_not = "too large for an emulator";
    if ((int64_t)header->shape.width * header->shape.height > PIXELS_MOST)
        return NULL;
    return __real_img_png_device_reader(data, header, scan, metadata, is_pinned, why_not);
}

ImgStatus __wrap_img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                                     const ImgPngEncodeCudaPlaces *places, void *stream,
                                     void *second_stream, const ImgStages *stages, ImgError *err);

ImgStatus __wrap_img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                                     const ImgPngEncodeCudaPlaces *places, void *stream,
                                     void *second_stream, const ImgStages *stages, ImgError *err)
{
    const size_t strips = plan->options.strips.count * sizeof *places->strips;
    (void)second_stream;
    img_stage(stages, "nothing");
    CUDA_TRY(cudaMemsetAsync(places->size, 0, sizeof *places->size, stream), err);
    CUDA_TRY(cudaMemsetAsync(places->strips, 0, strips, stream), err);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
/* NOLINTEND */
