/* ours OP CHANNELS WIDTH HEIGHT EDGE [NAME=VALUE ...]: times an operation or a measurement with its
 * fastest implementation, on one thread, from memory to memory. First prints the time of the
 * preparation and the name of the implementation. Then runs the operation once for each line of
 * standard input, and prints its processor time in milliseconds. Processor time is used, because
 * other work on the machine hardly affects it. The picture has 8 bits. It is noise, inside a white
 * frame that is EDGE pixels wide. The picture for overlay is noise with random alpha. No other
 * property of the content affects the times of the operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static uint8_t noise(size_t i)
{
    return (uint8_t)(i * 2654435761U >> 13);
}

static void fill(const ImgView *view, int32_t edge)
{
    const size_t pixel = img_format_pixel_size(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *row = view->data + (size_t)y * view->stride;
        memset(row, 255, (size_t)view->width * pixel);
        const bool inside = y >= edge && y < view->height - edge;
        for (size_t i = (size_t)edge * pixel; inside && i < (size_t)(view->width - edge) * pixel;
             i++)
            row[i] = noise(i + (size_t)y * 7919);
    }
}

/* Sets the second picture of overlay. Does nothing for operations without a parameter "image". */
static ImgStatus give_picture(const ImgOp *op, ImgShape shape, ImgParams *params, ImgError *err)
{
    const ImgParam *param = img_param_find(op, "image");
    const size_t bytes = (size_t)shape.width * (size_t)shape.height * 4;
    if (param == NULL)
        return IMG_OK;
    static ImgPicture *picture; /* never freed, because it is used until the program ends */
    picture = malloc(sizeof *picture + bytes);
    ImgStatus status = picture == NULL ? img_fail(err, IMG_E_MEMORY, "no memory")
                                       : img_params_set(op, params, "image", "noise", err);
    if (status != IMG_OK) {
        free(picture);
        return status;
    }
    picture->shape = (ImgShape){shape.width, shape.height, {IMG_COLOR_RGBA, 8}};
    for (size_t i = 0; i < bytes; i++)
        picture->pixels[i] = noise(i);
    img_params_set_content(param, params, picture);
    return IMG_OK;
}

static ImgStatus set_params(const ImgOp *op, ImgParams *params, char **values, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (; status == IMG_OK && *values != NULL; values++) {
        char *equals = strchr(*values, '=');
        if (equals == NULL)
            return img_fail(err, IMG_E_USAGE, "'%s' is not NAME=VALUE", *values);
        *equals = '\0';
        status = img_params_set(op, params, *values, equals + 1, err);
    }
    return status;
}

static ImgStatus answer(ImgCall *call, ImgShape shape, ImgError *err)
{
    const ImgImpl *impl;
    const double before = now_ms();
    ImgStatus status = img_op_prepare(call->op, shape, call->params, &call->constants, err);
    const double prepared = now_ms() - before;
    if (status == IMG_OK)
        status = img_impl_fastest(call->op, IMG_BACKEND_CPU, shape, call->params, &impl, err);
    if (status == IMG_OK)
        printf("%.3f %s\n", prepared, impl->name);
    fflush(stdout);
    for (int next; status == IMG_OK && (next = getchar()) != EOF;) {
        if (next != '\n')
            continue;
        const double start = now_ms();
        status = impl->run(call, err);
        printf("%.3f\n", now_ms() - start);
        fflush(stdout);
    }
    img_constants_free(&call->constants);
    return status;
}

static ImgStatus run(ImgCall *call, ImgShape shape, ImgParams *params, char **values, ImgError *err)
{
    ImgImage src = IMG_IMAGE_NONE, dst = IMG_IMAGE_NONE;
    ImgShape result;
    img_params_init(call->op, params);
    ImgStatus status = give_picture(call->op, shape, params, err);
    if (status == IMG_OK)
        status = set_params(call->op, params, values + 1, err);
    if (status == IMG_OK)
        status = call->op->shape(shape, params->bytes, &result, err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &src, err);
    if (status == IMG_OK)
        status = img_image_alloc(result, &dst, err);
    if (status == IMG_OK) {
        fill(&src.view, atoi(values[0]));
        call->src = src.view;
        call->dst = dst.view;
        status = answer(call, shape, err);
    }
    img_image_free(&src);
    img_image_free(&dst);
    return status;
}

int main(int argc, char **argv)
{
    ImgError err = {IMG_OK, ""};
    ImgParams params;
    ImgCall call = {.threads = 1, .params = params.bytes};
    static const ImgColor colors[] = {IMG_COLOR_GRAY, IMG_COLOR_GRAY_ALPHA, IMG_COLOR_RGB,
                                      IMG_COLOR_RGBA};
    if (argc < 6)
        return 2;
    const ImgColor color = colors[(atoi(argv[2]) - 1) & 3];
    const ImgShape shape = {atoi(argv[3]), atoi(argv[4]), {color, 8}};
    ImgStatus status = img_op_or_measure_find(argv[1], &call.op, &err);
    if (status == IMG_OK)
        status = run(&call, shape, &params, argv + 5, &err);
    if (status != IMG_OK)
        fprintf(stderr, "ours: %s\n", err.message);
    return status == IMG_OK ? 0 : 1;
}
