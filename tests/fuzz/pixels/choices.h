/* Reads a fuzzer's input as a sequence of choices, and checks conditions. Past the end of the input
 * all choices are 0. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_CHOICES_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_CHOICES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Choices {
    const uint8_t *at; /* next unread byte of the input, borrowed */
    size_t left;       /* number of unread bytes */
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

/* Returns a number from 0 to bound - 1, or 0 if `bound` is 0; `bound` is at most 256. */
static inline unsigned choose_below(Choices *choices, unsigned bound)
{
    const uint8_t byte = choose_byte(choices);
    return bound > 0 ? byte % bound : 0;
}

/* Prints the message and aborts if `holds` is false. */
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

/* Allocates exactly `size` bytes, so that AddressSanitizer detects accesses past the end. Aborts if
 * memory is short. */
static inline void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

#endif
