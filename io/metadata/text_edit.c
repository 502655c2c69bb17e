/* Edits the text of text chunks. A text that is not compressed is edited in place, without a
 * copy. */
#include "io/metadata/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Compresses `bytes` and stores the result as the text of the chunk. */
static ImgStatus pack_again(ImgChunk *chunk, const ImgText *text, const uint8_t *bytes, size_t size,
                            ImgError *err)
{
    uLongf packed = compressBound(size);
    if (packed > INT32_MAX - text->head)
        return img_fail(err, IMG_E_LIMIT, "a text is too large for a chunk");
    uint8_t *data = malloc(text->head + packed + 1);
    if (data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for text");
    memcpy(data, chunk->data, text->head);
    if (compress2(data + text->head, &packed, bytes, size, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(data);
        return img_fail(err, IMG_E_MEMORY, "no memory for text");
    }
    free(chunk->data);
    chunk->data = data;
    chunk->size = (uint32_t)(text->head + packed);
    return IMG_OK;
}

static ImgStatus edit_digits(uint8_t *digits, size_t size, size_t most, ImgBytesEdit *edit,
                             const void *context, bool *changed, ImgError *err)
{
    ImgRawProfile profile;
    const ImgStatus status = img_raw_profile_decode(digits, size, most, &profile, err);
    *changed = status == IMG_OK && edit(profile.data, profile.size, context);
    if (*changed)
        img_raw_profile_update(&profile, digits, size);
    free(profile.data);
    return status;
}

static ImgStatus edit_text(ImgChunk *chunk, const ImgText *text, bool is_profile,
                           ImgTextBudget *budget, ImgBytesEdit *edit, const void *context,
                           ImgError *err)
{
    ImgTextBytes content;
    bool changed = false;
    ImgStatus status = img_text_read(chunk, text, budget, &content, err);
    if (status != IMG_OK || content.data == NULL)
        return status;
    uint8_t *bytes = content.inflated != NULL ? content.inflated : chunk->data + text->head;
    if (is_profile)
        status = edit_digits(bytes, content.size, budget->limit, edit, context, &changed, err);
    else
        changed = edit(bytes, content.size, context);
    if (status == IMG_OK && changed && content.inflated != NULL)
        status = pack_again(chunk, text, bytes, content.size, err);
    free(content.inflated);
    return status;
}

ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err)
{
    return edit_text(chunk, text, false, budget, edit, context, err);
}

ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err)
{
    return edit_text(chunk, text, true, budget, edit, context, err);
}
