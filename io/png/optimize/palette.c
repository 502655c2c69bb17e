/* Conversion to palette indices and back, and palettes with fewer entries. */
#include <string.h>

#include "io/png/optimize/palette_map.h"
#include "kernels/core/minmax.h"

/* --- A set of colours ------------------------------------------------------------------------- */

enum { SLOTS = 1024, PRIME = 0x9E3779B1 /* multiplicative hashing by the golden ratio */ };

/* Colours of RGBA in a hash table of open addressing. A slot holds 1 plus an index, or 0. */
typedef struct Colours {
    uint16_t slots[SLOTS];
    uint8_t (*entries)[IMG_COLOUR_CHANNELS];
    int count;
} Colours;

/* Returns the index of a colour, which is added if it is new; -1: there is no room. */
static int colour_index(Colours *colours, const uint8_t colour[IMG_COLOUR_CHANNELS])
{
    uint32_t word;
    memcpy(&word, colour, sizeof word);
    uint32_t slot = word * (uint32_t)PRIME >> 22;
    for (; colours->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const int index = colours->slots[slot] - 1;
        if (memcmp(colours->entries[index], colour, IMG_COLOUR_CHANNELS) == 0)
            return index;
    }
    if (colours->count == IMG_COLOURS_MAX)
        return -1;
    memcpy(colours->entries[colours->count], colour, IMG_COLOUR_CHANNELS);
    colours->slots[slot] = (uint16_t)++colours->count;
    return colours->count - 1;
}

/* --- Pixels to indices ------------------------------------------------------------------------ */

/* Converts pixel number `x` of a row of at most 8 bits, which has no palette, to RGBA. */
static void get_rgba(const ImgReduced *picture, const uint8_t *row, size_t x,
                     uint8_t rgba[IMG_COLOUR_CHANNELS])
{
    const ImgFormat format = picture->view.format;
    const ImgColours *colours = &picture->colours;
    const size_t channels = (size_t)img_format_channels(format);
    const uint8_t *pixel = row + x * channels;
    const uint8_t scale = (uint8_t)(IMG_OPAQUE / img_format_maximum(format));
    const bool is_gray = channels < 3;
    const bool is_key = colours->has_key && pixel[0] == colours->key[0] &&
                        (is_gray || (pixel[1] == colours->key[1] && pixel[2] == colours->key[2]));
    rgba[0] = (uint8_t)(pixel[0] * scale);
    rgba[1] = is_gray ? rgba[0] : pixel[1];
    rgba[2] = is_gray ? rgba[0] : pixel[2];
    rgba[IMG_COLOUR_ALPHA] = img_format_has_alpha(format) ? pixel[channels - 1]
                             : is_key                     ? 0
                                                          : IMG_OPAQUE;
}

static bool collect(const ImgReduced *picture, Colours *colours)
{
    uint8_t rgba[IMG_COLOUR_CHANNELS];
    for (int32_t y = 0; y < picture->view.height; y++) {
        const uint8_t *row = picture->view.data + (size_t)y * picture->view.stride;
        for (size_t x = 0; x < (size_t)picture->view.width; x++) {
            get_rgba(picture, row, x, rgba);
            if (colour_index(colours, rgba) < 0)
                return false;
        }
    }
    return true;
}

/* Finds an entry for the background, whose alpha does not matter. Adds one if there is none. */
static bool convert_background(const ImgReduced *picture, Colours *colours, ImgColours *result)
{
    if (!result->has_background)
        return true;
    const ImgFormat format = picture->view.format;
    const bool is_gray = img_format_channels(format) < 3;
    const uint32_t scale = IMG_OPAQUE / img_format_maximum(format);
    uint8_t rgba[IMG_COLOUR_CHANNELS] = {0, 0, 0, IMG_OPAQUE};
    for (int i = 0; i < 3; i++)
        rgba[i] = (uint8_t)(result->background[is_gray ? 0 : i] * scale);
    for (int i = 0; i < colours->count; i++) {
        if (memcmp(colours->entries[i], rgba, IMG_COLOUR_ALPHA) == 0) {
            result->background[0] = (uint16_t)i;
            return true;
        }
    }
    const int index = colour_index(colours, rgba);
    result->background[0] = (uint16_t)index;
    return index >= 0;
}

static void convert_significant(ImgFormat format, ImgColours *colours)
{
    uint8_t *bits = colours->significant;
    if (img_format_channels(format) < 3)
        bits[1] = bits[2] = bits[0];
}

static void put_indices(const ImgReduced *from, Colours *colours, const ImgView *to)
{
    uint8_t rgba[IMG_COLOUR_CHANNELS];
    for (int32_t y = 0; y < to->height; y++) {
        const uint8_t *source = from->view.data + (size_t)y * from->view.stride;
        uint8_t *row = to->data + (size_t)y * to->stride;
        for (size_t x = 0; x < (size_t)to->width; x++) {
            get_rgba(from, source, x, rgba);
            row[x] = (uint8_t)colour_index(colours, rgba);
        }
    }
}

ImgStatus img_reduce_to_palette(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    ImgColours result = from->colours;
    Colours colours = {.entries = result.palette};
    if (format.color == IMG_COLOR_PALETTE || format.bits > 8 || !result.allows_rgb)
        return IMG_OK;
    if (!collect(from, &colours) || !convert_background(from, &colours, &result))
        return IMG_OK;
    const ImgFormat indices = {IMG_COLOR_PALETTE, img_palette_bits(colours.count)};
    ImgStatus status = img_reduced_begin(from, indices, IMG_REDUCED_PALETTE, to, err);
    if (status != IMG_OK)
        return status;
    put_indices(from, &colours, &to->view);
    convert_significant(format, &result);
    result.entries = colours.count;
    result.has_key = result.has_histogram = false;
    to->colours = result;
    return IMG_OK;
}

/* --- Fewer entries ---------------------------------------------------------------------------- */

bool img_palette_count(const ImgReduced *picture, uint64_t counts[IMG_COLOURS_MAX])
{
    memset(counts, 0, IMG_COLOURS_MAX * sizeof *counts);
    for (int32_t y = 0; y < picture->view.height; y++) {
        const uint8_t *row = picture->view.data + (size_t)y * picture->view.stride;
        for (size_t x = 0; x < (size_t)picture->view.width; x++)
            counts[row[x]]++;
    }
    for (int i = picture->colours.entries; i < IMG_COLOURS_MAX; i++)
        if (counts[i] > 0)
            return false;
    return true;
}

int img_palette_bits(int entries)
{
    return entries <= 2 ? 1 : entries <= 4 ? 2 : entries <= 16 ? 4 : 8;
}

static void map_colours(const ImgColours *from, const ImgPaletteMap *map, ImgColours *to)
{
    to->entries = map->entries;
    memset(to->histogram, 0, sizeof to->histogram);
    for (int i = from->entries - 1; i >= 0; i--) {
        if (!map->stays[i])
            continue;
        const uint8_t index = map->to[i];
        memcpy(to->palette[index], from->palette[i], IMG_COLOUR_CHANNELS);
        to->histogram[index] =
            (uint16_t)img_min32(UINT16_MAX, to->histogram[index] + from->histogram[i]);
    }
    if (to->has_background)
        to->background[0] = map->to[from->background[0]];
}

ImgStatus img_palette_apply(const ImgReduced *from, const ImgPaletteMap *map, int bits,
                            unsigned done, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = {IMG_COLOR_PALETTE, bits};
    ImgStatus status = img_reduced_begin(from, format, done, to, err);
    if (status != IMG_OK)
        return status;
    for (int32_t y = 0; y < to->view.height; y++) {
        const uint8_t *source = from->view.data + (size_t)y * from->view.stride;
        uint8_t *row = to->view.data + (size_t)y * to->view.stride;
        for (int32_t x = 0; x < to->view.width; x++)
            row[x] = map->to[source[x]];
    }
    map_colours(&from->colours, map, &to->colours);
    return IMG_OK;
}

/* Numbers the entries that stay. With `merges`, an entry equal to an earlier one gets its number.
 */
static void number_entries(const ImgColours *colours, const uint64_t *counts, bool merges,
                           ImgPaletteMap *map)
{
    for (int i = 0; i < colours->entries; i++) {
        map->stays[i] = counts[i] > 0 || (colours->has_background && colours->background[0] == i);
        int same = i;
        for (int j = 0; merges && same == i && j < i; j++)
            if (map->stays[j] &&
                memcmp(colours->palette[j], colours->palette[i], IMG_COLOUR_CHANNELS) == 0)
                same = j;
        if (map->stays[i])
            map->to[i] = same < i ? map->to[same] : (uint8_t)map->entries++;
    }
}

ImgStatus img_reduce_entries(const ImgReduced *from, bool merges, bool narrows, ImgReduced *to,
                             ImgError *err)
{
    uint64_t counts[IMG_COLOURS_MAX];
    ImgPaletteMap map = {.entries = 0};
    if (from->view.format.color != IMG_COLOR_PALETTE || !img_palette_count(from, counts))
        return IMG_OK;
    number_entries(&from->colours, counts, merges, &map);
    const int old = from->view.format.bits, bits = narrows ? img_palette_bits(map.entries) : old;
    if (map.entries == from->colours.entries && bits == old)
        return IMG_OK;
    return img_palette_apply(from, &map, bits, IMG_REDUCED_ENTRIES, to, err);
}

/* --- Indices to pixels ------------------------------------------------------------------------ */

bool img_palette_is_gray(const ImgReduced *picture)
{
    const ImgColours *colours = &picture->colours;
    for (int i = 0; i < colours->entries; i++) {
        const uint8_t *entry = colours->palette[i];
        if (entry[0] != entry[1] || entry[0] != entry[2])
            return false;
    }
    return colours->entries > 0;
}

static bool is_opaque(const ImgColours *colours)
{
    for (int i = 0; i < colours->entries; i++)
        if (colours->palette[i][IMG_COLOUR_ALPHA] != IMG_OPAQUE)
            return false;
    return true;
}

static void expand_colours(const ImgColours *from, ImgColours *to)
{
    to->entries = 0;
    to->has_histogram = false;
    to->significant[IMG_COLOUR_ALPHA] = 8;
    for (int i = 0; to->has_background && i < 3; i++)
        to->background[i] = from->palette[from->background[0]][i];
}

ImgStatus img_reduce_expand(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    uint64_t counts[IMG_COLOURS_MAX];
    const ImgColours *colours = &from->colours;
    if (from->view.format.color != IMG_COLOR_PALETTE || !img_palette_count(from, counts) ||
        !colours->allows_rgb)
        return IMG_OK;
    const bool opaque = is_opaque(colours) && !colours->writes_alpha;
    const ImgFormat format = {opaque ? IMG_COLOR_RGB : IMG_COLOR_RGBA, 8};
    ImgStatus status = img_reduced_begin(from, format, IMG_REDUCED_EXPANDED, to, err);
    if (status != IMG_OK)
        return status;
    const size_t size = img_format_pixel_size(format);
    for (int32_t y = 0; y < to->view.height; y++) {
        const uint8_t *source = from->view.data + (size_t)y * from->view.stride;
        uint8_t *row = to->view.data + (size_t)y * to->view.stride;
        for (size_t x = 0; x < (size_t)to->view.width; x++)
            memcpy(row + x * size, colours->palette[source[x]], size);
    }
    expand_colours(colours, &to->colours);
    return IMG_OK;
}
