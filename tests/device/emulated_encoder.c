/* The PNG encoder of an emulated GPU hands every strip to the CPU (linked with --wrap): only
 * pictures of half a megabyte are encoded on a GPU, which takes the emulator a minute.
 * tests/emulator checks what it would do. */
#include "io/png/cuda/encode/png_encode_cuda.h"
#include "kernels/core/cuda/cuda_util.h"

_Static_assert(IMG_PNG_CUDA_HANDED == 0, "zeros hand it");

/* NOLINTBEGIN: the linker makes these names */
ImgStatus __wrap_img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                                     const ImgPngEncodeCudaPlaces *places, void *stream,
                                     const ImgStages *stages, ImgError *err);

ImgStatus __wrap_img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                                     const ImgPngEncodeCudaPlaces *places, void *stream,
                                     const ImgStages *stages, ImgError *err)
{
    const size_t strips = plan->options.strips.count * sizeof *places->strips;
    img_stage(stages, "nothing");
    CUDA_TRY(cudaMemsetAsync(places->size, 0, sizeof *places->size, stream), err);
    CUDA_TRY(cudaMemsetAsync(places->strips, 0, strips, stream), err);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
/* NOLINTEND */
