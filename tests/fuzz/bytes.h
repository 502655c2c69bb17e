/* Bytes that grow, for what a fuzzer's input is turned into. */
#ifndef IMGTOOL_TESTS_FUZZ_BYTES_H
#define IMGTOOL_TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Start with {0}, free `data`. */
typedef struct FuzzBytes {
    uint8_t *data;
    size_t size, capacity;
} FuzzBytes;

static inline void fuzz_put(FuzzBytes *bytes, const void *data, size_t size)
{
    if (bytes->capacity - bytes->size < size) {
        bytes->capacity = 2 * bytes->capacity + size;
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (bytes->data == NULL)
            abort();
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static inline void fuzz_store32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline void fuzz_put32(FuzzBytes *bytes, uint32_t value)
{
    uint8_t four[4];
    fuzz_store32(four, value);
    fuzz_put(bytes, four, 4);
}

#endif
