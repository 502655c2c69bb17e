/* quantize: maps the pixels of a picture to the entries of a palette. */
#include "kernels/quantize/quantize.h"

#include <string.h>

/* --- Shape ------------------------------------------------------------------------------------ */

static ImgStatus check_params(const ImgQuantizeParams *own, ImgError *err)
{
    if (own->quality.is_given != 0 && own->palette.path[0] != '\0')
        return img_fail(err, IMG_E_USAGE,
                        "quantize: palette and quality exclude each other; leave one out");
    return IMG_OK;
}

/* Checks the result of the measurement. */
static ImgStatus check_measured(const ImgQuantizeParams *own, ImgError *err)
{
    if (own->count < 0)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "quantize: %s has more than %d colours; reduce it first with quantize",
                        own->palette.path, own->bits > 0 ? 1 << own->bits : IMG_PALETTE_MAX);
    if (own->count > 0 && own->quality.is_given != 0 && own->reached < own->quality.from)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "quantize: %d colours reach a quality of %d, and at least %d is requested",
                        own->count, own->reached, own->quality.from);
    return IMG_OK;
}

/* Returns whether colours of the palette need an alpha channel. Before the measurement, returns
 * whether they may. So a result of colours equals a palette that was written and expanded. */
static bool needs_alpha(ImgShape src, const ImgQuantizeParams *own)
{
    if (own->count <= 0)
        return own->palette.path[0] != '\0' || img_format_has_alpha(src.format);
    for (int32_t i = 0; i < own->count; i++)
        if (own->entries[i] >> 24 < 255)
            return true;
    return false;
}

static ImgStatus shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    const ImgQuantizeParams *own = params;
    const bool is_given = own->palette.path[0] != '\0';
    ImgStatus status = check_params(own, err);
    if (status == IMG_OK)
        status = img_channels_shape(src, params, dst, err);
    if (status == IMG_OK)
        status = check_measured(own, err);
    if (status != IMG_OK)
        return status;
    const int32_t most = own->count > 0 ? own->count : is_given ? IMG_PALETTE_MAX : own->colors;
    dst->format =
        (ImgFormat){IMG_COLOR_PALETTE, own->bits > 0 ? own->bits : img_quantize_bits(most)};
    if (own->as_colors != 0)
        dst->format = (ImgFormat){needs_alpha(src, own) ? IMG_COLOR_RGBA : IMG_COLOR_RGB, 8};
    return IMG_OK;
}

/* --- The palette ------------------------------------------------------------------------------ */

static void take_measured(void *params, ImgShape src, const ImgView *table)
{
    ImgQuantizeParams *own = params;
    (void)src;
    own->count = own->reached = own->is_exact = 0;
    memset(own->entries, 0, sizeof own->entries);
    if (table == NULL)
        return;
    const uint64_t *measured = img_view_counts(table, 0);
    own->count =
        measured[IMG_PALETTE_COUNT] <= IMG_PALETTE_MAX ? (int32_t)measured[IMG_PALETTE_COUNT] : -1;
    own->reached = (int32_t)measured[IMG_PALETTE_REACHED];
    own->is_exact = (int32_t)measured[IMG_PALETTE_EXACT];
    for (int32_t i = 0; i < own->count; i++)
        own->entries[i] = (uint32_t)measured[IMG_PALETTE_ENTRIES + i];
}

static void choose(void *params, bool as_colors)
{
    ((ImgQuantizeParams *)params)->as_colors = as_colors ? 1 : 0;
}

static bool get_palette(const void *params, struct ImgPalette *palette)
{
    const ImgQuantizeParams *own = params;
    if (own->as_colors != 0 || own->count <= 0)
        return false;
    *palette = (ImgPalette){.count = own->count, .room = own->count};
    for (int32_t i = 0; i < own->count; i++)
        for (int c = 0; c < 4; c++)
            palette->colors[i][c] = (uint8_t)img_channel(own->entries[i], c);
    return true;
}

/* --- Constants -------------------------------------------------------------------------------- */

static uint32_t root(uint32_t square)
{
    uint32_t value = 0;
    for (uint32_t bit = 1U << 15; bit > 0; bit >>= 1)
        if ((value + bit) * (value + bit) <= square)
            value += bit;
    return value;
}

/* An offset moves all three channels, so its length is sqrt(3) times its size: half of the distance
 * is an offset of 74 / 256 of it. */
enum { OFFSET_OF_DISTANCE = 74, DISTANCE_UNIT = 256 };

static int32_t amplitude_of(const ImgQuantizeParams *own, int32_t entry)
{
    uint32_t nearest = UINT32_MAX;
    int16_t point[4], other[4];
    img_color_point(own->entries[entry], point);
    for (int32_t i = 0; i < own->count; i++) {
        img_color_point(own->entries[i], other);
        const uint32_t distance = img_color_distance(point, other);
        nearest = i != entry && distance < nearest ? distance : nearest;
    }
    if (own->count <= 1)
        return 0;
    const int32_t offset = (int32_t)(root(nearest) * OFFSET_OF_DISTANCE / DISTANCE_UNIT);
    return offset < IMG_OFFSET_MOST ? offset : IMG_OFFSET_MOST;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err)
{
    const ImgQuantizeParams *own = params;
    /* Before the measurement, the palette is one transparent entry. */
    const int32_t count = own->count > 0 ? own->count : 1;
    ImgQuantizeConstants made = {.dither = own->is_exact != 0 ? IMG_DITHER_NONE : own->dither,
                                 .entries = {.count = count}};
    (void)op, (void)src;
    memcpy(made.colors, own->entries, sizeof made.colors);
    for (int32_t i = 0; i < count; i++) {
        int16_t point[4];
        img_color_point(own->entries[i], point);
        img_color_entry_set(&made.entries, i, point);
    }
    img_color_entries_fill(&made.entries);
    for (int32_t i = 0; made.dither == IMG_DITHER_ORDERED && i < count; i++)
        made.amplitudes[i] = amplitude_of(own, i);
    return img_constants_copy(&made, sizeof made, constants, err);
}

/* --- The operation ---------------------------------------------------------------------------- */

/* Implements ImgOp.bands.part. Floyd-Steinberg dithering needs the errors of all rows above. */
static bool part(ImgShape src, const void *params, ImgRows wanted, ImgPart *part)
{
    (void)src;
    return ((const ImgQuantizeParams *)params)->dither != IMG_DITHER_FLOYD &&
           img_part_of_rows(wanted, wanted, part);
}

static bool looks_alike(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return true;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_quantize_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads; with dithering, each row follows the row above",
     .run = img_quantize_cpu},
    {.name = NULL},
};

const ImgOp img_op_quantize = {
    .name = "quantize",
    .group = IMG_GROUP_TONE,
    .synopsis = "Reduce the picture to a palette of few colours",
    .help =
        "Chooses the colours that differ least from the picture, and gives each pixel the index of "
        "one of them. Palettes take a half to a third of the bytes of RGB. A picture that has few "
        "enough colours stays exactly as it is. Alpha is part of a colour, so fades of alpha are "
        "kept. Samples of 16 bits are rounded to 8.\n\n"
        "Dithering mixes the colours of neighbouring pixels, so that gradients show no bands. "
        "Noise grows with it, and files are larger.\n\n"
        "A quality Q stands for a mean squared error of 1.3 * (100 - Q) per pixel and channel, "
        "on black and on white, in units of 8-bit levels, before dithering. 100 allows no error. "
        "With --quality 60-80, the palette has the fewest colours that reach 80; if all colours "
        "reach less than 60, nothing is written.\n\n"
        "The result has a palette if the steps after quantize only move pixels, such as crop and "
        "rotate. Before other steps its colours become RGB or RGBA again.",
    .example = "--colors 64",
    .params = img_quantize_params,
    .params_size = sizeof(ImgQuantizeParams),
    .shape = shape,
    .palette = {.choose = choose, .get = get_palette},
    .file = {.is_picture = true},
    .measured = {.by = &img_measure_palette, .take = take_measured},
    .cost = {.cpu_ns_per_byte = 10, .scratch = img_quantize_scratch},
    .effect = {.looks_alike = looks_alike},
    .constants = {.prepare = prepare},
    .bands = {.part = part},
    .impls = impls,
};
