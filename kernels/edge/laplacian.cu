/* See laplacian.h. */
#include "kernels/edge/laplacian.h"

#include "kernels/core/window/stencil.cuh"

namespace
{

/* Beside a sample weigh 1, at its corners 0 or 1, itself -4 or -8: rows above and below count as
 * `outer`, its own as `inner`. Sums stay within 8 times the range of samples. */
struct Rows {

    template <typename Number> struct Row {
        Number outer, inner;
    };
    template <typename Number>
    static __device__ Row<Number> row(const ImgLaplacian &own, Number left, Number middle,
                                      Number right)
    {
        const float corners = (float)own.corners;
        const Number beside = left + right;
        return {stencil::multiply_add(beside, corners, middle),
                stencil::multiply_add(middle, -4.0F - 4.0F * corners, beside)};
    }
    template <typename Number, typename Scale>
    static __device__ uint32_t value(const ImgLaplacian &, const Row<Number> &above,
                                     const Row<Number> &middle, const Row<Number> &below,
                                     Scale scale)
    {
        return stencil::magnitude(above.outer + below.outer + middle.inner, scale);
    }
};

} // namespace

IMG_STENCIL_CUDA_ROWS(img_laplacian, ImgLaplacian, Rows)
