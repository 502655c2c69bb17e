/* Where the model cannot be built; see model.h. */
#include "kernels/emulator/model.h"

bool img_model_in_build(void)
{
    return false;
}

static ImgStatus unavailable(ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "this build has no model of a GPU, which needs Linux, g++ or clang++, and "
                    "binutils when imgtool is built");
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
