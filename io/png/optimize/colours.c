#include "io/png/optimize/colours.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/metadata/profile.h"
#include "io/png/index/index.h"
#include "kernels/core/minmax.h"

enum { FRAME_BYTES = 12, ENTRY_BYTES = 3, PALETTE_BITS = 8, TYPES = 4 };

/* The chunks that this file converts, in the order of the file. */
static const char types[TYPES][5] = {"sBIT", "tRNS", "bKGD", "hIST"};
enum { SBIT, TRNS, BKGD, HIST };

static bool is_gray(ImgFormat format)
{
    return format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA;
}

/* Returns the number of samples of a colour without alpha, as tRNS and bKGD store it. */
static uint32_t colour_samples(ImgFormat format)
{
    return is_gray(format) ? 1 : 3;
}

/* Returns the number of values in sBIT. */
static uint32_t significant_values(ImgFormat format)
{
    return format.color == IMG_COLOR_PALETTE ? 3 : (uint32_t)img_format_channels(format);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void read_palette(const ImgMetadata *metadata, ImgFormat format, ImgColours *colours)
{
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    const bool has_alphas = trns != NULL && format.color == IMG_COLOR_PALETTE;
    colours->entries = metadata->palette_size;
    for (int i = 0; i < colours->entries; i++) {
        memcpy(colours->palette[i], metadata->palette[i], ENTRY_BYTES);
        colours->palette[i][IMG_COLOUR_ALPHA] =
            has_alphas && (uint32_t)i < trns->size ? trns->data[i] : IMG_OPAQUE;
    }
}

/* Reads the samples of a colour. Bits above the depth are ignored if `masks`. Returns false if the
 * chunk has another size, or a value that the depth cannot hold. */
static bool read_colour(const ImgChunk *chunk, ImgFormat format, bool masks, uint16_t colour[3])
{
    const uint32_t count = colour_samples(format), most = img_format_maximum(format);
    if (chunk == NULL || chunk->size != 2 * count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t value = img_get_be16(chunk->data + (size_t)2 * i);
        if (value > most && !masks)
            return false;
        colour[i] = (uint16_t)(value & most);
    }
    return true;
}

static bool read_background(const ImgMetadata *metadata, ImgFormat format, ImgColours *colours)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "bKGD");
    if (format.color != IMG_COLOR_PALETTE)
        return read_colour(chunk, format, false, colours->background);
    if (chunk == NULL || chunk->size != 1 || chunk->data[0] >= colours->entries)
        return false;
    colours->background[0] = chunk->data[0];
    return true;
}

static bool read_significant(const ImgMetadata *metadata, ImgFormat format, ImgColours *colours)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "sBIT");
    const int most = format.color == IMG_COLOR_PALETTE ? PALETTE_BITS : format.bits;
    if (chunk == NULL || chunk->size != significant_values(format))
        return false;
    for (uint32_t i = 0; i < chunk->size; i++) {
        if (chunk->data[i] == 0 || chunk->data[i] > most)
            return false;
        colours->significant[i] = chunk->data[i];
    }
    return true;
}

static bool read_histogram(const ImgMetadata *metadata, ImgColours *colours)
{
    const ImgChunk *chunk = img_metadata_find(metadata, "hIST");
    if (chunk == NULL || colours->entries == 0 || chunk->size != 2 * (uint32_t)colours->entries)
        return false;
    for (int i = 0; i < colours->entries; i++)
        colours->histogram[i] = (uint16_t)img_get_be16(chunk->data + (size_t)2 * (size_t)i);
    return true;
}

ImgColours img_colours_read(const ImgMetadata *metadata, ImgFormat format)
{
    ImgColours colours = {.entries = 0};
    const ImgChunk *profile = img_metadata_find(metadata, "iCCP");
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    colours.allows_gray = img_profile_fits(profile, IMG_COLOR_GRAY);
    colours.allows_rgb = img_profile_fits(profile, IMG_COLOR_RGB);
    if (!is_gray(format))
        read_palette(metadata, format, &colours);
    if (format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_RGB)
        colours.has_key = read_colour(trns, format, true, colours.key);
    colours.has_background = read_background(metadata, format, &colours);
    colours.has_significant = read_significant(metadata, format, &colours);
    colours.has_histogram = read_histogram(metadata, &colours);
    return colours;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static uint32_t put_colour(const uint16_t *colour, uint32_t samples, uint8_t *data)
{
    for (uint32_t i = 0; i < samples; i++) {
        data[2 * i] = (uint8_t)(colour[i] >> 8);
        data[2 * i + 1] = (uint8_t)colour[i];
    }
    return 2 * samples;
}

/* Writes the alpha values of the palette up to the last one that is not opaque. */
static uint32_t put_alphas(const ImgColours *colours, uint8_t *data)
{
    uint32_t size = colours->writes_alpha ? 1 : 0;
    for (int i = 0; i < colours->entries; i++) {
        data[i] = colours->palette[i][IMG_COLOUR_ALPHA];
        if (data[i] != IMG_OPAQUE)
            size = (uint32_t)i + 1;
    }
    return size;
}

/* Writes the data of the chunk types[type] and returns its size; 0: the picture has no such
 * chunk. */
static uint32_t put_chunk(const ImgColours *colours, ImgFormat format, int type, uint8_t *data)
{
    const bool is_palette = format.color == IMG_COLOR_PALETTE;
    const uint32_t samples = colour_samples(format);
    switch (type) {
    case SBIT:
        memcpy(data, colours->significant, IMG_COLOUR_CHANNELS);
        return colours->has_significant ? significant_values(format) : 0;
    case TRNS:
        if (is_palette)
            return put_alphas(colours, data);
        return colours->has_key ? put_colour(colours->key, samples, data) : 0;
    case BKGD:
        if (!colours->has_background)
            return 0;
        data[0] = (uint8_t)colours->background[0];
        return is_palette ? 1 : put_colour(colours->background, samples, data);
    default:
        return colours->has_histogram
                   ? put_colour(colours->histogram, (uint32_t)colours->entries, data)
                   : 0;
    }
}

enum { CHUNK_MOST = 2 * IMG_COLOURS_MAX };

/* Puts the data into the first chunk of this type, and removes all others of it. tRNS, bKGD and
 * hIST must follow PLTE, which the old picture may not have had. */
static ImgStatus set_chunk(ImgMetadata *metadata, int type, const uint8_t *data, uint32_t size,
                           ImgError *err)
{
    size_t kept = 0;
    bool done = size == 0;
    const ImgChunkPlace place = type == SBIT ? IMG_BEFORE_PLTE : IMG_BEFORE_IDAT;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        const bool is_old = strcmp(chunk.type, types[type]) == 0;
        if (is_old && (done || size > chunk.size)) {
            free(chunk.data);
            continue;
        }
        if (is_old) {
            memcpy(chunk.data, data, size);
            chunk.size = size;
            chunk.place = place;
            done = true;
        }
        metadata->chunks[kept++] = chunk;
    }
    metadata->count = kept;
    return done ? IMG_OK : img_metadata_add(metadata, types[type], place, data, size, err);
}

ImgStatus img_colours_write(const ImgColours *colours, ImgFormat format, ImgMetadata *metadata,
                            ImgError *err)
{
    uint8_t data[CHUNK_MOST];
    ImgStatus status = IMG_OK;
    metadata->palette_size = is_gray(format) ? 0 : colours->entries;
    for (int i = 0; i < metadata->palette_size; i++)
        memcpy(metadata->palette[i], colours->palette[i], ENTRY_BYTES);
    for (int i = 0; i < TYPES && status == IMG_OK; i++)
        status = set_chunk(metadata, i, data, put_chunk(colours, format, i, data), err);
    return status;
}

uint64_t img_colours_bytes(const ImgColours *colours, ImgFormat format)
{
    uint8_t data[CHUNK_MOST];
    const bool is_palette = format.color == IMG_COLOR_PALETTE;
    uint64_t bytes =
        is_palette ? (uint64_t)FRAME_BYTES + ENTRY_BYTES * (uint64_t)colours->entries : 0;
    for (int i = 0; i < TYPES; i++) {
        const uint32_t size = i == HIST ? 0 : put_chunk(colours, format, i, data);
        bytes += size > 0 ? size + FRAME_BYTES : 0;
    }
    return bytes;
}

void img_drop_stale_chunks(ImgMetadata *metadata)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const ImgChunk chunk = metadata->chunks[i];
        if (img_png_is_index(chunk.type) || strcmp(chunk.type, "caBX") == 0)
            free(chunk.data);
        else
            metadata->chunks[kept++] = chunk;
    }
    metadata->count = kept;
}
