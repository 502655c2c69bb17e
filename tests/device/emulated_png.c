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

typedef ImgStatus Encode(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places,
                         void *stream, void *second_stream, const ImgStages *stages, ImgError *err);
typedef ImgStatus EncodeBatch(const ImgPngEncodeCudaItem *items, size_t count, void *workspace,
                              void *host, void *stream, void *second_stream,
                              const ImgStages *stages, ImgError *err);
Encode __wrap_img_png_encode_cuda;
EncodeBatch __wrap_img_png_encode_cuda_batch;

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

ImgStatus __wrap_img_png_encode_cuda_batch(const ImgPngEncodeCudaItem *items, size_t count,
                                           void *workspace, void *host, void *stream,
                                           void *second_stream, const ImgStages *stages,
                                           ImgError *err)
{
    ImgStatus status = IMG_OK;
    (void)workspace;
    (void)host;
    for (size_t i = 0; status == IMG_OK && i < count; i++)
        status = __wrap_img_png_encode_cuda(&items[i].plan, &items[i].places, stream, second_stream,
                                            stages, err);
    return status;
}
/* NOLINTEND */
