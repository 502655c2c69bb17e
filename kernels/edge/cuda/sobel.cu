/* sobel on CUDA, see sobel.h. Each row of the source contributes two numbers to the gradients of
 * the pixels above, in and below it. */
#include "kernels/edge/sobel.h"

#include "kernels/window/cuda/stencil_cuda.cuh"

namespace
{

struct Rows {
    static bool is_one(const ImgSobel &own)
    {
        return own.across == 1 && own.down == 1 && own.scale == 1;
    }

    template <typename Number> struct Row {
        /* Both numbers are computed from three adjacent samples of the row. `across`: the right
         * sample minus the left one. `down`: left + 2 * middle + right; the vertical component of a
         * gradient is the difference between `down` of the row below and of the row above. */
        Number across, down;
    };
    template <typename Factor, typename Number>
    static __device__ Row<Number> row(const ImgSobel &own, Number left, Number middle, Number right)
    {
        return {(right - left) * stencil::factor<Factor>(own.across),
                stencil::multiply_add(middle, 2.0F, left + right) *
                    stencil::factor<Factor>(own.down)};
    }
    template <typename Factor, typename Number>
    static __device__ uint32_t value(const ImgSobel &own, const Row<Number> &above,
                                     const Row<Number> &middle, const Row<Number> &below)
    {
        const Number across =
            stencil::multiply_add(middle.across, 2.0F, above.across + below.across);
        return stencil::length(across, below.down - above.down, stencil::factor<Factor>(own.scale));
    }
};

} // namespace

IMG_STENCIL_CUDA_ROWS(img_sobel, ImgSobel, Rows)
