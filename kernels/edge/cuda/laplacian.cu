/* laplacian on CUDA, see laplacian.h. */
#include "kernels/edge/laplacian.h"

#include "kernels/window/cuda/stencil_cuda.cuh"

namespace
{

/* Weights are 1 for the four neighbours beside a sample, and 0 or 1 for the four neighbours at its
 * corners. The sample itself has the weight -4 or -8. So the row above and the row below have the
 * same weights; their weighted sums are called `outer`. The weighted sum of the sample's own row is
 * called `inner`. All sums are at most 8 times the range of samples. */
struct Rows {
    static bool is_one(const ImgLaplacian &own)
    {
        return own.scale == 1;
    }

    template <typename Number> struct Row {
        Number outer, inner;
    };
    template <typename Factor, typename Number>
    static __device__ Row<Number> row(const ImgLaplacian &own, Number left, Number middle,
                                      Number right)
    {
        const float corners = (float)own.corners;
        const Number beside = left + right;
        return {stencil::multiply_add(beside, corners, middle),
                stencil::multiply_add(middle, -4.0F - 4.0F * corners, beside)};
    }
    template <typename Factor, typename Number>
    static __device__ uint32_t value(const ImgLaplacian &own, const Row<Number> &above,
                                     const Row<Number> &middle, const Row<Number> &below)
    {
        return stencil::magnitude(above.outer + below.outer + middle.inner,
                                  stencil::factor<Factor>(own.scale));
    }
};

} // namespace

IMG_STENCIL_CUDA_ROWS(img_laplacian, ImgLaplacian, Rows)
