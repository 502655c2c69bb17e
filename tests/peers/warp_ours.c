/* warp_ours OP WIDTH HEIGHT CHANNELS [NAME=VALUE]...: milliseconds of processor time that the
 * fastest implementation takes with one thread, the median of several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

enum { RUNS = 3, FIRST_OPTION = 5 };

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* What a photograph's samples are like does not matter: no step depends on them. */
static void fill(ImgImage *image)
{
    for (size_t i = 0; i < image->size; i++)
        image->view.data[i] = (uint8_t)(i * 2654435761U >> 13);
}

static int compare(const void *a, const void *b)
{
    const double *one = a, *two = b;
    return (*one > *two) - (*one < *two);
}

static ImgStatus measure(ImgCall *call, ImgShape src, ImgError *err)
{
    const ImgImpl *impl;
    double taken[RUNS];
    ImgStatus status = img_op_prepare(call->op, src, call->params, &call->constants, err);
    if (status == IMG_OK)
        status = img_impl_fastest(call->op, IMG_BACKEND_CPU, src, call->params, &impl, err);
    for (int i = 0; status == IMG_OK && i < RUNS; i++) {
        const double before = now_ms();
        status = impl->run(call, err);
        taken[i] = now_ms() - before;
    }
    qsort(taken, RUNS, sizeof *taken, compare);
    if (status == IMG_OK)
        printf("%.2f %s\n", taken[RUNS / 2], impl->name);
    img_constants_free(&call->constants);
    return status;
}

static ImgStatus set(const ImgOp *op, ImgParams *params, char *option, ImgError *err)
{
    char *value = strchr(option, '=');
    if (value == NULL)
        return img_fail(err, IMG_E_USAGE, "NAME=VALUE, not '%s'", option);
    *value = '\0';
    return img_params_set(op, params, option, value + 1, err);
}

int main(int argc, char **argv)
{
    static const ImgColor colors[] = {IMG_COLOR_GRAY, IMG_COLOR_GRAY_ALPHA, IMG_COLOR_RGB,
                                      IMG_COLOR_RGBA};
    ImgError err = {IMG_OK, ""};
    ImgImage src = IMG_IMAGE_NONE, dst = IMG_IMAGE_NONE;
    ImgParams params;
    ImgCall call = {.threads = 1, .params = params.bytes};
    if (argc < FIRST_OPTION || img_op_find(argv[1], &call.op, &err) != IMG_OK)
        return 2;
    img_params_init(call.op, &params);
    ImgShape result, shape = {atoi(argv[2]), atoi(argv[3]), {colors[(atoi(argv[4]) - 1) & 3], 8}};
    ImgStatus status = IMG_OK;
    for (int i = FIRST_OPTION; i < argc && status == IMG_OK; i++)
        status = set(call.op, &params, argv[i], &err);
    if (status == IMG_OK)
        status = call.op->shape(shape, params.bytes, &result, &err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &src, &err);
    if (status == IMG_OK)
        status = img_image_alloc(result, &dst, &err);
    if (status == IMG_OK) {
        fill(&src);
        call.src = src.view;
        call.dst = dst.view;
        status = measure(&call, shape, &err);
    }
    if (status != IMG_OK)
        fprintf(stderr, "warp_ours: %s\n", err.message);
    img_image_free(&src);
    img_image_free(&dst);
    return status == IMG_OK ? 0 : 1;
}
