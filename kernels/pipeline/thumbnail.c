#include "kernels/pipeline/thumbnail.h"

#include <pthread.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"

static const ImgOp *op_named(const char *name)
{
    const ImgOp *op = NULL;
    (void)img_op_find(name, &op, NULL);
    return op;
}

bool img_thumbnail_is(const char *word)
{
    return strcmp(word, "thumbnail") == 0;
}

static ImgOp options;

static void make_options(void)
{
    const ImgOp *resize = op_named("resize");
    if (resize == NULL) /* tests have registries of their own */
        return;
    options = *resize;
    options.name = "thumbnail";
}

const ImgOp *img_thumbnail_options(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_options);
    return options.name != NULL ? &options : NULL;
}

void img_thumbnail_init(ImgParams *params)
{
    const ImgOp *op = img_thumbnail_options();
    img_params_init(op, params);
    (void)img_params_set_flag(op, params, "only-shrink");
}

void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS])
{
    steps[0] = (ImgStep){.op = op_named("autorotate")};
    img_params_init(steps[0].op, &steps[0].params);
    steps[1] = (ImgStep){.op = op_named("resize"), .params = *params, .strips = true};
    steps[2] = (ImgStep){.op = op_named("depth")};
    img_params_init(steps[2].op, &steps[2].params);
}
