/* Reads and resets the orientation. Cameras state the orientation in EXIF, editors also in XMP.
 * ImageMagick and GraphicsMagick use a text of their own, which has the lowest precedence.
 *
 * img_orientation_reset changes exactly the places that img_orientation_read considers. Resetting
 * any other place would lose an orientation that was never applied. Digits are changed in place;
 * all other bytes stay. */
#include "io/metadata/metadata.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/metadata/exif.h"
#include "io/metadata/text.h"

/* --- XMP -------------------------------------------------------------------------------------- */

/* XMP is searched instead of parsed. This suffices, because the value of the property is one digit,
 * which can be replaced in place. See the XMP specification, parts 1 and 2 (tiff namespace). */

static const uint8_t *skip_spaces(const uint8_t *p, const uint8_t *end)
{
    while (p < end && img_text_is_space(*p))
        p++;
    return p;
}

/* Returns the opening quote in tiff:Orientation="6", or NULL if there is none. `p` points just past
 * the name. */
static const uint8_t *find_quote(const uint8_t *p, const uint8_t *end)
{
    p = skip_spaces(p, end);
    if (p == end || *p != '=')
        return NULL;
    p = skip_spaces(p + 1, end);
    return p < end && (*p == '"' || *p == '\'') ? p : NULL;
}

/* Returns the '>' in <tiff:Orientation>6</tiff:Orientation>, or NULL if there is none. `p` points
 * just past the name. */
static const uint8_t *find_bracket(const uint8_t *p, const uint8_t *end)
{
    if (p < end && *p != '>' && !img_text_is_space(*p)) /* the name continues: another property */
        return NULL;
    /* Stops at the start of the next tag. Otherwise each search could read to the end of the text,
     * and the total time would be quadratic. */
    while (p < end && *p != '>' && *p != '<')
        p++;
    return p < end && *p == '>' ? p : NULL;
}

/* Returns the digit of the property whose name starts at `name` and ends at `p`. Returns NULL if
 * the property has no digit from 1 to 8. */
static const uint8_t *find_digit(const uint8_t *xml, const uint8_t *name, const uint8_t *p,
                                 const uint8_t *end)
{
    bool element = name > xml && name[-1] == '<';
    bool attribute = name > xml && img_text_is_space(name[-1]);
    const uint8_t *opening = element ? find_bracket(p, end) : attribute ? find_quote(p, end) : NULL;
    if (opening == NULL)
        return NULL;
    const uint8_t *digit = skip_spaces(opening + 1, end);
    if (digit == end || *digit < '1' || *digit > '8')
        return NULL;
    const uint8_t *closing = skip_spaces(digit + 1, end);
    return closing < end && *closing == (element ? '<' : *opening) ? digit : NULL;
}

/* Returns the next orientation digit after `*at` and moves `*at` past the property's name. Returns
 * NULL if there is no further digit. */
static const uint8_t *next_digit(const uint8_t *xml, size_t size, size_t *at)
{
    static const char name[] = "tiff:Orientation";
    const uint8_t *end = xml + size, *digit = NULL, *found;
    while (digit == NULL &&
           (found = memmem(xml + *at, size - *at, name, sizeof name - 1)) != NULL) {
        const uint8_t *after = found + sizeof name - 1;
        *at = (size_t)(after - xml);
        digit = find_digit(xml, found, after, end);
    }
    return digit;
}

/* Returns the first orientation in the XMP, 1 to 8, or 0 if there is none. */
static int xmp_orientation(const uint8_t *xml, size_t size)
{
    size_t at = 0;
    const uint8_t *digit = next_digit(xml, size, &at);
    return digit != NULL ? *digit - '0' : 0;
}

/* Sets every orientation in the XMP to 1, in place. Returns true if any orientation was
 * different. */
static bool xmp_reset(uint8_t *xml, size_t size)
{
    bool changed = false;
    size_t at = 0;
    for (const uint8_t *digit; (digit = next_digit(xml, size, &at)) != NULL;) {
        changed |= *digit != '1';
        xml[digit - xml] = '1';
    }
    return changed;
}

/* --- Places that state the orientation -------------------------------------------------------- */

/* The places in the metadata that may state the orientation, in order of precedence. */
typedef enum Place {
    PLACE_EXIF,
    PLACE_RAW_EXIF,
    PLACE_XMP,
    PLACE_RAW_XMP,
    PLACE_TEXT,
    NOWHERE
} Place;

static Place place_of(const ImgChunk *chunk, ImgText *text)
{
    if (strcmp(chunk->type, "eXIf") == 0)
        return PLACE_EXIF;
    if (!img_text_parse(chunk, text))
        return NOWHERE;
    if (img_raw_profile_is_exif(text->keyword))
        return PLACE_RAW_EXIF;
    if (strcmp(text->keyword, "XML:com.adobe.xmp") == 0)
        return PLACE_XMP;
    if (strcmp(text->keyword, "Raw profile type xmp") == 0)
        return PLACE_RAW_XMP;
    if (strcasecmp(text->keyword, "exif:Orientation") == 0 ||
        strcasecmp(text->keyword, "tiff:Orientation") == 0)
        return PLACE_TEXT;
    return NOWHERE;
}

static int exif_orientation(const uint8_t *data, size_t size)
{
    ImgExifField field;
    bool found = img_exif_orientation(data, size, &field);
    return found && field.value >= 1 && field.value <= 8 ? (int)field.value : 0;
}

static bool reset_exif(uint8_t *data, size_t size)
{
    ImgExifField field;
    if (exif_orientation(data, size) <= 1 || !img_exif_orientation(data, size, &field))
        return false;
    for (size_t i = 0; i < field.width; i++)
        data[field.offset + i] = img_exif_byte(&field, 1, i);
    return true;
}

/* Returns the index of the digit in a text that consists only of an orientation. Returns `size` for
 * any other text. */
static size_t plain_digit(const uint8_t *bytes, size_t size)
{
    size_t digit = size;
    for (size_t i = 0; i < size; i++) {
        if (img_text_is_space(bytes[i]))
            continue;
        if (digit < size || bytes[i] < '1' || bytes[i] > '8')
            return size;
        digit = i;
    }
    return digit;
}

static bool reset_plain(uint8_t *bytes, size_t size, const void *context)
{
    (void)context;
    const size_t digit = plain_digit(bytes, size);
    const bool changed = digit < size && bytes[digit] != '1';
    if (changed)
        bytes[digit] = '1';
    return changed;
}

/* Returns the orientation in a raw profile. An APP1 profile is EXIF or XMP. EXIF is not searched
 * for XMP, because the search could find text in a comment or in the thumbnail. */
static int profile_orientation(const ImgRawProfile *profile)
{
    return img_exif_is(profile->data, profile->size)
               ? exif_orientation(profile->data, profile->size)
               : xmp_orientation(profile->data, profile->size);
}

static bool reset_xmp(uint8_t *data, size_t size, const void *context)
{
    (void)context;
    return xmp_reset(data, size);
}

static bool reset_profile(uint8_t *data, size_t size, const void *context)
{
    (void)context;
    return img_exif_is(data, size) ? reset_exif(data, size) : xmp_reset(data, size);
}

static ImgStatus read_raw(const uint8_t *bytes, size_t size, size_t most, int *orientation,
                          ImgError *err)
{
    ImgRawProfile profile;
    ImgStatus status = img_raw_profile_decode(bytes, size, most, &profile, err);
    if (status == IMG_OK)
        *orientation = profile_orientation(&profile);
    free(profile.data);
    return status;
}

static ImgStatus read_text(const ImgChunk *chunk, const ImgText *text, Place place,
                           ImgTextBudget *budget, int *orientation, ImgError *err)
{
    ImgTextBytes bytes;
    ImgStatus status = img_text_read(chunk, text, budget, &bytes, err);
    if (status != IMG_OK || bytes.data == NULL)
        return status;
    if (place == PLACE_XMP) {
        *orientation = xmp_orientation(bytes.data, bytes.size);
    } else if (place == PLACE_TEXT) {
        const size_t digit = plain_digit(bytes.data, bytes.size);
        *orientation = digit < bytes.size ? bytes.data[digit] - '0' : 0;
    } else {
        status = read_raw(bytes.data, bytes.size, budget->limit, orientation, err);
    }
    free(bytes.inflated);
    return status;
}

static ImgStatus reset_text(ImgChunk *chunk, const ImgText *text, Place place,
                            ImgTextBudget *budget, ImgError *err)
{
    if (place == PLACE_XMP)
        return img_text_edit(chunk, text, budget, reset_xmp, NULL, err);
    if (place == PLACE_TEXT)
        return img_text_edit(chunk, text, budget, reset_plain, NULL, err);
    return img_text_edit_profile(chunk, text, budget, reset_profile, NULL, err);
}

ImgStatus img_orientation_read(const ImgMetadata *metadata, size_t max_text, int *orientation,
                               ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgTextBudget budget = {max_text, max_text};
    *orientation = 0;
    for (Place place = PLACE_EXIF; place < NOWHERE; place++) {
        for (size_t i = 0; i < metadata->count; i++) {
            const ImgChunk *chunk = &metadata->chunks[i];
            ImgText text;
            if (place_of(chunk, &text) != place)
                continue;
            if (place == PLACE_EXIF)
                *orientation = exif_orientation(chunk->data, chunk->size);
            else
                status = read_text(chunk, &text, place, &budget, orientation, err);
            if (status != IMG_OK || *orientation != 0)
                return status;
        }
    }
    return IMG_OK;
}

ImgStatus img_orientation_reset(ImgMetadata *metadata, size_t max_text, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgTextBudget budget = {max_text, max_text};
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        ImgText text;
        Place place = place_of(chunk, &text);
        if (place == PLACE_EXIF)
            (void)reset_exif(chunk->data, chunk->size);
        else if (place != NOWHERE)
            status = reset_text(chunk, &text, place, &budget, err);
    }
    return status;
}
