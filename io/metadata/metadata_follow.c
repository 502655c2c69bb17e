/* How each chunk follows a picture that was turned, cropped or given other values. Chunks that are
 * not in the table follow their safe-to-copy bit (PNG specification, third edition, section 5.4).
 */
#include "io/metadata/metadata_follow.h"

#include <stdlib.h>
#include <string.h>

#include "io/metadata/orientation.h"

typedef enum Rule {
    KEEP,
    DROP,                      /* says something about the file that is no longer so */
    DROP_IF_MOVED,             /* places the picture, or its halves, on a larger ground */
    DROP_IF_VALUES_CHANGED,    /* speaks of the values that samples have */
    DROP_IF_HISTOGRAM_CHANGED, /* counts pixels by their colours */
    DROP_IF_TO_GRAY,           /* its form is that of a picture with colour */
    DROP_IF_FORM_CHANGED,      /* a sample of the picture's own form */
    SWAP_AXES,
} Rule;

static const struct {
    char type[5];
    Rule rule;
} RULES[] = {
    {"tRNS", KEEP},
    {"gAMA", KEEP},
    {"cHRM", KEEP},
    {"sRGB", KEEP},
    {"iCCP", DROP_IF_TO_GRAY}, /* a profile of RGB: gray asks for one of gray */
    {"cICP", KEEP},
    {"mDCV", KEEP},
    {"mDCv", KEEP}, /* and cLLi: names in drafts of the third edition */
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
    {"pHYs", SWAP_AXES},
    {"sCAL", SWAP_AXES},
    {"hIST", DROP_IF_HISTOGRAM_CHANGED},
    {"oFFs", DROP_IF_MOVED},
    {"sTER", DROP_IF_MOVED},
    {"caNv", DROP_IF_MOVED},
    {"vpAg", DROP_IF_MOVED},
    {"dSIG", DROP}, /* signs the very bytes of the old file */
    {"maRK", DROP}, /* say where parts of the old file's stream start: png/index.h */
    {"mARK", DROP},
    {"iDOT", DROP},
    {"blKS", DROP}, /* and where its blocks do: png/block_index.h */
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

static bool stays(const char *type, const ImgEffect *effect)
{
    switch (rule_of(type)) {
    case DROP:
        return false;
    case DROP_IF_HISTOGRAM_CHANGED:
        return !effect->cropped && !effect->values_changed;
    case DROP_IF_VALUES_CHANGED:
        return !effect->values_changed;
    case DROP_IF_TO_GRAY:
        return !effect->to_gray;
    case DROP_IF_FORM_CHANGED:
        return !effect->to_gray && !effect->depth_changed;
    case DROP_IF_MOVED:
        return !effect->cropped && effect->turn == IMG_TURN_NONE;
    case KEEP:
    case SWAP_AXES:
        break;
    }
    return true;
}

/* Pixels per unit in x and in y, then the unit. */
static void swap_phys(ImgChunk *chunk)
{
    uint8_t x[4];
    if (chunk->size != 9)
        return;
    memcpy(x, chunk->data, 4);
    memmove(chunk->data, chunk->data + 4, 4);
    memcpy(chunk->data + 4, x, 4);
}

/* The unit, then width and height of a pixel as text, with a zero between them. */
static ImgStatus swap_scal(ImgChunk *chunk, ImgError *err)
{
    const uint8_t *zero = chunk->size < 1 ? NULL : memchr(chunk->data + 1, 0, chunk->size - 1);
    if (zero == NULL)
        return IMG_OK; /* damaged: as it was */
    size_t width = (size_t)(zero - chunk->data) - 1, height = chunk->size - width - 2;
    uint8_t *data = malloc(chunk->size);
    if (data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    data[0] = chunk->data[0];
    memcpy(data + 1, zero + 1, height);
    data[1 + height] = 0;
    memcpy(data + 2 + height, chunk->data + 1, width);
    free(chunk->data);
    chunk->data = data;
    return IMG_OK;
}

static ImgStatus swap_axes(ImgChunk *chunk, ImgError *err)
{
    if (strcmp(chunk->type, "sCAL") == 0)
        return swap_scal(chunk, err);
    swap_phys(chunk);
    return IMG_OK;
}

static void drop_chunks(ImgMetadata *metadata, const ImgEffect *effect)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        metadata->chunks[i].data = NULL;
        if (stays(chunk.type, effect))
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

ImgStatus img_metadata_follow(ImgMetadata *metadata, const ImgEffect *effect,
                              const ImgLimits *limits, ImgError *err)
{
    drop_chunks(metadata, effect);
    if (effect->values_changed)
        metadata->palette_size = 0; /* of colours to show the picture with, if it had one */
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        if (img_turn_swaps(effect->turn) && rule_of(chunk->type) == SWAP_AXES)
            status = swap_axes(chunk, err);
    }
    if (status == IMG_OK && effect->upright)
        status = img_orientation_reset(metadata, limits->max_text, err);
    return status;
}
