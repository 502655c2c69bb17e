/* trim: removes margins that consist only of background. */
#include "kernels/canvas/trim.h"
#include "kernels/canvas/canvas.h"

static ImgStatus shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    const ImgTrimParams *own = params;
    if (!img_trim_keeps_palette(params) || src.format.color != IMG_COLOR_PALETTE) {
        ImgStatus status = img_channels_shape(src, params, dst, err);
        if (status != IMG_OK)
            return status;
    }
    *dst = src;
    if (own->width > 0) {
        dst->width = own->width;
        dst->height = own->height;
    }
    return IMG_OK;
}

static void take_measured(void *params, ImgShape src, const ImgView *table)
{
    ImgTrimParams *own = params;
    own->x = own->y = own->width = own->height = 0;
    if (table == NULL)
        return;
    const uint64_t *bounds = img_view_counts(table, 0);
    if (bounds[IMG_BOUNDS_RIGHT] == 0) /* no pixel differs from the background */
        return;
    own->x = src.width - (int32_t)bounds[IMG_BOUNDS_LEFT];
    own->y = src.height - (int32_t)bounds[IMG_BOUNDS_TOP];
    own->width = (int32_t)bounds[IMG_BOUNDS_RIGHT] - own->x;
    own->height = (int32_t)bounds[IMG_BOUNDS_BOTTOM] - own->y;
}

/* Implements ImgOp.bands.part. The source of the part is already cropped. So the measured rectangle
 * is removed from the parameters of the part, and the part keeps all of its source. */
static bool part(ImgShape src, const void *params, ImgRows wanted, ImgPart *part)
{
    const ImgTrimParams *own = params;
    ImgShape dst = src;
    (void)shape(src, params, &dst, NULL);
    part->src = (ImgRect){own->x, own->y + wanted.first, dst.width, wanted.end - wanted.first};
    part->skip = 0;
    take_measured(part->params.bytes, src, NULL);
    return true;
}

static uint64_t traffic(ImgShape src, const void *params)
{
    ImgShape dst = src;
    (void)shape(src, params, &dst, NULL);
    return 2 * (uint64_t)dst.width * (uint64_t)dst.height * img_format_pixel_size(dst.format);
}

static ImgEffect effect(ImgShape src, const void *params)
{
    ImgShape dst = src;
    (void)shape(src, params, &dst, NULL);
    return (ImgEffect){.turn = IMG_TURN_NONE,
                       .cropped = dst.width != src.width || dst.height != src.height};
}

ImgCanvas img_trim_canvas(const ImgCall *call)
{
    const ImgTrimParams *own = call->params;
    return (ImgCanvas){.x = -own->x, .y = -own->y};
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    const ImgCanvas canvas = img_trim_canvas(call);
    (void)err;
    return img_canvas_reference(call, &canvas);
}

static ImgStatus run_cpu(const ImgCall *call, ImgError *err)
{
    const ImgCanvas canvas = img_trim_canvas(call);
    (void)err;
    return img_canvas_cpu(call, &canvas);
}

#ifdef IMGTOOL_CUDA
static ImgStatus run_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgCanvas canvas = img_trim_canvas(call);
    return img_canvas_cuda_fast(call, &canvas, err);
}
#endif

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, one memory copy per row",
     .run = run_cpu},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread",
     .run = IMG_CUDA_RUN(img_trim_cuda_naive)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 bytes per thread, shifted to the start of the rectangle",
     .run = IMG_CUDA_RUN(run_cuda_fast)},
    {.name = NULL},
};

const ImgOp img_op_trim = {
    .name = "trim",
    .group = IMG_GROUP_GEOMETRY,
    .synopsis = "Crop away edges of uniform background",
    .help = "Keeps the smallest rectangle with all pixels that differ from the background. A "
            "picture that is all background stays as it is.\n\n"
            "A pixel differs if one of its samples differs from the background by more than "
            "--tolerance, in per cent of full white. A tolerance of 4 is about 10 on a scale of "
            "255. Colours are weighted by alpha, so that all fully transparent pixels are "
            "equal.\n\n"
            "With a tolerance or a colour, palettes become RGB or RGBA, and a transparent "
            "colour (tRNS) becomes an alpha channel. Without these options, palette indices are "
            "compared and kept.",
    .example = "--tolerance 4",
    .params = img_trim_params,
    .params_size = sizeof(ImgTrimParams),
    .shape = shape,
    .palette = {.keeps = img_trim_keeps_palette},
    .measured = {.by = &img_measure_bounds, .take = take_measured},
    .cost = {.cpu_ns_per_byte = 0.05, .traffic = traffic},
    .effect = {.get = effect},
    .bands = {.part = part},
    .impls = impls,
};
