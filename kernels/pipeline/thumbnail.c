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

enum { PARAMS_MAX = 15 };
/* The parameters of resize, where `only` has another default value. Zeros mark the end of the
 * array. */
static ImgParam own_params[PARAMS_MAX + 1];

static void make_options(void)
{
    const ImgOp *resize = op_named("resize");
    if (resize == NULL) /* some tests use registries without resize */
        return;
    options = *resize;
    options.name = "thumbnail";
    for (size_t i = 0; resize->params[i].name != NULL && i < PARAMS_MAX; i++) {
        own_params[i] = resize->params[i];
        if (strcmp(own_params[i].name, "only") == 0)
            own_params[i].default_value = "shrink";
    }
    options.params = own_params;
}

const ImgOp *img_thumbnail_options(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_options);
    return options.name != NULL ? &options : NULL;
}

void img_thumbnail_init(ImgParams *params)
{
    img_params_init(img_thumbnail_options(), params);
}

void img_thumbnail_steps(const ImgParams *params, ImgStep steps[IMG_THUMBNAIL_STEPS])
{
    steps[0] = (ImgStep){.op = op_named("autorotate")};
    img_params_init(steps[0].op, &steps[0].params);
    steps[1] = (ImgStep){.op = op_named("resize"), .params = *params, .strips = true};
    steps[2] = (ImgStep){.op = op_named("depth")};
    img_params_init(steps[2].op, &steps[2].params);
}
