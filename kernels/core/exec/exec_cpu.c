/* Passes on the CPU, one after another; no more than two images are alive at a time. What a pass
 * has read is where the next but one writes, if its result fits: memory that was touched before
 * costs no page faults. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

/* Memory for a result: `spare`, if it is large enough. That and the source are what the pass before
 * had, so plans of memory hold. `spare` is IMG_IMAGE_NONE afterwards. */
static ImgStatus take_or_alloc(ImgShape shape, ImgImage *spare, ImgImage *result, ImgError *err)
{
    if (!img_image_reshape(spare, shape)) {
        img_image_free(spare);
        return img_image_alloc(shape, result, err);
    }
    *result = *spare;
    *spare = IMG_IMAGE_NONE;
    return IMG_OK;
}

/* On success `spare` is what `image` was before. */
static ImgStatus run_pass(const ImgPass *pass, ImgTeam *team, int threads, ImgImage *image,
                          ImgImage *spare, ImgError *err)
{
    ImgImage result = IMG_IMAGE_NONE;
    ImgStatus status = take_or_alloc(pass->dst, spare, &result, err);
    if (status != IMG_OK)
        return status;
    ImgCall call = {
        .op = pass->op,
        .src = image->view,
        .dst = result.view,
        .params = pass->params,
        .constants = pass->constants,
        .threads = threads,
        .team = team,
    };
    status = pass->impl->run(&call, err);
    if (status == IMG_OK) {
        *spare = *image;
        *image = result;
    } else {
        img_image_free(&result);
    }
    return status;
}

ImgStatus img_run_on_cpu(const ImgPlan *plan, ImgTeam *team, int threads, ImgImage *image,
                         ImgRunReport *report, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgImage spare = IMG_IMAGE_NONE;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++) {
        double start = img_clock();
        status = run_pass(&plan->passes[i], team, threads, image, &spare, err);
        report->passes[i].seconds = img_clock() - start;
        report->kernel += report->passes[i].seconds;
    }
    img_image_free(&spare);
    return status;
}
