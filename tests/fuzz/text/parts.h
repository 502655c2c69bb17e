/* Splits an input into several texts at form feeds. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_PARTS_H
#define IMGTOOL_TESTS_FUZZ_TEXT_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Part {
    const char *text; /* the text, borrowed; not zero-terminated */
    size_t size;
} Part;

/* Splits the input into at most `most` parts, and returns their number, at least 1. The last part
 * contains the rest of the input, with its form feeds. */
static inline size_t parts_cut(const uint8_t *data, size_t size, Part *parts, size_t most)
{
    const char *at = (const char *)data, *end = at + size;
    size_t count = 0;
    for (; count + 1 < most; count++) {
        const char *cut = memchr(at, '\f', (size_t)(end - at));
        if (cut == NULL)
            break;
        parts[count] = (Part){at, (size_t)(cut - at)};
        at = cut + 1;
    }
    parts[count] = (Part){at, (size_t)(end - at)};
    return count + 1;
}

#endif
