/* Reductions of the alpha channel. */
#include <string.h>

#include "io/png/optimize/reduce.h"
#include "kernels/core/sample.h"

/* The channels of a picture with alpha: `colours` of them, then alpha. */
typedef struct Channels {
    int bits, colours;
    size_t count;
    uint32_t most; /* largest value of a sample */
} Channels;

static Channels channels_of(ImgFormat format)
{
    const bool is_gray = format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
    return (Channels){format.bits, is_gray ? 1 : 3, (size_t)img_format_channels(format),
                      img_format_maximum(format)};
}

static const uint8_t *row_of(const ImgView *view, int32_t y)
{
    return view->data + (size_t)y * view->stride;
}

static bool has_colour(const uint8_t *row, size_t pixel, const Channels *channels,
                       const uint16_t colour[3])
{
    for (int i = 0; i < channels->colours; i++)
        if (img_sample(row, pixel * channels->count + (size_t)i, channels->bits) != colour[i])
            return false;
    return true;
}

static ImgFormat without_alpha(ImgFormat format)
{
    return (ImgFormat){format.color == IMG_COLOR_RGBA ? IMG_COLOR_RGB : IMG_COLOR_GRAY,
                       format.bits};
}

/* Copies the colours of all pixels to a picture without alpha. */
static void copy_colours(const ImgView *from, const ImgView *to)
{
    const Channels channels = channels_of(from->format);
    const size_t bytes = (size_t)channels.colours * (size_t)channels.bits / 8;
    const size_t step = channels.count * (size_t)channels.bits / 8;
    for (int32_t y = 0; y < from->height; y++) {
        const uint8_t *source = row_of(from, y);
        uint8_t *row = to->data + (size_t)y * to->stride;
        for (int32_t x = 0; x < from->width; x++)
            memcpy(row + (size_t)x * bytes, source + (size_t)x * step, bytes);
    }
}

/* --- Opaque pictures -------------------------------------------------------------------------- */

static bool is_opaque(const ImgView *view)
{
    const Channels channels = channels_of(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = row_of(view, y);
        for (size_t x = 1; x <= (size_t)view->width; x++)
            if (img_sample(row, x * channels.count - 1, channels.bits) != channels.most)
                return false;
    }
    return true;
}

static bool is_key_used(const ImgReduced *picture)
{
    const Channels channels = channels_of(picture->view.format);
    for (int32_t y = 0; y < picture->view.height; y++) {
        const uint8_t *row = row_of(&picture->view, y);
        for (int32_t x = 0; x < picture->view.width; x++)
            if (has_colour(row, (size_t)x, &channels, picture->colours.key))
                return true;
    }
    return false;
}

static ImgStatus drop_key(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    ImgStatus status = img_reduced_begin(from, from->view.format, IMG_REDUCED_OPAQUE, to, err);
    if (status != IMG_OK)
        return status;
    img_view_copy(&from->view, &to->view);
    to->colours.has_key = false;
    return IMG_OK;
}

ImgStatus img_reduce_opaque(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    if (from->colours.has_key)
        return is_key_used(from) ? IMG_OK : drop_key(from, to, err);
    if (!img_format_has_alpha(format) || !is_opaque(&from->view))
        return IMG_OK;
    ImgStatus status = img_reduced_begin(from, without_alpha(format), IMG_REDUCED_OPAQUE, to, err);
    if (status == IMG_OK)
        copy_colours(&from->view, &to->view);
    return status;
}

/* --- A transparent colour --------------------------------------------------------------------- */

/* Finds the colour of the first pixel of alpha 0. Returns false if there is none, if a pixel is
 * translucent, or, unless `ignores`, if pixels of alpha 0 have several colours. */
static bool find_hidden(const ImgView *view, bool ignores, uint16_t colour[3])
{
    const Channels channels = channels_of(view->format);
    bool found = false;
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = row_of(view, y);
        for (size_t x = 0; x < (size_t)view->width; x++) {
            const size_t at = x * channels.count;
            const uint32_t alpha = img_sample(row, at + (size_t)channels.colours, channels.bits);
            if (alpha == channels.most)
                continue;
            if (alpha != 0 || (found && !ignores && !has_colour(row, x, &channels, colour)))
                return false;
            for (int i = 0; !found && i < channels.colours; i++)
                colour[i] = (uint16_t)img_sample(row, at + (size_t)i, channels.bits);
            found = true;
        }
    }
    return found;
}

static bool has_opaque_pixel(const ImgView *view, const uint16_t colour[3])
{
    const Channels channels = channels_of(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = row_of(view, y);
        for (size_t x = 0; x < (size_t)view->width; x++)
            if (img_sample(row, x * channels.count + (size_t)channels.colours, channels.bits) !=
                    0 &&
                has_colour(row, x, &channels, colour))
                return true;
    }
    return false;
}

/* Marks the values v of 8 bits, times `scale`, for which an opaque pixel has v in all channels. */
static void mark_grays(const ImgView *view, uint32_t scale, bool used[256])
{
    const Channels channels = channels_of(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = row_of(view, y);
        for (size_t x = 0; x < (size_t)view->width; x++) {
            const size_t at = x * channels.count;
            const uint16_t first = (uint16_t)img_sample(row, at, channels.bits);
            const uint16_t colour[3] = {first, first, first};
            if (first % scale == 0 &&
                img_sample(row, at + (size_t)channels.colours, channels.bits) != 0 &&
                has_colour(row, x, &channels, colour))
                used[first / scale] = true;
        }
    }
}

/* Chooses a gray value that no opaque pixel has. Prefers values that few bits can hold. */
static bool choose_key(const ImgView *view, uint16_t colour[3])
{
    static const uint32_t multiples[] = {255, 85, 17, 1};
    const uint32_t scale = view->format.bits == 16 ? 257 : 1;
    bool used[256] = {false};
    mark_grays(view, scale, used);
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++) {
        for (uint32_t value = 0; value <= 255; value += multiples[i]) {
            if (used[value])
                continue;
            colour[0] = colour[1] = colour[2] = (uint16_t)(value * scale);
            return true;
        }
    }
    return false;
}

/* Gives all pixels of alpha 0 the colour of the key. `from` is the picture with alpha. */
static void set_hidden(const ImgView *from, const ImgView *to, const uint16_t colour[3])
{
    const Channels channels = channels_of(from->format);
    for (int32_t y = 0; y < from->height; y++) {
        const uint8_t *source = row_of(from, y);
        uint8_t *row = to->data + (size_t)y * to->stride;
        for (size_t x = 0; x < (size_t)from->width; x++) {
            const size_t alpha = x * channels.count + (size_t)channels.colours;
            for (int i = 0; i < channels.colours && img_sample(source, alpha, channels.bits) == 0;
                 i++)
                img_sample_set(row, x * (size_t)channels.colours + (size_t)i, channels.bits,
                               colour[i]);
        }
    }
}

ImgStatus img_reduce_to_key(const ImgReduced *from, bool chooses, ImgReduced *to, ImgError *err)
{
    const ImgView *view = &from->view;
    uint16_t colour[3] = {0};
    if (!img_format_has_alpha(view->format) || !find_hidden(view, chooses, colour))
        return IMG_OK;
    if (chooses ? !choose_key(view, colour) : has_opaque_pixel(view, colour))
        return IMG_OK;
    ImgStatus status =
        img_reduced_begin(from, without_alpha(view->format), IMG_REDUCED_KEY, to, err);
    if (status != IMG_OK)
        return status;
    copy_colours(view, &to->view);
    if (chooses)
        set_hidden(view, &to->view, colour);
    to->colours.has_key = true;
    memcpy(to->colours.key, colour, sizeof colour);
    return IMG_OK;
}

/* Copies a row, and adds an alpha channel. */
static void add_alpha(const uint8_t *source, size_t width, const Channels *channels,
                      const uint16_t key[3], uint8_t *row)
{
    const size_t bytes = (size_t)channels->colours * (size_t)channels->bits / 8;
    const size_t step = bytes + (size_t)channels->bits / 8;
    for (size_t x = 0; x < width; x++) {
        memcpy(row + x * step, source + x * bytes, bytes);
        img_sample_set(row, (x + 1) * ((size_t)channels->colours + 1) - 1, channels->bits,
                       has_colour(source, x, channels, key) ? 0 : channels->most);
    }
}

ImgStatus img_reduce_key_to_alpha(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    const Channels channels = channels_of(format);
    if (!from->colours.has_key || format.bits < 8)
        return IMG_OK;
    const ImgFormat with_alpha = {
        format.color == IMG_COLOR_RGB ? IMG_COLOR_RGBA : IMG_COLOR_GRAY_ALPHA, format.bits};
    ImgStatus status = img_reduced_begin(from, with_alpha, 0, to, err);
    if (status != IMG_OK)
        return status;
    for (int32_t y = 0; y < from->view.height; y++)
        add_alpha(row_of(&from->view, y), (size_t)from->view.width, &channels, from->colours.key,
                  to->view.data + (size_t)y * to->view.stride);
    to->colours.has_key = false;
    to->colours.significant[channels.colours] = (uint8_t)format.bits;
    return IMG_OK;
}

/* --- Hidden colours --------------------------------------------------------------------------- */

/* Sets the colours of a row under alpha 0 to 0. Returns true if a sample changed. */
static bool clear_row(uint8_t *row, size_t width, const Channels *channels)
{
    static const uint16_t black[3] = {0, 0, 0};
    bool changes = false;
    for (size_t x = 0; x < width; x++) {
        const size_t at = x * channels->count;
        if (img_sample(row, at + (size_t)channels->colours, channels->bits) != 0 ||
            has_colour(row, x, channels, black))
            continue;
        for (int i = 0; i < channels->colours; i++)
            img_sample_set(row, at + (size_t)i, channels->bits, 0);
        changes = true;
    }
    return changes;
}

/* Clears the colours of palette entries of alpha 0. Returns true if one changed. */
static bool clear_entries(ImgColours *colours)
{
    bool changes = false;
    for (int i = 0; i < colours->entries; i++) {
        uint8_t *entry = colours->palette[i];
        const bool is_background = colours->has_background && colours->background[0] == i;
        if (entry[IMG_COLOUR_ALPHA] != 0 || is_background ||
            (entry[0] == 0 && entry[1] == 0 && entry[2] == 0))
            continue;
        entry[0] = entry[1] = entry[2] = 0;
        changes = true;
    }
    return changes;
}

ImgStatus img_reduce_hidden(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    const bool is_palette = format.color == IMG_COLOR_PALETTE;
    const Channels channels = channels_of(format);
    bool changes = false;
    if (!is_palette && !img_format_has_alpha(format))
        return IMG_OK;
    ImgStatus status = img_reduced_begin(from, format, IMG_REDUCED_HIDDEN, to, err);
    if (status != IMG_OK)
        return status;
    img_view_copy(&from->view, &to->view);
    if (is_palette)
        changes = clear_entries(&to->colours);
    for (int32_t y = 0; !is_palette && y < to->view.height; y++)
        changes |= clear_row(to->view.data + (size_t)y * to->view.stride, (size_t)to->view.width,
                             &channels);
    if (!changes)
        img_reduced_free(to);
    return IMG_OK;
}
