/* Options of programs that run numbered cases: --seed N, --cases N and --only N. */
#ifndef IMGTOOL_TESTS_MEMORY_CASE_OPTIONS_H
#define IMGTOOL_TESTS_MEMORY_CASE_OPTIONS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#endif
