/* levels: maps given black, white and middle tones to the full range. */
#include "kernels/core/fixed/fixed_math.h"
#include "kernels/point/points.h"

typedef struct Params {
    /* Black point and white point of the source. All levels here are in thousandths of a per
     * cent. */
    int32_t black, white;
    int32_t gamma; /* gamma of the middle tones, in thousandths */
    int32_t out_black, out_white;
} Params;

static const ImgParam params[] = {
    {.name = "black",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, black),
     .default_value = "0",
     .min = 0,
     .max = 100000,
     .help = "input value that becomes black, in per cent of the range; 0: no change"},
    {.name = "white",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, white),
     .default_value = "100",
     .min = 0,
     .max = 100000,
     .help = "input value that becomes white, in per cent of the range; 100: no change"},
    {.name = "gamma",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, gamma),
     .default_value = "1",
     .min = 1,
     .max = 1000000,
     .help = "gamma of the middle tones, as in the operation gamma; 1: a straight line"},
    {.name = "out-black",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, out_black),
     .default_value = "0",
     .min = 0,
     .max = 100000,
     .help = "output value of black, in per cent of the range"},
    {.name = "out-white",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, out_white),
     .default_value = "100",
     .min = 0,
     .max = 100000,
     .help = "output value of white, in per cent of the range"},
    {.name = NULL}};

/* RANGE is 100 % in thousandths of a per cent. SHARE_BITS is the number of fractional bits of a
 * position between black (0) and white (1). */
enum { RANGE = 100000, SHARE_BITS = 28 };

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    if (own->black >= own->white)
        return img_fail(err, IMG_E_USAGE,
                        "levels: black must be less than white; lower black, or raise white");
    return img_values_shape(src, params_of_call, dst, err);
}

/* Returns the position of a sample between black and white, after gamma, from 0 to 2^SHARE_BITS. At
 * 16 bits per sample numerator and denominator can be nearly 2^33 (RANGE * 65535). img_power
 * accepts only numbers below 2^32, so both are halved. */
static int64_t share_of(const Params *own, int64_t value, int64_t maximum)
{
    const int64_t from = value * RANGE - own->black * maximum;
    const int64_t range = (own->white - own->black) * maximum;
    if (from <= 0 || from >= range)
        return from <= 0 ? 0 : (int64_t)1 << SHARE_BITS;
    const uint64_t power =
        img_power((uint64_t)from / 2, (uint64_t)(range + 1) / 2, 1000, (uint32_t)own->gamma);
    return (int64_t)(power >> (62 - SHARE_BITS));
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    uint16_t *table = img_points_values(points, IMG_POINT_COLORS, err);
    const int64_t maximum = img_format_maximum(points->format);
    for (int64_t v = 0; table != NULL && v <= maximum; v++) {
        const int64_t of_white = (own->out_white - own->out_black) * share_of(own, v, maximum);
        const int64_t level = ((int64_t)own->out_black << SHARE_BITS) + of_white;
        table[v] = img_point_rounded((level >> (SHARE_BITS - 24)) * maximum, (int64_t)RANGE << 24,
                                     maximum);
    }
    return img_points_filled(points, table);
}

const ImgOp img_op_levels = {
    .name = "levels",
    .group = IMG_GROUP_TONE,
    .synopsis = "Adjust black point, white point and gamma",
    .help = "Samples at or below --black become --out-black; samples at or above --white become "
            "--out-white. In between, the mapping is a straight line, or a curve with --gamma. "
            "--black must be below --white. Alpha is kept. --out-black 100 --out-white 0 gives a "
            "negative. To set black and white automatically, use autolevel. Gray pictures of 1, 2 "
            "or 4 bits become 8-bit gray.",
    .example = "--black 5 --white 90 --gamma 1.2",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
