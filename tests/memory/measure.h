/* Runs a command once and measures its peak memory, with its messages and its exit status. */
#ifndef IMGTOOL_TESTS_MEMORY_MEASURE_H
#define IMGTOOL_TESTS_MEMORY_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum { SAID = 1 << 14 };

typedef struct Measured {
    /* true if the run was killed after minutes; other pictures of a batch may be large */
    bool is_slow;
    int code;      /* exit code of the command; -1 if a signal killed it */
    uint64_t heap; /* peak of the bytes allocated with the C library */
    /* peak of the resident bytes, including the program, its libraries and stacks */
    uint64_t pages;
    char said[SAID]; /* text that the command printed on standard error */
} Measured;

/* Files and settings for measured runs. */
typedef struct Meter {
    /* path of the library for LD_PRELOAD that measures the heap (heap_peak.c) */
    const char *preload;
    int shown;      /* descriptor of the file to which this library writes the peak */
    uint64_t *heap; /* the file of `shown`, mapped into memory; it contains the peak in bytes */
    int said;       /* descriptor of the file for standard error of the command */
} Meter;

/* Opens the files for measured runs. Returns false and prints a message if the system does not
 * allow it. */
bool meter_open(const char *preload, Meter *meter);

/* Runs the command in `directory`, discards its standard output, and stores the measured values. */
void measure(const Meter *meter, const char *directory, char *const *command, Measured *measured);

#endif
