/* palette: measures the colours of a picture and makes a palette of them. The operation quantize
 * maps the pixels to its entries. */
#include "kernels/quantize/quantize.h"

static const ImgChoice dithers[] = {{"none", IMG_DITHER_NONE},
                                    {"floyd-steinberg", IMG_DITHER_FLOYD},
                                    {"ordered", IMG_DITHER_ORDERED},
                                    {NULL, 0}};
static const ImgChoice depths[] = {{"auto", 0}, {"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {NULL, 0}};

const ImgParam img_quantize_params[] = {
    {.name = "colors",
     .type = IMG_PARAM_INT,
     .offset = offsetof(ImgQuantizeParams, colors),
     .default_value = "256",
     .min = 2,
     .max = IMG_PALETTE_MAX,
     .help = "largest number of colours"},
    {.name = "dither",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgQuantizeParams, dither),
     .default_value = "floyd-steinberg",
     .choices = dithers,
     .help = "none: the nearest colour for each pixel; floyd-steinberg: errors go to neighbours; "
             "ordered: a regular pattern"},
    {.name = "quality",
     .type = IMG_PARAM_RANGE,
     .offset = offsetof(ImgQuantizeParams, quality),
     .default_value = "",
     .min = 0,
     .max = 100,
     .help = "use the fewest colours that reach quality MAX; fail below MIN"},
    {.name = "palette",
     .type = IMG_PARAM_FILE,
     .offset = offsetof(ImgQuantizeParams, palette),
     .default_value = "",
     .help = "PNG file whose colours, at most 256, are the palette"},
    {.name = "bits",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgQuantizeParams, bits),
     .default_value = "auto",
     .choices = depths,
     .help = "bits per pixel; limits the number of colours; auto: as few as the colours need"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    const ImgStatus status = img_channels_shape(src, params, dst, err);
    return status == IMG_OK ? img_measure_shape("palette", src, IMG_PALETTE_COLUMNS, 1, dst, err)
                            : status;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C; the colours are sorted",
     .run = img_palette_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, each with a hash table",
     .run = img_palette_cpu,
     .by_rows = &img_palette_by_rows},
    {.name = NULL},
};

const ImgOp img_measure_palette = {
    .name = "palette",
    .synopsis = "Make a palette of a picture's colours",
    .help = "Gives one row of numbers: how many entries there are, the quality that they reach, "
            "and the entries, as quantize needs them.",
    .example = "",
    .params = img_quantize_params,
    .params_size = sizeof(ImgQuantizeParams),
    .shape = shape,
    .file = {.is_picture = true},
    .cost = {.cpu_ns_per_byte = 5, .traffic = img_measure_traffic, .scratch = img_palette_scratch},
    .effect = {.get = img_measure_effect},
    .impls = impls,
};
