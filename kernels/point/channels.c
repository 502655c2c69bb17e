/* channels: extracts, exchanges, removes and adds channels. */
#include "kernels/point/points.h"

typedef enum Source { RED, GREEN, BLUE, ALPHA, NONE, FULL, KEEP, DROP } Source;

typedef struct Params {
    int32_t extract;          /* Source value: the channel to extract; KEEP: all channels stay */
    int32_t red, green, blue; /* Source value for each colour of the result */
    int32_t alpha;            /* Source value for alpha of the result */
} Params;

static const ImgChoice extracted[] = {{"all", KEEP},  {"red", RED},     {"green", GREEN},
                                      {"blue", BLUE}, {"alpha", ALPHA}, {NULL, 0}};
static const ImgChoice sources[] = {{"red", RED},     {"green", GREEN}, {"blue", BLUE},
                                    {"alpha", ALPHA}, {"0", NONE},      {"1", FULL},
                                    {NULL, 0}};
static const ImgChoice alphas[] = {{"keep", KEEP},   {"drop", DROP}, {"opaque", FULL}, {"red", RED},
                                   {"green", GREEN}, {"blue", BLUE}, {NULL, 0}};

#define CHANNEL(channel, initial, list, text)                                                      \
    {                                                                                              \
        .name = #channel, .type = IMG_PARAM_CHOICE, .offset = offsetof(Params, channel),           \
        .default_value = initial, .choices = list, .help = text                                    \
    }

static const ImgParam params[] = {
    CHANNEL(extract, "all", extracted,
            "channel to extract as a gray picture; all: keep all channels"),
    CHANNEL(red, "red", sources, "channel that becomes red; 0: black, 1: the maximum"),
    CHANNEL(green, "green", sources, "channel that becomes green, as for --red"),
    CHANNEL(blue, "blue", sources, "channel that becomes blue, as for --red"),
    CHANNEL(alpha, "keep", alphas,
            "keep alpha, drop it, make it opaque, or take it from a channel"),
    {.name = NULL}};

static bool is_own(const Params *own)
{
    return own->red == RED && own->green == GREEN && own->blue == BLUE && own->alpha == KEEP;
}

/* Returns the source that `source` means in a gray picture, where green and blue equal red. */
static int32_t in_gray(int32_t source)
{
    return source == GREEN || source == BLUE ? (int32_t)RED : source;
}

static bool stays_gray(const Params *own)
{
    const int32_t red = in_gray(own->red);
    return in_gray(own->green) == red && in_gray(own->blue) == red;
}

static ImgColor result_of(ImgFormat src, const Params *own)
{
    if (own->extract != KEEP)
        return IMG_COLOR_GRAY;
    const bool alpha = own->alpha == KEEP ? img_format_has_alpha(src) : own->alpha != DROP;
    if (img_point_colors(src) == 1 && stays_gray(own))
        return alpha ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY;
    return alpha ? IMG_COLOR_RGBA : IMG_COLOR_RGB;
}

/* Returns true if the format has colours or alpha but fewer than 8 bits per sample. Such formats
 * are not supported. */
static bool is_too_shallow(ImgFormat format)
{
    return format.color != IMG_COLOR_GRAY && format.bits < 8;
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    ImgStatus status = img_channels_shape(src, own, dst, err);
    if (status == IMG_OK && own->extract != KEEP && !is_own(own))
        return img_fail(err, IMG_E_USAGE,
                        "channels: extract excludes the other options; leave them out");
    if (status == IMG_OK)
        dst->format = (ImgFormat){result_of(src.format, own), src.format.bits};
    if (status == IMG_OK && is_too_shallow(dst->format))
        dst->format.bits = 8;
    return status;
}

/* Returns the row of the matrix that computes a channel from `source`. In gray pictures, red, green
 * and blue are the gray channel. Pictures without alpha count as opaque. */
static ImgPointRow row_of(int32_t source, ImgFormat format)
{
    ImgPointRow row = {{0, 0, 0, 0}, 0};
    const int32_t alpha = img_format_channels(format) - 1;
    if (source == FULL || (source == ALPHA && !img_format_has_alpha(format)))
        row.offset = IMG_POINT_ONE;
    else if (source == ALPHA)
        row.weight[alpha] = IMG_POINT_ONE;
    else if (source != NONE)
        row.weight[img_point_colors(format) == 1 ? 0 : source] = IMG_POINT_ONE;
    return row;
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    const ImgColor color = result_of(points->format, own);
    if (is_too_shallow((ImgFormat){color, points->format.bits})) {
        ImgStatus status = img_points_depth(points, 8, err);
        if (status != IMG_OK)
            return status;
    }
    const ImgFormat format = points->format;
    const int32_t wanted[IMG_POINT_CHANNELS] = {own->red, own->green, own->blue};
    const int32_t colors = img_point_colors((ImgFormat){color, format.bits});
    ImgPointRow rows[IMG_POINT_CHANNELS];
    for (int32_t i = 0; i < colors; i++)
        rows[i] = row_of(own->extract != KEEP ? own->extract : wanted[i], format);
    if (img_format_has_alpha((ImgFormat){color, format.bits}))
        rows[colors] = row_of(own->alpha == KEEP ? (int32_t)ALPHA : own->alpha, format);
    return img_points_matrix(points, color, rows, err);
}

/* Returns true if the parameters only add an opaque alpha channel, so that the result looks like
 * the source. */
static bool looks_alike(ImgShape src, const void *params_of_call)
{
    const Params *own = params_of_call;
    return !img_format_has_alpha(src.format) && (own->alpha == FULL || own->alpha == KEEP) &&
           own->extract == KEEP && own->red == RED && own->green == GREEN && own->blue == BLUE;
}

const ImgOp img_op_channels = {
    .name = "channels",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Extract, swap, drop or add channels",
    .help = "--extract gives one channel as a gray picture; it cannot be combined with the other "
            "options. --red, --green and --blue choose the channel that becomes red, green or "
            "blue: '--red blue --blue red' swaps red and blue. --alpha drop removes alpha and "
            "keeps the colours; --alpha opaque adds "
            "alpha, or makes all pixels opaque.\n\n"
            "In a gray picture, red, green and blue all have the gray value, and the result is "
            "gray if all three become the same. A picture without alpha counts as opaque.",
    .example = "--red blue --blue red",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .points = {.stages = points},
    .effect = {.looks_alike = looks_alike},
    IMG_POINT_OPERATION,
};
