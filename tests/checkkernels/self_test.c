/* Faulty implementations, one of each kind that the checker exists to find. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/checkkernels/check.h"

static ImgStatus right(const ImgCall *call, ImgError *err)
{
    return call->op->impls[0].run(call, err);
}

static ImgStatus one_bit_wrong(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    const ImgView *dst = &call->dst;
    dst->data[(size_t)(dst->height - 1) * dst->stride] ^= 1;
    return status;
}

static ImgStatus last_row_missing(const ImgCall *call, ImgError *err)
{
    const ImgView *dst = &call->dst;
    size_t row = (size_t)dst->width * img_format_pixel_size(dst->format);
    uint8_t *last = dst->data + (size_t)(dst->height - 1) * dst->stride;
    uint8_t before[4096];
    memcpy(before, last, row);
    ImgStatus status = right(call, err);
    memcpy(last, before, row);
    return status;
}

static ImgStatus changes_source(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    call->src.data[0] ^= 1;
    return status;
}

static ImgStatus fails(const ImgCall *call, ImgError *err)
{
    (void)call;
    return img_fail(err, IMG_E_DEVICE, "planted");
}

/* Under AddressSanitizer the guards are poisoned and these three would end the program, which is
 * the finding; they are planted with its checks off. */
#define UNCHECKED __attribute__((no_sanitize("address")))

UNCHECKED static ImgStatus writes_above(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    ((volatile uint8_t *)call->dst.data)[-1] = 0;
    return status;
}

UNCHECKED static ImgStatus writes_beside(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    size_t row = (size_t)call->dst.width * img_format_pixel_size(call->dst.format);
    ((volatile uint8_t *)call->dst.data)[row] = 0;
    return status;
}

UNCHECKED static ImgStatus writes_below(const ImgCall *call, ImgError *err)
{
    ImgStatus status = right(call, err);
    const ImgView *dst = &call->dst;
    size_t row = (size_t)dst->width * img_format_pixel_size(dst->format);
    ((volatile uint8_t *)dst->data)[(size_t)(dst->height - 1) * dst->stride + row] = 0;
    return status;
}

static const ImgImpl planted[] = {
    {.name = "one-bit-wrong", .backend = IMG_BACKEND_CPU, .note = "", .run = one_bit_wrong},
    {.name = "last-row-missing", .backend = IMG_BACKEND_CPU, .note = "", .run = last_row_missing},
    {.name = "changes-source", .backend = IMG_BACKEND_CPU, .note = "", .run = changes_source},
    {.name = "fails", .backend = IMG_BACKEND_CPU, .note = "", .run = fails},
    {.name = "writes-above", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_above},
    {.name = "writes-beside", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_beside},
    {.name = "writes-below", .backend = IMG_BACKEND_CPU, .note = "", .run = writes_below},
};

void check_self_test(CheckTally *tally)
{
    const CheckOptions options = {.seed = 1, .threads = 1, .every = 1};
    const ImgShape shape = {33, 17, {IMG_COLOR_RGB, 8}};
    const ImgOp *op = NULL;
    ImgError unused = {IMG_OK, ""};
    if (img_op_find("rotate", &op, &unused) != IMG_OK) {
        tally->failed++;
        return;
    }
    ImgParams params;
    img_params_init(op, &params);
    const ImgImpl sound = {.name = "right", .backend = IMG_BACKEND_CPU, .note = "", .run = right};
    bool accepts = check_one(op, &sound, &params, shape, FILL_RANDOM, 1, &options, &unused);
    printf("%-18s %s\n", sound.name, accepts ? "accepted" : "NOT ACCEPTED");
    accepts ? tally->passed++ : tally->failed++;
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        ImgError err = {IMG_OK, ""};
        bool found = !check_one(op, &planted[i], &params, shape, FILL_RANDOM, 1, &options, &err);
        printf("%-18s %s%s\n", planted[i].name, found ? "found: " : "NOT FOUND", err.message);
        found ? tally->passed++ : tally->failed++;
    }
}
