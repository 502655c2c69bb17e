/* Reference implementation of the tone family in plain C, pixel by pixel. All other implementations
 * must agree with it. */
#include <stdlib.h>

#include "kernels/core/sample.h"
#include "kernels/tone/tone.h"

static uint32_t brightness(const ImgTonePlan *plan, const uint8_t *pixel)
{
    uint32_t first = img_sample(pixel, 0, plan->bits);
    return plan->colors == 1 ? first
                             : img_luma(plan->weights, first, img_sample(pixel, 1, plan->bits),
                                        img_sample(pixel, 2, plan->bits));
}

static uint32_t clamped(int32_t value, int32_t maximum)
{
    return (uint32_t)(value < 0 ? 0 : value > maximum ? maximum : value);
}

static void change_pixel(const ImgTonePlan *plan, const uint16_t *tables, uint32_t level,
                         const uint8_t *src, uint8_t *dst)
{
    int32_t maximum = (1 << plan->bits) - 1, kept = 0;
    uint32_t bright = brightness(plan, src);
    if (plan->way == IMG_TONE_SPLIT) {
        img_sample_set(dst, kept++, plan->bits, bright > level ? (uint32_t)maximum : 0);
    } else {
        for (; kept < plan->colors; kept++) {
            uint32_t sample = img_sample(src, kept, plan->bits);
            const uint16_t *table =
                plan->tables == 1 ? tables : tables + ((size_t)kept << plan->bits);
            img_sample_set(
                dst, kept, plan->bits,
                plan->way == IMG_TONE_SAMPLES
                    ? table[sample]
                    : clamped((int32_t)sample + tables[bright] - (int32_t)bright, maximum));
        }
    }
    if (plan->channels > plan->colors)
        img_sample_set(dst, kept, plan->bits, img_sample(src, plan->colors, plan->bits));
}

static ImgStatus count(const ImgView *src, const ImgTonePlan *plan, uint64_t *counts, ImgError *err)
{
    const ImgOp *op = &img_measure_histogram;
    ImgShape shape;
    ImgStatus status = op->shape(img_view_shape(src), &plan->counted, &shape, err);
    if (status != IMG_OK)
        return status;
    ImgCall call = {
        .op = op,
        .src = *src,
        .dst = img_view_make(counts, sizeof(uint64_t) << plan->bits, shape),
        .params = &plan->counted,
        .threads = 1,
    };
    return op->impls[0].run(&call, err);
}

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    const ImgView *src = &call->src, *dst = &call->dst;
    ImgTonePlan plan = img_tone_plan(call->op, src->format, call->params);
    size_t rows = (size_t)img_histogram_rows(src->format, &plan.counted);
    uint64_t *counts = malloc(rows * sizeof *counts << plan.bits);
    uint16_t *tables = malloc((size_t)plan.tables * sizeof *tables << plan.bits);
    uint32_t level;
    ImgStatus status = counts != NULL && tables != NULL ? count(src, &plan, counts, err)
                                                        : img_fail(err, IMG_E_MEMORY, "no memory");
    if (status != IMG_OK)
        goto done;
    img_tone_tables(&plan, counts, tables, &level);
    for (int32_t y = 0; y < src->height; y++)
        for (int32_t x = 0; x < src->width; x++)
            change_pixel(&plan, tables, level,
                         src->data + (size_t)y * src->stride +
                             (size_t)x * img_format_pixel_size(src->format),
                         dst->data + (size_t)y * dst->stride +
                             (size_t)x * img_format_pixel_size(dst->format));
done:
    free(counts);
    free(tables);
    return status;
}

ImgStatus img_tone_reference(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(img_tone_prepass(call->op), call, run, NULL, err);
}
