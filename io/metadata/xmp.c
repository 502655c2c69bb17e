/* Searches XMP instead of parsing it. This suffices, because the value of the property is one
 * digit, which can be replaced in place. XMP specification, parts 1 and 2 (tiff namespace). */
#include "io/metadata/xmp.h"

#include <string.h>

#include "io/metadata/text.h"

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
    /* Stops at the next element, so that the time stays linear. */
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

int img_xmp_orientation(const uint8_t *xml, size_t size)
{
    size_t at = 0;
    const uint8_t *digit = next_digit(xml, size, &at);
    return digit != NULL ? *digit - '0' : 0;
}

bool img_xmp_reset(uint8_t *xml, size_t size)
{
    bool changed = false;
    size_t at = 0;
    for (const uint8_t *digit; (digit = next_digit(xml, size, &at)) != NULL;) {
        changed |= *digit != '1';
        xml[digit - xml] = '1';
    }
    return changed;
}
