/* Reference implementation of clahe in plain C, pixel by pixel. All other implementations must
 * agree with it. */
#include <stdlib.h>
#include <string.h>

#include "kernels/clahe/clahe.h"
#include "kernels/core/sample.h"

typedef struct Pixel {
    uint32_t sample[4];
} Pixel;

static Pixel load(const ImgView *view, int32_t x, int32_t y)
{
    Pixel pixel = {{0}};
    int32_t channels = img_format_channels(view->format);
    const uint8_t *at =
        view->data + (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    for (int32_t c = 0; c < channels; c++)
        pixel.sample[c] = img_sample(at, (size_t)c, view->format.bits);
    return pixel;
}

static void store(const ImgView *view, int32_t x, int32_t y, const Pixel *pixel)
{
    int32_t channels = img_format_channels(view->format);
    uint8_t *at =
        view->data + (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    for (int32_t c = 0; c < channels; c++)
        img_sample_set(at, (size_t)c, view->format.bits, pixel->sample[c]);
}

static uint32_t brightness(const ImgClahePlan *plan, const Pixel *pixel)
{
    const uint32_t *sample = pixel->sample;
    return plan->colors == 1 ? sample[0] : img_luma(plan->weights, sample[0], sample[1], sample[2]);
}

static void count_tile(const ImgClahePlan *plan, const ImgView *src, int32_t i, int32_t j,
                       uint32_t *counts)
{
    memset(counts, 0, sizeof *counts << plan->bin_bits);
    for (int32_t y = img_clahe_border(j, plan->height, plan->down);
         y < img_clahe_border(j + 1, plan->height, plan->down); y++) {
        for (int32_t x = img_clahe_border(i, plan->width, plan->across);
             x < img_clahe_border(i + 1, plan->width, plan->across); x++) {
            Pixel pixel = load(src, x, y);
            if (plan->channels == plan->colors || pixel.sample[plan->colors] > 0)
                counts[brightness(plan, &pixel) >> plan->fine_bits]++;
        }
    }
}

static void change(const ImgClahePlan *plan, const uint16_t *tables, int32_t x, int32_t y,
                   Pixel *pixel)
{
    int32_t maximum = (1 << plan->bits) - 1;
    uint32_t bright = brightness(plan, pixel);
    ImgBetween across = img_clahe_between(x, plan->width, plan->across, plan->weight_bits);
    ImgBetween down = img_clahe_between(y, plan->height, plan->down, plan->weight_bits);
    int32_t shift =
        (int32_t)img_clahe_blended(plan, tables, across, down, bright) - (int32_t)bright;
    for (int32_t c = 0; c < plan->colors; c++) {
        int32_t value = (int32_t)pixel->sample[c] + shift;
        pixel->sample[c] = (uint32_t)(value < 0 ? 0 : value > maximum ? maximum : value);
    }
}

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    ImgClahePlan plan = img_clahe_plan(call);
    size_t tiles = (size_t)plan.across * (size_t)plan.down;
    uint32_t *counts = malloc(sizeof *counts << plan.bin_bits);
    uint16_t *tables = calloc(tiles << plan.bin_bits, sizeof *tables);
    ImgStatus status =
        counts != NULL && tables != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
    for (int32_t j = 0; status == IMG_OK && j < plan.down; j++) {
        for (int32_t i = 0; i < plan.across; i++) {
            count_tile(&plan, &call->src, i, j, counts);
            img_clahe_table(&plan, counts,
                            tables + ((size_t)(j * plan.across + i) << plan.bin_bits));
        }
    }
    for (int32_t y = 0; status == IMG_OK && y < plan.height; y++) {
        for (int32_t x = 0; x < plan.width; x++) {
            Pixel pixel = load(&call->src, x, y);
            change(&plan, tables, x, y, &pixel);
            store(&call->dst, x, y, &pixel);
        }
    }
    free(counts);
    free(tables);
    return status;
}

ImgStatus img_clahe_reference(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(IMG_PREPASS_WIDEN, call, run, NULL, err);
}
