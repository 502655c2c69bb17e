/* Steps on the CPU, one after the other; no more than two images are alive at a time. */
#include "kernels/core/exec_priv.h"

static ImgStatus run_step(const ImgStep *step, const ImgImpl *impl, int threads, ImgImage *image,
                          ImgError *err)
{
    ImgShape shape;
    ImgStatus status =
        step->op->shape(img_view_shape(&image->view), step->params.bytes, &shape, err);
    if (status != IMG_OK)
        return status;
    ImgImage result = IMG_IMAGE_NONE;
    status = img_image_alloc(shape, &result, err);
    if (status != IMG_OK)
        return status;
    ImgCall call = {
        .op = step->op,
        .src = image->view,
        .dst = result.view,
        .params = step->params.bytes,
        .threads = threads,
    };
    status = impl->run(&call, err);
    if (status == IMG_OK) {
        img_image_free(image);
        *image = result;
    } else {
        img_image_free(&result);
    }
    return status;
}

ImgStatus img_run_on_cpu(const ImgPlan *plan, int threads, ImgImage *image, ImgRunReport *report,
                         ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++) {
        double start = img_clock();
        status = run_step(&plan->steps[i], plan->impls[i], threads, image, err);
        report->steps[i].seconds = img_clock() - start;
        report->kernel += report->steps[i].seconds;
    }
    return status;
}
