/* convolve: weighted sums of the pixels around each pixel. The user chooses the weights, called the
 * kernel. */
#include "kernels/convolve/convolve.h"

#include <stdlib.h>

typedef struct Params {
    ImgNumbers kernel; /* weights of the kernel, in millionths, row by row */
    ImgFile file;
    ImgConvolveScale scale;
    ImgBorderParams border;
} Params;

enum {
    UNIT = 1000000,
    MOST = 2000 * UNIT,
    BILLIONTHS = 1000 /* number of billionths in a millionth */
};

static const ImgChoice divisors[] = {{"sum", 0}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "kernel",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, kernel),
     .default_value = "",
     .min = -MOST,
     .max = MOST,
     .help = "9 or 25 weights of a square kernel, row by row, separated by commas or "
             "semicolons; use --file for other sizes"},
    {.name = "file",
     .type = IMG_PARAM_FILE,
     .offset = offsetof(Params, file),
     .default_value = "",
     .help = "text file with the kernel: one row per line, numbers separated by spaces, odd sides "
             "up to 31"},
    {.name = "divisor",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, scale.divisor),
     .default_value = "sum",
     .min = 1,
     .max = 1000000000,
     .choices = divisors,
     .help = "divisor of the weighted sum; sum: the sum of the weights, or 1 if that is 0"},
    {.name = "bias",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, scale.bias),
     .default_value = "0",
     .min = -1000,
     .max = 1000,
     .help = "offset added after the division, where 1 is the full range"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

/* Returns the side of a square of `count` numbers if this side is an odd integer, otherwise 0. */
static int32_t side_of(int32_t count)
{
    int32_t side = 1;
    while (side * side < count)
        side += 2;
    return side * side == count ? side : 0;
}

/* Finds the kernel that the parameters contain as numbers or as a file. Returns IMG_E_USAGE if they
 * contain neither. Numbers are converted to a kernel in `own`. If the file has not been loaded yet,
 * *kernel is set to NULL. */
static ImgStatus find_kernel(const Params *params_of_call, ImgKernel *own, const ImgKernel **kernel,
                             ImgError *err)
{
    const ImgNumbers *numbers = &params_of_call->kernel;
    const bool has_file = params_of_call->file.path[0] != '\0';
    *kernel = params_of_call->file.content;
    if (has_file && numbers->count > 0)
        return img_fail(err, IMG_E_USAGE,
                        "convolve: kernel and file exclude each other; give only one");
    if (has_file)
        return IMG_OK;
    const int32_t side = side_of(numbers->count);
    if (numbers->count == 0)
        return img_fail(err, IMG_E_USAGE,
                        "convolve: the kernel is missing; give its weights with kernel, or name a "
                        "file with them");
    if (side == 0)
        return img_fail(err, IMG_E_USAGE,
                        "convolve: the kernel has %d numbers; give 9 (3 x 3) or 25 (5 x 5), row by "
                        "row, or use file for other sizes",
                        numbers->count);
    *own = (ImgKernel){.width = side, .height = side};
    for (int32_t i = 0; i < numbers->count; i++)
        own->weights[i] = (int64_t)numbers->values[i] * BILLIONTHS;
    *kernel = own;
    return IMG_OK;
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    ImgKernel numbers;
    const ImgKernel *kernel;
    ImgStatus status = img_values_shape(src, own, dst, err);
    if (status == IMG_OK)
        status = find_kernel(own, &numbers, &kernel, err);
    return status == IMG_OK && kernel != NULL ? img_convolve_check(kernel, &own->scale, err)
                                              : status;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    ImgKernel numbers;
    const ImgKernel *kernel;
    (void)op;
    ImgStatus status = find_kernel(own, &numbers, &kernel, err);
    if (status == IMG_OK && kernel == NULL)
        status = img_fail(err, IMG_E_USAGE, "convolve: %s has not been loaded", own->file.path);
    if (status == IMG_OK)
        status = img_convolve_check(kernel, &own->scale, err);
    if (status != IMG_OK)
        return status;
    ImgConvolve *convolve = malloc(sizeof *convolve);
    if (convolve == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the weights of a kernel");
    img_convolve_make(kernel, &own->scale, src.format, &own->border, convolve);
    *constants = (ImgConstants){convolve, sizeof *convolve};
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_convolve_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, row by row; adds weighted rows that are shifted by whole pixels",
     .run = img_convolve_cpu},
    IMG_X86_IMPLS(img_convolve_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, every sample read from global memory",
     .run = IMG_CUDA_RUN(img_convolve_cuda_naive)},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "tiles with halo in padded shared memory, 4 pixels per thread",
     .run = IMG_CUDA_RUN(img_convolve_cuda_tiled)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "3x3 without alpha: 16 bytes per thread, down a strip; others as cuda-tiled",
     .run = IMG_CUDA_RUN(img_convolve_cuda_fast)},
    {.name = NULL},
};

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const Params *own = params_of_call;
    ImgKernel numbers;
    const ImgKernel *kernel;
    const bool found = find_kernel(own, &numbers, &kernel, NULL) == IMG_OK && kernel != NULL;
    return img_convolve_scratch(found ? kernel->width : IMG_KERNEL_SIDE,
                                found ? kernel->height : IMG_KERNEL_SIDE, src, threads);
}

/* Implements ImgOp.bands.part. A file that has not been loaded yet may contain a kernel of any
 * size, so the largest one is assumed. */
static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const Params *own = params_of_call;
    ImgKernel numbers;
    const ImgKernel *kernel;
    const bool found = find_kernel(own, &numbers, &kernel, NULL) == IMG_OK && kernel != NULL;
    const int32_t reach = (found ? kernel->height : IMG_KERNEL_SIDE) / 2;
    return img_window_part(src, &own->border, wanted, reach, reach, part);
}

const ImgOp img_op_convolve = {
    .name = "convolve",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Convolve with a kernel",
    .help = "Each sample becomes the weighted sum of its neighbourhood, divided by --divisor, "
            "plus --bias, and clamped. Give the weights with --kernel or --file. A kernel of a "
            "single 1 in the middle changes nothing. In a kernel file, # starts a comment.\n\n"
            "The kernel is centred on the sample and is not flipped: this is correlation, as in "
            "OpenCV's filter2D and ImageMagick's -morphology Correlate. ImageMagick's Convolve "
            "rotates the kernel by 180 degrees.\n\n"
            "Colours are weighted by alpha, and alpha is filtered with weights that sum to 1. "
            "If the weights sum to 0, as in edge filters, alpha is kept.",
    .example = "--kernel '0,-1,0;-1,5,-1;0,-1,0'",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .file = {.read = img_kernel_read},
    .cost = {.cpu_ns_per_byte = 0.45, .scratch = scratch}, /* measured for 3 x 3 weights */
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
