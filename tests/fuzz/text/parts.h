/* An input of several texts: form feeds stand between them. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_PARTS_H
#define IMGTOOL_TESTS_FUZZ_TEXT_PARTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Part {
    const char *text; /* borrowed, not terminated */
    size_t size;
} Part;

/* Returns how many there are, 1 to `most`; the last one has all the rest. */
size_t parts_cut(const uint8_t *data, size_t size, Part *parts, size_t most);

#endif
