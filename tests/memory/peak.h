/* Functions that codec_peak.c and steps_peak.c share: options, random sides, and the peak of the
 * heap. */
#ifndef IMGTOOL_TESTS_MEMORY_PEAK_H
#define IMGTOOL_TESTS_MEMORY_PEAK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/image.h"

/* --- Options for numbered cases: --seed N, --cases N and --only N ---------------------------- */

typedef struct CaseOptions {
    uint64_t seed, first, count;
} CaseOptions;

/* Returns the options of the command line. `count` is the default number of cases. Exits if an
 * option is invalid. */
static inline CaseOptions case_options(int argc, char **argv, uint64_t count)
{
    CaseOptions options = {.seed = 1, .count = count};
    int i = 1;
    for (; i + 1 < argc; i += 2) {
        const uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0)
            options.seed = value;
        else if (strcmp(argv[i], "--cases") == 0)
            options.count = value;
        else if (strcmp(argv[i], "--only") == 0)
            options = (CaseOptions){options.seed, value, 1};
        else
            break;
    }
    if (i == argc)
        return options;
    fprintf(stderr, "usage: %s [--seed N] [--cases N | --only N]\n", argv[0]);
    exit(2);
}

/* --- Random sides of pictures ----------------------------------------------------------------- */

/* The tests measure memory with pictures of random sizes. In half of the pictures, both sides are
 * at most `usual` pixels. In the others, one side may have up to 2^22 pixels, so that memory that
 * is proportional to this side becomes large. */

/* A function that returns a random number below `bound`. */
typedef uint32_t DrawBelow(void *context, uint32_t bound);

/* Returns a shape whose sides are at most `usual`, or one of whose sides may have any order of
 * magnitude. The caller sets the format. */
static inline ImgShape draw_sides(DrawBelow *below, void *context, uint32_t usual)
{
    enum { LONG = 4 << 20, ORDERS = 18, THIN = 4 };
    const uint32_t kind = below(context, 4);
    const uint32_t order = below(context, ORDERS);
    const uint32_t longer = 1 + below(context, LONG >> order);
    const uint32_t other = 1 + below(context, longer > LONG / 16 ? THIN : 4 * THIN);
    const uint32_t width = 1 + below(context, usual), height = 1 + below(context, usual);
    if (kind == 0)
        return (ImgShape){.width = (int32_t)longer, .height = (int32_t)other};
    if (kind == 1)
        return (ImgShape){.width = (int32_t)other, .height = (int32_t)longer};
    return (ImgShape){.width = (int32_t)width, .height = (int32_t)height};
}

/* --- The memory that a program gets from malloc and related functions ------------------------- */

/* The program must link heap_peak.c. heap_peak_start begins a measurement. heap_peak_end returns
 * the largest number of bytes allocated at one time since then, minus those that were already
 * allocated at its start. */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
