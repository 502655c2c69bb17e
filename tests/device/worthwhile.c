/* Replaces the cost estimate of the executor (linked with --wrap). If the environment variable
 * DEVICE_PAYS is set, the estimated cost of any work is lower on a GPU. `auto` then uses the GPU
 * even for small pictures. */
#include <stdlib.h>

#include "kernels/core/exec/exec_cost.h"

/* NOLINTBEGIN: the linker makes these names */
ImgCost __real_img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads);
ImgCost __wrap_img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads);

ImgCost __wrap_img_cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgCost cost = __real_img_cost_of(steps, count, src, threads);
    if (getenv("DEVICE_PAYS") != NULL)
        cost.cpu = 1000;
    return cost;
}
/* NOLINTEND */
