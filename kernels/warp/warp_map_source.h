/* Code for image warps that differ only in their map from result pixels to source positions
 * (affine, perspective). A file includes this one after it has defined `Params` (with a member
 * `warp`), and these functions for a whole source and a whole result:
 *
 *     ImgStatus whole_shape(ImgShape src, const Params *, ImgShape *dst, ImgError *);
 *     ImgStatus map_of(const Params *, ImgShape src, ImgShape dst, ImgWarpMap *, ImgError *);
 *     ImgWarpParams warp_of(const Params *, ImgShape src);
 *
 * This file defines `shape`, `part`, `tile`, `impls`, `effect`, `scratch` and `cost_factor`. */
static ImgShape whole_of(ImgShape src, const Params *own)
{
    return img_warp_whole(src, &own->warp.part);
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgStatus status = whole_shape(whole_of(src, own), own, dst, err);
    if (status == IMG_OK)
        img_warp_cut(&own->warp.part, dst);
    return status;
}

/* Returns the map of a call with a source of shape `src`, which may be only a rectangle of the
 * picture (ImgOp.bands.tile). */
static ImgStatus map_of_call(const Params *own, ImgShape src, ImgWarpMap *map, ImgError *err)
{
    const ImgShape whole = whole_of(src, own);
    ImgShape dst;
    ImgStatus status = whole_shape(whole, own, &dst, err);
    if (status == IMG_OK)
        status = map_of(own, whole, dst, map, err);
    if (status == IMG_OK)
        img_warp_move(&own->warp.part, map);
    return status;
}

static bool tile(ImgShape src, const void *params_of_call, ImgRect wanted, ImgPart *part)
{
    Params *own = (Params *)(void *)part->params.bytes;
    ImgWarpMap map;
    if (map_of_call(params_of_call, src, &map, NULL) != IMG_OK)
        return false;
    img_warp_part(src, &map, warp_of(own, src).border.border, wanted, part, &own->warp.part);
    return true;
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    ImgShape dst;
    if (shape(src, params_of_call, &dst, NULL) != IMG_OK)
        return false;
    return tile(src, params_of_call,
                (ImgRect){0, wanted.first, dst.width, wanted.end - wanted.first}, part);
}

static ImgStatus run_warp(const ImgCall *call, ImgWarpRun *run, ImgError *err)
{
    ImgWarpMap map;
    const ImgStatus status = map_of_call(call->params, img_view_shape(&call->src), &map, err);
    return status == IMG_OK ? run(call, &map, err) : status;
}

#define RUN(name, warp)                                                                            \
    static ImgStatus name(const ImgCall *call, ImgError *err)                                      \
    {                                                                                              \
        return run_warp(call, warp, err);                                                          \
    }

RUN(run_reference, img_warp_reference)
RUN(run_cpu, img_warp_cpu)
#ifdef IMGTOOL_X86
RUN(run_avx2, img_warp_cpu_avx2)
RUN(run_avx512, img_warp_cpu_avx512)
#endif
#ifdef IMGTOOL_CUDA
RUN(run_cuda_naive, img_warp_cuda_naive)
RUN(run_cuda_fast, img_warp_cuda_fast)
#endif

static size_t workspace(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    ImgShape dst;
    (void)op;
    if (shape(src, params_of_call, &dst, NULL) != IMG_OK)
        return 0;
    return img_warp_color_workspace(src, dst.format);
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads over cache-sized tiles",
     .run = run_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, windows in vectors of 32 bytes",
     .run = IMG_X86_RUN(run_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, two windows in vectors of 64 bytes",
     .run = IMG_X86_RUN(run_avx512)},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, its windows read from global memory",
     .run = IMG_CUDA_RUN(run_cuda_naive),
     .workspace = workspace},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "tiles, their part of the source in shared memory",
     .run = IMG_CUDA_RUN(run_cuda_fast),
     .workspace = workspace},
    {.name = NULL},
};

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    const ImgWarpParams warp = warp_of(params_of_call, whole_of(src, params_of_call));
    return (ImgEffect){
        .turn = IMG_TURN_NONE, .cropped = true, .values_changed = !img_warp_keeps_samples(&warp)};
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const Params *own = params_of_call;
    ImgShape dst;
    ImgWarpMap map;
    if (shape(src, own, &dst, NULL) != IMG_OK || map_of_call(own, src, &map, NULL) != IMG_OK)
        return 0;
    return img_warp_color_scratch(src, dst.format) +
           img_warp_scratch(&map, own->warp.filter, dst, threads);
}

static double bytes_of(ImgShape shape)
{
    return (double)shape.width * shape.height * (double)img_format_pixel_size(shape.format);
}

/* Returns the relative cost of a position. If a pixel has more than 32 x 32 positions, the cost is
 * higher: the source pixels of a tile then exceed the memory of a thread (warp_tile.h). */
static double slowness(const ImgWarpMap *map)
{
    return map->grid_width * map->grid_height > 32 * 32 ? 8 : 1;
}

/* Returns the cost of a warp per byte of both pictures, relative to the bicubic filter with one
 * position per pixel. The factors were measured for results as large as the source. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    static const double factors[] = {0.5, 0.8, 1, 1.5, 2};
    const Params *own = params_of_call;
    ImgShape dst;
    ImgWarpMap map;
    if (shape(src, own, &dst, NULL) != IMG_OK || map_of_call(own, src, &map, NULL) != IMG_OK)
        return 1;
    const size_t pixel = img_format_pixel_size(src.format) + img_format_pixel_size(dst.format);
    const double pixels = (double)dst.width * dst.height;
    const int32_t border = warp_of(own, whole_of(src, own)).border.border;
    const double places = slowness(&map) * img_warp_places(&map, border, src, dst);
    return factors[own->warp.filter] * (places > pixels ? places : pixels) * (double)pixel /
           (bytes_of(src) + bytes_of(dst));
}
