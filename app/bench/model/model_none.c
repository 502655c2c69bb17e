/* Implements model.h for builds that do not contain the model. The functions that would run kernels
 * fail. */
#include "app/bench/model/model.h"

bool img_model_in_build(void)
{
    return false;
}

void img_model_on_no_memory(void (*handler)(void))
{
    (void)handler;
}

static ImgStatus unavailable(ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "this build has no model of a GPU; build imgtool on Linux with g++ or clang++, "
                    "and binutils");
}

ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err)
{
    (void)op, (void)impl, (void)params, (void)src, (void)dst, (void)counts;
    return unavailable(err);
}

ImgStatus img_model_lab(const char *experiment, const char *which, const char *variant,
                        const void *in, void *out, ImgLaunchCounts *counts, ImgError *err)
{
    (void)experiment, (void)which, (void)variant, (void)in, (void)out, (void)counts;
    return unavailable(err);
}
