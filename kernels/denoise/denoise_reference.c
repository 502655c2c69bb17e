/* Non-local means from their definition: every patch with every other, sample by sample. */
#include <stdlib.h>

#include "kernels/denoise/denoise.h"

/* The picture and as much of what lies beyond its edges as patches can reach. */
typedef struct Padded {
    uint16_t (*pixels)[4], (*guides)[4];
    int32_t margin, width; /* of the whole */
} Padded;

static size_t place_of(const Padded *padded, int32_t x, int32_t y)
{
    return (size_t)(y + padded->margin) * (size_t)padded->width + (size_t)(x + padded->margin);
}

static bool pad(const ImgCall *call, Padded *padded)
{
    const ImgDenoise *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    const int32_t margin = own->patch + own->search;
    padded->margin = margin;
    padded->width = call->src.width + 2 * margin;
    const size_t count = (size_t)padded->width * ((size_t)call->src.height + 2 * (size_t)margin);
    padded->pixels = calloc(count, sizeof *padded->pixels);
    padded->guides = calloc(count, sizeof *padded->guides);
    if (padded->pixels == NULL || padded->guides == NULL)
        return false;
    for (int32_t y = -margin; y < call->src.height + margin; y++)
        for (int32_t x = -margin; x < call->src.width + margin; x++) {
            const size_t at = place_of(padded, x, y);
            uint32_t pixel[4];
            img_weighed_pixel(weighed, &call->src, x, y, pixel);
            for (int32_t c = 0; c < weighed->channels; c++) {
                padded->pixels[at][c] = (uint16_t)pixel[c];
                padded->guides[at][c] = (uint16_t)img_denoise_guide(
                    weighed, pixel[c], pixel[weighed->channels - 1], c == weighed->colors);
            }
        }
    return true;
}

static uint32_t compare(const ImgDenoise *own, const Padded *padded, size_t a, size_t b)
{
    uint32_t sum = 0;
    for (int32_t y = -own->patch; y <= own->patch; y++)
        for (int32_t x = -own->patch; x <= own->patch; x++) {
            const ptrdiff_t step = (ptrdiff_t)y * padded->width + x;
            const uint16_t *first = padded->guides[(ptrdiff_t)a + step];
            const uint16_t *second = padded->guides[(ptrdiff_t)b + step];
            for (int c = 0; c < 4; c++)
                sum += (uint32_t)((first[c] - second[c]) * (first[c] - second[c]));
        }
    return sum;
}

static void filter_pixel(const ImgDenoise *own, const Padded *padded, size_t at, uint32_t *pixel)
{
    const ImgWeighed *weighed = &own->weighed;
    uint64_t sums[4] = {0, 0, 0, 0};
    uint32_t weights = 0;
    for (int32_t y = -own->search; y <= own->search; y++)
        for (int32_t x = -own->search; x <= own->search; x++) {
            const size_t to = (size_t)((ptrdiff_t)at + (ptrdiff_t)y * padded->width + x);
            const uint16_t *other = padded->pixels[to];
            uint32_t weight = img_denoise_weight(own, compare(own, padded, at, to));
            if (weighed->has_alpha)
                weight = img_scale_15(weight, img_alpha_15(other[weighed->colors], weighed->bits));
            weights += weight;
            for (int32_t c = 0; c < weighed->colors; c++)
                sums[c] += (uint64_t)weight * other[c];
        }
    for (int32_t c = 0; c < weighed->colors; c++)
        pixel[c] = img_weighed_mean(sums[c], weights);
}

static void filter(const ImgCall *call, const Padded *padded)
{
    const ImgDenoise *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++) {
            uint32_t pixel[4];
            img_weighed_pixel(weighed, &call->src, x, y, pixel);
            if (!weighed->has_alpha || pixel[weighed->colors] != 0)
                filter_pixel(own, padded, place_of(padded, x, y), pixel);
            for (int32_t c = 0; c < weighed->channels; c++)
                img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                               (size_t)x * (size_t)weighed->channels + (size_t)c, weighed->bits,
                               pixel[c]);
        }
}

ImgStatus img_denoise_reference(const ImgCall *call, ImgError *err)
{
    Padded padded = {NULL, NULL, 0, 0};
    const bool done = pad(call, &padded);
    if (done)
        filter(call, &padded);
    free(padded.pixels);
    free(padded.guides);
    return done ? IMG_OK
                : img_fail(err, IMG_E_MEMORY, "no memory to denoise %d x %d pixels",
                           call->src.width, call->src.height);
}
