#include "tests/fuzz/text/parts.h"

#include <string.h>

size_t parts_cut(const uint8_t *data, size_t size, Part *parts, size_t most)
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
