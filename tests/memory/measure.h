/* One run of a command: what it said, how it ended, and the most memory that it had. */
#ifndef IMGTOOL_TESTS_MEMORY_MEASURE_H
#define IMGTOOL_TESTS_MEMORY_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum { SAID = 1 << 14 };

typedef struct Measured {
    bool is_slow; /* it was ended, as it took minutes: of a batch the other pictures may be large */
    int code;     /* of its exit; -1: it was killed */
    uint64_t heap;   /* bytes that it had from the C library at a time */
    uint64_t pages;  /* bytes that it held at a time, program, libraries and stacks among them */
    char said[SAID]; /* on standard error */
} Measured;

/* Where runs are measured. */
typedef struct Meter {
    const char *preload; /* heap_peak */
    int shown;           /* the file that it writes to */
    uint64_t *heap;      /* the same, in memory */
    int said;            /* a file for standard error */
} Meter;

/* False, with a message: the system refuses. */
bool meter_open(const char *preload, Meter *meter);

/* Runs it, in `directory`, with its standard output dropped. */
void measure(const Meter *meter, const char *directory, char *const *command, Measured *measured);

#endif
