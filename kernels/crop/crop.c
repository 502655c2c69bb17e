/* crop: keeps a rectangle. */
#include "kernels/crop/crop.h"

#include <string.h>

static const ImgParam params[] = {{.name = "x",
                                   .type = IMG_PARAM_INT,
                                   .offset = offsetof(ImgCropParams, x),
                                   .default_value = "0",
                                   .min = 0,
                                   .max = INT32_MAX,
                                   .help = "left edge of what is kept, in pixels"},
                                  {.name = "y",
                                   .type = IMG_PARAM_INT,
                                   .offset = offsetof(ImgCropParams, y),
                                   .default_value = "0",
                                   .min = 0,
                                   .max = INT32_MAX,
                                   .help = "top edge of what is kept, in pixels"},
                                  {.name = "width",
                                   .type = IMG_PARAM_INT,
                                   .offset = offsetof(ImgCropParams, width),
                                   .default_value = "0",
                                   .min = 0,
                                   .max = INT32_MAX,
                                   .help = "pixels kept across; 0: up to the right edge"},
                                  {.name = "height",
                                   .type = IMG_PARAM_INT,
                                   .offset = offsetof(ImgCropParams, height),
                                   .default_value = "0",
                                   .min = 0,
                                   .max = INT32_MAX,
                                   .help = "pixels kept down; 0: up to the bottom edge"},
                                  {.name = NULL}};

/* What the parameters ask for, whether it lies inside or not. */
static ImgShape rectangle(ImgShape src, const ImgCropParams *own)
{
    ImgShape dst = src;
    dst.width = own->width != 0 ? own->width : src.width - own->x;
    dst.height = own->height != 0 ? own->height : src.height - own->y;
    return dst;
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgCropParams *own = params_of_call;
    if (own->x >= src.width || own->y >= src.height)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "crop: its corner (%d, %d) is outside the picture of %d x %d; x can be at "
                        "most %d and y %d",
                        own->x, own->y, src.width, src.height, src.width - 1, src.height - 1);
    *dst = rectangle(src, own);
    if (dst->width > src.width - own->x || dst->height > src.height - own->y)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "crop: %d x %d at (%d, %d) reaches outside the picture of %d x %d; at most "
                        "%d x %d fit there",
                        dst->width, dst->height, own->x, own->y, src.width, src.height,
                        src.width - own->x, src.height - own->y);
    return IMG_OK;
}

static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    ImgShape dst = rectangle(src, params_of_call);
    uint64_t pixels = (uint64_t)dst.width * (uint64_t)dst.height;
    return 2 * pixels * img_format_pixel_size(dst.format);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    ImgShape dst = rectangle(src, params_of_call);
    bool whole = dst.width == src.width && dst.height == src.height;
    return (ImgEffect){.turn = IMG_TURN_NONE, .cropped = !whole};
}

typedef struct Copy {
    const ImgView *src, *dst;
    size_t row_bytes;
} Copy;

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const Copy *copy = context;
    for (int64_t y = first; y < end; y++)
        memcpy(copy->dst->data + (size_t)y * copy->dst->stride,
               copy->src->data + (size_t)y * copy->src->stride, copy->row_bytes);
}

static ImgStatus run_cpu(const ImgCall *call, ImgError *err)
{
    (void)err;
    bool small = traffic(img_view_shape(&call->src), call->params) < IMG_BYTES_WORTH_THREADS;
    int threads = small ? 1 : call->threads;
    const ImgCropParams *own = call->params;
    const ImgView *dst = &call->dst;
    ImgView src = img_view_crop(&call->src, own->x, own->y, dst->width, dst->height);
    Copy copy = {&src, dst, (size_t)dst->width * img_format_pixel_size(dst->format)};
    img_parallel_for(call->team, threads, dst->height, copy_rows, &copy);
    return IMG_OK;
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgCropParams *own = call->params;
    const ImgView *src = &call->src, *dst = &call->dst;
    size_t size = img_format_pixel_size(src->format);
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++)
            memcpy(dst->data + (size_t)y * dst->stride + (size_t)x * size,
                   src->data + (size_t)(own->y + y) * src->stride + (size_t)(own->x + x) * size,
                   size);
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, a memory copy a row",
     .run = run_cpu},
    {.name = "cuda-copy",
     .backend = IMG_BACKEND_CUDA,
     .note = "the driver's two-dimensional copy",
     .run = IMG_CUDA_RUN(img_crop_cuda_copy)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 bytes per thread, shifted from where the rectangle starts",
     .run = IMG_CUDA_RUN(img_crop_cuda_fast)},
    {.name = NULL},
};

const ImgOp img_op_crop = {
    .name = "crop",
    .synopsis = "Keep a rectangle of the picture",
    .help = "The rectangle must lie inside the picture: a size that does not fit is an error and\n"
            "is never cut down silently.",
    .example = "--x 10 --y 20 --width 300 --height 200",
    .params = params,
    .params_size = sizeof(ImgCropParams),
    .needs_param = true,
    .shape = shape,
    .traffic = traffic,
    .cpu_ns_per_byte = 0.03,
    .effect = effect,
    .impls = impls,
};
