/* Adapts each chunk after a picture was turned, cropped or scaled, or its samples were changed. A
 * table has the rules for known chunks. Other chunks are kept or removed by their safe-to-copy bit
 * (PNG specification, third edition, section 5.4). */
#include "io/metadata/metadata_follow.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/metadata/exif.h"
#include "io/metadata/metadata.h"
#include "io/metadata/resolution.h"

typedef enum Rule {
    KEEP,
    DROP, /* chunks that are valid only for the old file */
    /* Chunks that state the position of the picture on a larger canvas, or that its halves are a
     * stereo pair. */
    DROP_IF_MOVED,
    DROP_IF_VALUES_CHANGED,    /* chunks that describe the values of samples */
    DROP_IF_HISTOGRAM_CHANGED, /* chunks that count pixels by colour */
    DROP_IF_COLORS_CHANGED,    /* chunks with one form for gray pictures and another for colour */
    DROP_IF_FORM_CHANGED,      /* chunks that contain a sample in the format of the picture */
    FOLLOW_AXES,               /* chunks that state pixels per unit for each axis */
    /* Chunks that state the size of a pixel. They are removed if the picture is scaled and the size
     * cannot be read. */
    FOLLOW_SIZE,
} Rule;

static const struct {
    char type[5];
    Rule rule;
} RULES[] = {
    {"tRNS", KEEP},
    {"gAMA", KEEP},
    {"cHRM", KEEP},
    {"sRGB", KEEP},
    /* Gray pictures need a gray profile, other pictures an RGB profile. */
    {"iCCP", DROP_IF_COLORS_CHANGED},
    {"cICP", KEEP},
    {"mDCV", KEEP},
    {"mDCv", KEEP}, /* drafts of the third edition use mDCv and cLLi for mDCV and cLLI */
    {"cLLI", DROP_IF_VALUES_CHANGED},
    {"cLLi", DROP_IF_VALUES_CHANGED},
    {"sBIT", DROP_IF_VALUES_CHANGED},
    {"bKGD", DROP_IF_FORM_CHANGED},
    {"pCAL", DROP_IF_VALUES_CHANGED},
    {"sPLT", DROP_IF_VALUES_CHANGED},
    {"tEXt", KEEP},
    {"zTXt", KEEP},
    {"iTXt", KEEP},
    {"tIME", KEEP},
    {"eXIf", KEEP},
    {"pHYs", FOLLOW_AXES},
    {"sCAL", FOLLOW_SIZE},
    {"hIST", DROP_IF_HISTOGRAM_CHANGED},
    {"oFFs", DROP_IF_MOVED},
    {"sTER", DROP_IF_MOVED},
    {"caNv", DROP_IF_MOVED},
    {"vpAg", DROP_IF_MOVED},
    {"dSIG", DROP}, /* a signature of the exact bytes of the old file */
    {"maRK", DROP}, /* index of strips in the old IDAT data (png/index/index.h) */
    {"mARK", DROP},
    {"iDOT", DROP},
    /* Index of deflate blocks in the old IDAT data (png/index/block_index.h). */
    {"blKS", DROP},
};

static Rule rule_of(const char *type)
{
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++) {
        if (strcmp(RULES[i].type, type) == 0)
            return RULES[i].rule;
    }
    bool safe_to_copy = type[3] >= 'a';
    return safe_to_copy ? KEEP : DROP;
}

/* Returns true if the effect scales the picture. In ImgEffect a scale of 0 means 1: not scaled. */
static bool is_scaled(const ImgEffect *effect)
{
    return (effect->scale_x > 0 && effect->scale_x != 1) ||
           (effect->scale_y > 0 && effect->scale_y != 1);
}

static bool stays(const ImgChunk *chunk, const ImgEffect *effect)
{
    double width, height;
    switch (rule_of(chunk->type)) {
    case DROP:
        return false;
    case DROP_IF_HISTOGRAM_CHANGED:
        return !effect->cropped && !effect->values_changed;
    case DROP_IF_VALUES_CHANGED:
        return !effect->values_changed;
    case DROP_IF_COLORS_CHANGED:
        return !effect->to_gray && !effect->to_color;
    case DROP_IF_FORM_CHANGED:
        return !effect->to_gray && !effect->to_color && !effect->depth_changed;
    case DROP_IF_MOVED:
        return !effect->cropped && effect->turn == IMG_TURN_NONE;
    case FOLLOW_SIZE:
        return !is_scaled(effect) || img_scal_read(chunk, &width, &height);
    case KEEP:
    case FOLLOW_AXES:
        break;
    }
    return true;
}

static void scale_number(uint8_t *bytes, double factor)
{
    const uint32_t number = img_get_be32(bytes);
    const double scaled = (double)number * (factor > 0 ? factor : 1) + 0.5;
    uint32_t result = scaled < INT32_MAX ? (uint32_t)scaled : INT32_MAX;
    result = result > 0 || number == 0 ? result : 1;
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(result >> (24 - 8 * i));
}

static double number_of(const uint8_t *bytes)
{
    return img_get_be32(bytes);
}

/* Adapts a unitless pHYs. Its two numbers are the aspect ratio of a pixel, which changes only if
 * the axes are scaled by different factors. */
static void follow_ratio(uint8_t *numbers, const ImgEffect *effect)
{
    const double large = 1e6;
    const double scale_x = effect->scale_x > 0 ? effect->scale_x : 1;
    const double scale_y = effect->scale_y > 0 ? effect->scale_y : 1;
    if (!effect->reshaped || scale_x == scale_y)
        return;
    const double x = number_of(numbers) * scale_x, y = number_of(numbers + 4) * scale_y;
    const double factor = large / (x > y ? x : y);
    if (x > 0 && y > 0) {
        scale_number(numbers, scale_x * factor);
        scale_number(numbers + 4, scale_y * factor);
    }
}

/* Adapts pHYs: pixels per unit in x and in y, then the unit. A resolution states how to print the
 * picture, so scaling does not change it. Scaling changes only a unitless ratio. A quarter turn
 * swaps the two numbers. */
static void follow_phys(ImgChunk *chunk, const ImgEffect *effect)
{
    uint8_t x[4];
    if (chunk->size != 9)
        return;
    if (is_scaled(effect) && chunk->data[8] == 0)
        follow_ratio(chunk->data, effect);
    if (!img_turn_swaps(effect->turn))
        return;
    memcpy(x, chunk->data, 4);
    memmove(chunk->data, chunk->data + 4, 4);
    memcpy(chunk->data + 4, x, 4);
}

/* Adapts sCAL. After shrinking, fewer pixels show the same subject, so each pixel covers a larger
 * part of the subject. */
static ImgStatus follow_scal(ImgChunk *chunk, const ImgEffect *effect, ImgError *err)
{
    double width, height;
    ImgStatus status = IMG_OK;
    if (is_scaled(effect) && img_scal_read(chunk, &width, &height))
        status = img_scal_write(chunk, width / (effect->scale_x > 0 ? effect->scale_x : 1),
                                height / (effect->scale_y > 0 ? effect->scale_y : 1), err);
    if (status == IMG_OK && img_turn_swaps(effect->turn))
        status = img_scal_swap(chunk, err);
    return status;
}

static void drop_chunks(ImgMetadata *metadata, const ImgEffect *effect)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        metadata->chunks[i].data = NULL;
        if (stays(&chunk, effect))
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
}

ImgStatus img_metadata_facts(const ImgMetadata *metadata, const ImgLimits *limits, ImgFacts *facts,
                             ImgError *err)
{
    *facts = (ImgFacts){0};
    return img_orientation_read(metadata, limits->max_text, &facts->orientation, err);
}

static ImgStatus follow_thumbnails(ImgMetadata *metadata, const ImgEffect *effect, ImgError *err)
{
    const bool must_hide = effect->cropped || effect->looks_changed;
    if (!must_hide && effect->turn == IMG_TURN_NONE)
        return IMG_OK;
    return img_exif_thumbnails_drop(metadata, must_hide, err);
}

ImgStatus img_metadata_follow(ImgMetadata *metadata, const ImgEffect *effect,
                              const ImgLimits *limits, ImgError *err)
{
    drop_chunks(metadata, effect);
    if (effect->values_changed)
        metadata->palette_size = 0; /* drops PLTE, which is only a suggested palette here */
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        if (rule_of(chunk->type) == FOLLOW_AXES)
            follow_phys(chunk, effect);
        if (rule_of(chunk->type) == FOLLOW_SIZE)
            status = follow_scal(chunk, effect, err);
    }
    if (status == IMG_OK)
        status = follow_thumbnails(metadata, effect, err);
    if (status == IMG_OK && img_turn_swaps(effect->turn))
        img_resolution_swap(metadata);
    if (status == IMG_OK && effect->upright)
        status = img_orientation_reset(metadata, limits->max_text, err);
    return status;
}

void img_metadata_fit_channels(ImgMetadata *metadata, ImgFormat result)
{
    enum { OF_PALETTE = 3 };
    const ImgChunk *chunk = img_metadata_find(metadata, "sBIT");
    const int entries =
        result.color == IMG_COLOR_PALETTE ? OF_PALETTE : img_format_channels(result);
    if (chunk != NULL && chunk->size != (uint32_t)entries)
        img_metadata_drop(metadata, "sBIT");
}
