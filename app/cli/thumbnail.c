#include "app/cli/thumbnail.h"

#include <string.h>

#include "io/metadata/metadata.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static const ImgOp *op_named(const char *name)
{
    const ImgOp *op = NULL;
    (void)img_op_find(name, &op, NULL); /* which every build has */
    return op;
}

bool thumbnail_is(const char *word)
{
    return strcmp(word, "thumbnail") == 0;
}

const ImgOp *thumbnail_options(void)
{
    return op_named("resize");
}

void thumbnail_init(ImgParams *params)
{
    const ImgOp *resize = thumbnail_options();
    img_params_init(resize, params);
    (void)img_params_set_flag(resize, params, "only-shrink");
}

void thumbnail_steps(const ImgParams *params, ImgStep steps[THUMBNAIL_STEPS])
{
    steps[0] = (ImgStep){.op = op_named("autorotate")};
    img_params_init(steps[0].op, &steps[0].params);
    steps[1] = (ImgStep){.op = thumbnail_options(), .params = *params, .strips = true};
    steps[2] = (ImgStep){.op = op_named("depth")};
    img_params_init(steps[2].op, &steps[2].params);
}

int32_t thumbnail_keep(const ImgStep *steps, size_t count, const Settings *settings)
{
    for (size_t i = 0; i < count && !option_given(settings, "strip"); i++)
        if (steps[i].strips)
            return IMG_KEEP_SHOWN;
    return settings->strip;
}
