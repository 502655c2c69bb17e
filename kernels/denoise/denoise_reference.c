/* Reference implementation of non-local means. It follows the definition: at each offset of the
 * search, it compares the patches of all pixels. */
#include <stdlib.h>

#include "kernels/denoise/denoise.h"

/* The picture, extended beyond its edges as far as the search and the patches reach. */
typedef struct Padded {
    uint16_t (*pixels)[4], (*guides)[4];
    /* width of the margin on each side, and of the extended picture, in pixels */
    int32_t margin, width;
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

/* Weighted sums for all pixels of the picture. `squares` has the squared differences at one offset,
 * with a margin of `patch` pixels. */
typedef struct Sums {
    uint64_t (*colors)[3];
    uint32_t *weights, *squares;
} Sums;

static void square_differences(const ImgDenoise *own, const Padded *padded, ImgShape shape,
                               ptrdiff_t offset, uint32_t *squares)
{
    for (int32_t y = -own->patch; y < shape.height + own->patch; y++)
        for (int32_t x = -own->patch; x < shape.width + own->patch; x++) {
            const uint16_t *a = padded->guides[place_of(padded, x, y)];
            const uint16_t *b = padded->guides[(ptrdiff_t)place_of(padded, x, y) + offset];
            uint32_t sum = 0;
            for (int c = 0; c < 4; c++)
                sum += (uint32_t)((a[c] - b[c]) * (a[c] - b[c]));
            squares[place_of(padded, x, y)] = sum;
        }
}

static uint32_t patch_sum(const ImgDenoise *own, const Padded *padded, size_t at,
                          const uint32_t *squares)
{
    uint32_t sum = 0;
    for (int32_t y = -own->patch; y <= own->patch; y++)
        for (int32_t x = -own->patch; x <= own->patch; x++)
            sum += squares[(ptrdiff_t)at + (ptrdiff_t)y * padded->width + x];
    return sum;
}

static void add_offset(const ImgDenoise *own, const Padded *padded, ImgShape shape,
                       ptrdiff_t offset, const Sums *sums)
{
    const ImgWeighed *weighed = &own->weighed;
    square_differences(own, padded, shape, offset, sums->squares);
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++) {
            const size_t at = place_of(padded, x, y);
            const uint16_t *other = padded->pixels[(ptrdiff_t)at + offset];
            uint32_t weight = img_denoise_weight(own, patch_sum(own, padded, at, sums->squares));
            if (weighed->has_alpha)
                weight = img_scale_15(weight, img_alpha_15(other[weighed->colors], weighed->bits));
            sums->weights[at] += weight;
            for (int32_t c = 0; c < weighed->colors; c++)
                sums->colors[at][c] += (uint64_t)weight * other[c];
        }
}

static void store(const ImgCall *call, const Padded *padded, const Sums *sums)
{
    const ImgDenoise *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++) {
            const size_t at = place_of(padded, x, y);
            const uint16_t *pixel = padded->pixels[at];
            const bool hidden = weighed->has_alpha && pixel[weighed->colors] == 0;
            for (int32_t c = 0; c < weighed->channels; c++)
                img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                               (size_t)x * (size_t)weighed->channels + (size_t)c, weighed->bits,
                               c == weighed->colors || hidden
                                   ? pixel[c]
                                   : img_weighed_mean(sums->colors[at][c], sums->weights[at]));
        }
}

static bool filter(const ImgCall *call, const Padded *padded)
{
    const ImgDenoise *own = call->constants.bytes;
    const ImgShape shape = img_view_shape(&call->src);
    const size_t count =
        (size_t)padded->width * ((size_t)shape.height + 2 * (size_t)padded->margin);
    Sums sums = {calloc(count, sizeof *sums.colors), calloc(count, sizeof *sums.weights),
                 calloc(count, sizeof *sums.squares)};
    const bool done = sums.colors != NULL && sums.weights != NULL && sums.squares != NULL;
    for (int32_t y = -own->search; done && y <= own->search; y++)
        for (int32_t x = -own->search; x <= own->search; x++)
            add_offset(own, padded, shape, (ptrdiff_t)y * padded->width + x, &sums);
    if (done)
        store(call, padded, &sums);
    free(sums.colors);
    free(sums.weights);
    free(sums.squares);
    return done;
}

ImgStatus img_denoise_reference(const ImgCall *call, ImgError *err)
{
    Padded padded = {NULL, NULL, 0, 0};
    const bool done = pad(call, &padded) && filter(call, &padded);
    free(padded.pixels);
    free(padded.guides);
    return done ? IMG_OK
                : img_fail(err, IMG_E_MEMORY, "no memory to denoise %d x %d pixels",
                           call->src.width, call->src.height);
}
