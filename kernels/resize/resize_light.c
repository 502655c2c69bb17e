/* Computes the tables that convert samples to linear light and back. Linear light is converted to
 * the nearest sample: sample s stands for the light of the values from s - 1/2 to s + 1/2. */
#include "kernels/core/fixed/curve.h"
#include "kernels/resize/resize.h"

static size_t aligned(size_t size)
{
    enum { ALIGNMENT = 64 };
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t img_resize_lay_light(ImgResize *own, size_t size)
{
    const size_t samples = (size_t)own->alpha_top + 1;
    own->light_at = aligned(size);
    own->codes_at = aligned(own->light_at + samples * sizeof(uint32_t));
    return own->codes_at + (own->bits == 8 ? (size_t)own->top + 1 : samples * sizeof(uint32_t));
}

/* Returns the linear light, from 0 to own->top, of a sample `value` from 0 to `maximum` (white). */
static uint32_t light_of(const ImgResize *own, int32_t light, uint64_t value, uint64_t maximum)
{
    return light == IMG_LIGHT_SRGB
               ? img_srgb_to_linear(value, maximum, own->top)
               : img_power_of(value, maximum, IMG_LIGHT_LINEAR, (uint32_t)light, own->top);
}

/* Returns the smallest linear light that is converted to `sample`. The result is always larger than
 * the light of the next darker sample. So black stays black even if the darkest samples have no
 * light. */
static uint32_t least_of(const ImgResize *own, int32_t light, const uint32_t *lights,
                         uint32_t sample)
{
    if (sample == 0)
        return 0;
    const uint32_t between = light_of(own, light, 2 * sample - 1, 2 * (uint64_t)own->alpha_top);
    const uint32_t least = between > lights[sample - 1] ? between : lights[sample - 1] + 1;
    return least < own->top ? least : own->top;
}

void img_resize_make_light(ImgResize *own, int32_t light)
{
    uint32_t *lights = (uint32_t *)(void *)((uint8_t *)own + own->light_at);
    uint8_t *codes = (uint8_t *)own + own->codes_at;
    uint32_t *least = (uint32_t *)(void *)codes;
    for (uint32_t v = 0; v <= own->alpha_top; v++)
        lights[v] = light_of(own, light, v, own->alpha_top);
    for (uint32_t v = 0; own->bits == 16 && v <= own->alpha_top; v++)
        least[v] = least_of(own, light, lights, v);
    for (uint32_t v = 0, at = 0; own->bits == 8 && v <= own->alpha_top; v++) {
        const uint32_t end = v < 255 ? least_of(own, light, lights, v + 1) : own->top + 1;
        for (; at < end; at++)
            codes[at] = (uint8_t)v;
    }
}
