/* What a fuzzer's input decides, byte after byte; past its end all is 0. And the end of the program
 * where something that must hold does not. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_CHOICES_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_CHOICES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Choices {
    const uint8_t *at;
    size_t left;
} Choices;

static inline uint8_t choose_byte(Choices *choices)
{
    if (choices->left == 0)
        return 0;
    choices->left--;
    return *choices->at++;
}

static inline uint32_t choose_16(Choices *choices)
{
    const uint32_t low = choose_byte(choices);
    return low | (uint32_t)choose_byte(choices) << 8;
}

static inline uint64_t choose_64(Choices *choices)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)choose_byte(choices) << (8 * i);
    return value;
}

/* 0 .. bound - 1, or 0; `bound` is at most 256. */
static inline unsigned choose_below(Choices *choices, unsigned bound)
{
    const uint8_t byte = choose_byte(choices);
    return bound > 0 ? byte % bound : 0;
}

__attribute__((format(printf, 2, 3))) static inline void expect(bool holds, const char *format, ...)
{
    if (holds)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

/* Memory that is there, of exactly that size, so that AddressSanitizer sees its ends. */
static inline void *need(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

#endif
