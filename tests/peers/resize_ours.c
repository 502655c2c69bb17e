/* resize_ours WIDTH HEIGHT CHANNELS SIZE FILTER: milliseconds of processor time that the fastest
 * implementation takes with one thread, the least of several runs, and those for its weights. Other
 * work on the machine counts little in it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

enum { RUNS = 9 };

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

static ImgStatus measure(ImgCall *call, ImgShape src, ImgError *err)
{
    const ImgImpl *impl;
    double least = 1e9;
    const double start = now_ms();
    ImgStatus status = img_op_prepare(call->op, src, call->params, &call->constants, err);
    const double weights = now_ms() - start;
    if (status == IMG_OK)
        status = img_impl_fastest(call->op, IMG_BACKEND_CPU, src, call->params, &impl, err);
    for (int i = 0; status == IMG_OK && i < RUNS; i++) {
        const double before = now_ms();
        status = impl->run(call, err);
        const double taken = now_ms() - before;
        least = taken < least ? taken : least;
    }
    if (status == IMG_OK)
        printf("%.2f %.2f %s\n", least, weights, impl->name);
    img_constants_free(&call->constants);
    return status;
}

int main(int argc, char **argv)
{
    static const ImgColor colors[] = {IMG_COLOR_GRAY, IMG_COLOR_GRAY_ALPHA, IMG_COLOR_RGB,
                                      IMG_COLOR_RGBA};
    ImgError err = {IMG_OK, ""};
    ImgImage src = IMG_IMAGE_NONE, dst = IMG_IMAGE_NONE;
    ImgParams params;
    ImgCall call = {.threads = 1, .params = params.bytes};
    if (argc != 6 || img_op_find("resize", &call.op, &err) != IMG_OK)
        return 2;
    img_params_init(call.op, &params);
    ImgShape result, shape = {atoi(argv[1]), atoi(argv[2]), {colors[(atoi(argv[3]) - 1) & 3], 8}};
    ImgStatus status = img_params_set(call.op, &params, "size", argv[4], &err);
    if (status == IMG_OK)
        status = img_params_set(call.op, &params, "fit", "fill", &err);
    if (status == IMG_OK)
        status = img_params_set(call.op, &params, "filter", argv[5], &err);
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
        fprintf(stderr, "resize_ours: %s\n", err.message);
    img_image_free(&src);
    img_image_free(&dst);
    return status == IMG_OK ? 0 : 1;
}
