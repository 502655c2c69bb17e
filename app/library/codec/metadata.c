/* Implements the metadata functions of imgtool.h. The caller sees the palette as one of the chunks,
 * at its position in the file. ImgMetadata stores it separately. */
#include "app/library/codec/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "io/metadata/metadata_follow.h"

enum { PALETTE_ENTRY = 3, PALETTE_MOST = 256 };

/* --- Creation and destruction ----------------------------------------------------------------- */

static imgtool_status create(imgtool_metadata **metadata, imgtool_error *error)
{
    *metadata = malloc(sizeof **metadata);
    if (*metadata == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for metadata");
    (*metadata)->own = IMG_METADATA_NONE;
    return IMGTOOL_OK;
}

static imgtool_status begin(imgtool_context *context, imgtool_metadata **metadata,
                            imgtool_error *error)
{
    if (metadata == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "metadata is NULL");
    *metadata = NULL;
    return img_lib_begin(context, error);
}

imgtool_status imgtool_metadata_create(imgtool_context *context, imgtool_metadata **metadata,
                                       imgtool_error *error)
{
    imgtool_status status = begin(context, metadata, error);
    return status == IMGTOOL_OK ? create(metadata, error) : status;
}

imgtool_status imgtool_metadata_copy(imgtool_context *context, const imgtool_metadata *from,
                                     imgtool_metadata **metadata, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = begin(context, metadata, error);
    if (status == IMGTOOL_OK && from == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "from is NULL");
    if (status == IMGTOOL_OK)
        status = create(metadata, error);
    if (status != IMGTOOL_OK)
        return status;
    ImgStatus copied = img_lib_metadata_copy(&from->own, &(*metadata)->own, &failure);
    if (copied != IMG_OK) {
        imgtool_metadata_destroy(*metadata);
        *metadata = NULL;
    }
    return img_lib_end(context, copied, &failure, error);
}

void imgtool_metadata_destroy(imgtool_metadata *metadata)
{
    if (metadata == NULL)
        return;
    img_metadata_free(&metadata->own);
    free(metadata);
}

ImgStatus img_lib_metadata_copy(const ImgMetadata *from, ImgMetadata *to, ImgError *err)
{
    *to = *from;
    to->chunks = NULL;
    to->count = to->capacity = 0;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < from->count && status == IMG_OK; i++) {
        const ImgChunk *chunk = &from->chunks[i];
        status = img_metadata_add(to, chunk->type, chunk->place, chunk->data, chunk->size, err);
    }
    if (status != IMG_OK)
        img_metadata_free(to);
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

size_t imgtool_metadata_count(const imgtool_metadata *metadata)
{
    if (metadata == NULL)
        return 0;
    return metadata->own.count + (metadata->own.palette_size > 0 ? 1 : 0);
}

/* Returns the index that the palette has in the caller's list: the number of chunks that come
 * before it in the file. These chunks are first in `own->chunks`. Uses a binary search, because a
 * caller that lists all chunks calls this once per chunk. */
static size_t palette_index(const ImgMetadata *own)
{
    size_t low = 0, high = own->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (own->chunks[middle].place == IMG_BEFORE_PLTE)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool imgtool_metadata_chunk(const imgtool_metadata *metadata, size_t index, imgtool_chunk *chunk)
{
    if (index >= imgtool_metadata_count(metadata) || chunk == NULL || chunk->size < sizeof *chunk)
        return false;
    const ImgMetadata *own = &metadata->own;
    imgtool_chunk found = {.size = sizeof found};
    const size_t palette = own->palette_size > 0 ? palette_index(own) : own->count;
    if (index == palette) {
        memcpy(found.type, "PLTE", sizeof "PLTE");
        found.data = own->palette;
        found.bytes = (size_t)own->palette_size * PALETTE_ENTRY;
    } else {
        const ImgChunk *at = &own->chunks[index - (index > palette ? 1 : 0)];
        memcpy(found.type, at->type, sizeof found.type);
        found.data = at->data;
        found.bytes = at->size;
    }
    img_lib_copy_struct(chunk, chunk->size, &found, sizeof found);
    return true;
}

int32_t imgtool_metadata_orientation(const imgtool_metadata *metadata)
{
    static const ImgLimits limits = {.max_text = IMG_DEFAULT_MAX_TEXT};
    ImgFacts facts = {0};
    if (metadata == NULL || img_metadata_facts(&metadata->own, &limits, &facts, NULL) != IMG_OK)
        return 0;
    return facts.orientation;
}

/* --- Changing --------------------------------------------------------------------------------- */

static bool is_in_list(const char *type, const char *const *types)
{
    while (*types != NULL && strcmp(type, *types) != 0)
        types++;
    return *types != NULL;
}

/* Returns the place in the file for a chunk of the type `type` (PNG specification, third edition,
 * section 5.6). A chunk that may be anywhere goes before the pixels, where readers find it
 * first. */
static ImgChunkPlace chunk_place(const char *type)
{
    static const char *const before_palette[] = {"cHRM", "cICP", "gAMA", "iCCP", "mDCV", "mDCv",
                                                 "cLLI", "cLLi", "sBIT", "sRGB", NULL};
    return is_in_list(type, before_palette) ? IMG_BEFORE_PLTE : IMG_BEFORE_IDAT;
}

static void drop_chunks(ImgMetadata *own, const char *type)
{
    size_t kept = 0;
    for (size_t i = 0; i < own->count; i++) {
        const ImgChunk chunk = own->chunks[i];
        if (strcmp(chunk.type, type) == 0)
            free(chunk.data);
        else
            own->chunks[kept++] = chunk;
    }
    own->count = kept;
}

/* Moves the chunk that was added last to the end of the chunks with the same place. */
static void move_to_place(ImgMetadata *own)
{
    const ImgChunk added = own->chunks[own->count - 1];
    size_t at = own->count - 1;
    for (; at > 0 && own->chunks[at - 1].place > added.place; at--)
        own->chunks[at] = own->chunks[at - 1];
    own->chunks[at] = added;
}

/* Moves tRNS, bKGD and hIST after the palette that is being added, because decoders ignore these
 * chunks if they precede the palette. In a file without a palette, all chunks are stored as
 * preceding it. */
static ImgStatus move_behind_palette(ImgMetadata *own, ImgError *err)
{
    static const char *const behind[] = {"tRNS", "bKGD", "hIST", NULL};
    const size_t before = palette_index(own);
    size_t kept = 0, moved = 0;
    ImgChunk *moving = malloc((before + 1) * sizeof *moving);
    if (moving == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for metadata");
    for (size_t i = 0; i < before; i++) {
        if (is_in_list(own->chunks[i].type, behind))
            moving[moved++] = own->chunks[i];
        else
            own->chunks[kept++] = own->chunks[i];
    }
    for (size_t i = 0; i < moved; i++) {
        own->chunks[kept + i] = moving[i];
        own->chunks[kept + i].place = IMG_BEFORE_IDAT;
    }
    free(moving);
    return IMG_OK;
}

static imgtool_status set_palette(ImgMetadata *own, const void *data, size_t bytes,
                                  imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    if (data != NULL &&
        (bytes == 0 || bytes % PALETTE_ENTRY != 0 || bytes > PALETTE_MOST * PALETTE_ENTRY))
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "PLTE: %zu bytes are not 1 to 256 colours of 3 bytes", bytes);
    if (data != NULL && move_behind_palette(own, &failure) != IMG_OK)
        return img_lib_end(NULL, failure.status, &failure, error);
    if (data != NULL)
        memmove(own->palette, data, bytes);
    own->palette_size = data != NULL ? (int)(bytes / PALETTE_ENTRY) : 0;
    return img_lib_end(NULL, IMG_OK, NULL, error);
}

static imgtool_status check_type(const char *type, imgtool_error *error)
{
    if (!img_lib_is_chunk_type(type))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "a chunk's type is four letters");
    if (type[0] < 'a')
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "%s is not an ancillary chunk: metadata cannot set it", type);
    return IMGTOOL_OK;
}

/* Rejects chunk types that PNG reserves. A file may contain a chunk of such a type, so
 * imgtool_metadata_set can remove it, but not add one. */
static imgtool_status check_reserved(const char *type, imgtool_error *error)
{
    if (type[2] < 'a')
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_USAGE,
                        "%s: PNG requires a capital third letter in a chunk's type", type);
}

/* Adds the new chunk before dropping the old ones, because `data` may point into an old one. */
static imgtool_status set_chunk(ImgMetadata *own, const char *type, const void *data, size_t bytes,
                                imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    if (bytes > INT32_MAX)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s: %zu bytes are too many for a chunk", type,
                            bytes);
    if (data == NULL) {
        drop_chunks(own, type);
        return img_lib_end(NULL, IMG_OK, NULL, error);
    }
    ImgStatus status =
        img_metadata_add(own, type, chunk_place(type), data, (uint32_t)bytes, &failure);
    if (status == IMG_OK) {
        const ImgChunk added = own->chunks[--own->count];
        drop_chunks(own, type);
        own->chunks[own->count++] = added;
        move_to_place(own);
    }
    return img_lib_end(NULL, status, &failure, error);
}

imgtool_status imgtool_metadata_set(imgtool_metadata *metadata, const char *type, const void *data,
                                    size_t bytes, imgtool_error *error)
{
    if (metadata == NULL || type == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "metadata or type is NULL");
    if (strcmp(type, "PLTE") == 0)
        return set_palette(&metadata->own, data, bytes, error);
    imgtool_status status = check_type(type, error);
    if (status == IMGTOOL_OK && data != NULL)
        status = check_reserved(type, error);
    return status == IMGTOOL_OK ? set_chunk(&metadata->own, type, data, bytes, error) : status;
}

imgtool_status imgtool_metadata_add_text(imgtool_metadata *metadata, const char *keyword,
                                         const char *text, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    uint8_t *data = NULL;
    uint32_t bytes = 0;
    if (metadata == NULL || keyword == NULL || text == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "metadata, keyword or text is NULL");
    ImgStatus status = img_lib_make_text(keyword, text, &data, &bytes, &failure);
    if (status == IMG_OK)
        status = img_metadata_add(&metadata->own, "iTXt", IMG_BEFORE_IDAT, data, bytes, &failure);
    if (status == IMG_OK)
        move_to_place(&metadata->own);
    free(data);
    return img_lib_end(NULL, status, &failure, error);
}
