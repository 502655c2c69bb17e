/* See sobel.h. */
#include "kernels/edge/sobel.h"

#include "kernels/core/window/stencil.cuh"

namespace
{

struct Rows {

    template <typename Number> struct Row {
        Number across, down; /* a difference, and a sum of which one is to be made */
    };
    template <typename Number>
    static __device__ Row<Number> row(const ImgSobel &own, Number left, Number middle, Number right)
    {
        return {(right - left) * own.across,
                stencil::multiply_add(middle, 2.0F, left + right) * own.down};
    }
    template <typename Number, typename Scale>
    static __device__ uint32_t value(const ImgSobel &, const Row<Number> &above,
                                     const Row<Number> &middle, const Row<Number> &below,
                                     Scale scale)
    {
        const Number across =
            stencil::multiply_add(middle.across, 2.0F, above.across + below.across);
        return stencil::length(across, below.down - above.down, scale);
    }
};

} // namespace

IMG_STENCIL_CUDA_ROWS(img_sobel, ImgSobel, Rows)
