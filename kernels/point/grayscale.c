/* grayscale: replaces colours by their luma. */

#include "kernels/core/color/luma.h"
#include "kernels/point/point_impls.h"

typedef struct Params {
    int32_t luma;
} Params;

static const ImgParam params[] = {{.name = "luma",
                                   .type = IMG_PARAM_CHOICE,
                                   .offset = offsetof(Params, luma),
                                   .default_value = "709",
                                   .choices = img_luma_choices,
                                   .help = "weights of luma (brightness): ITU-R BT.709, or "
                                           "BT.601 as in Pillow and OpenCV"},
                                  {.name = NULL}};

static ImgColor gray_of(ImgFormat format)
{
    return img_format_has_alpha(format) ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY;
}

static ImgStatus shape(ImgShape src, const void *own, ImgShape *dst, ImgError *err)
{
    ImgStatus status = img_channels_shape(src, own, dst, err);
    if (status == IMG_OK)
        dst->format.color = gray_of(src.format);
    return status;
}

static ImgStatus points(const void *own, ImgPoints *points, ImgError *err)
{
    const ImgLumaWeights luma = img_luma_weights_24(((const Params *)own)->luma);
    const ImgPointRow rows[] = {{{luma.red, luma.green, luma.blue}, 0},
                                {{0, 0, 0, IMG_POINT_ONE}, 0}};
    const ImgColor color = gray_of(points->format);
    if (color == points->format.color)
        return IMG_OK;
    return img_points_matrix(points, color, rows, err);
}

static bool is_rgb8(const ImgOp *op, ImgShape src, const void *own)
{
    (void)op;
    (void)own;
    return src.format.color == IMG_COLOR_RGB && src.format.bits == 8;
}

/* The implementations that all point operations have, and three more that show the effect of
 * coalescing. */
static const ImgImpl impls[] = {
    IMG_POINT_IMPLS_FIRST,
    {.name = "cuda-element",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread at a time, three byte loads; RGB of 8 bits only",
     .run = IMG_CUDA_RUN(img_grayscale_cuda_element),
     .applies = is_rgb8},
    {.name = "cuda-staged",
     .backend = IMG_BACKEND_CUDA,
     .note = "as cuda-element, with coalesced words, exchanged through shared memory",
     .run = IMG_CUDA_RUN(img_grayscale_cuda_staged),
     .applies = is_rgb8},
    {.name = "cuda-packed",
     .backend = IMG_BACKEND_CUDA,
     .note = "four pixels per thread at a time, coalesced words, exchanged by shuffles",
     .run = IMG_CUDA_RUN(img_grayscale_cuda_packed),
     .applies = is_rgb8},
    IMG_POINT_IMPLS_LAST,
};

const ImgOp img_op_grayscale = {
    .name = "grayscale",
    .group = IMG_GROUP_TONE,
    .synopsis = "Convert to gray",
    .help = "Every pixel becomes its luma: the weighted sum of red, green and blue, rounded. "
            "Samples are used as they are stored, not in linear light. The result is gray, with "
            "alpha if the picture has alpha. Gray pictures do not change.",
    .example = "--luma 601",
    .params = params,
    .params_size = sizeof(Params),
    .shape = shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION_BY(impls),
};
