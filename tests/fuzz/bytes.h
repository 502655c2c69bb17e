/* A growing array of bytes. The functions abort if memory is short. */
#ifndef IMGTOOL_TESTS_FUZZ_BYTES_H
#define IMGTOOL_TESTS_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array of bytes that grows. Initialise with {0}. The caller frees `data`. */
typedef struct FuzzBytes {
    uint8_t *data;
    size_t size, capacity;
} FuzzBytes;

/* Appends a copy of `data`. */
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

/* Appends the content of a file. Returns false after a message on stderr if the file cannot be
 * opened. */
static inline bool fuzz_put_file(FuzzBytes *bytes, const char *path)
{
    uint8_t buffer[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        fuzz_put(bytes, buffer, got);
    (void)fclose(file);
    return true;
}

/* Stores `value` as PNG does, the most significant byte first. */
static inline void fuzz_store32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t fuzz_load32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void fuzz_put32(FuzzBytes *bytes, uint32_t value)
{
    uint8_t four[4];
    fuzz_store32(four, value);
    fuzz_put(bytes, four, 4);
}

#endif
