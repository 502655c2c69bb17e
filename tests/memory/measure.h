/* One run of a command: its messages, its exit status and its peak memory. */
#ifndef IMGTOOL_TESTS_MEMORY_MEASURE_H
#define IMGTOOL_TESTS_MEMORY_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum { SAID = 1 << 14 };

typedef struct Measured {
    bool is_slow;    /* the run was killed after minutes; in a batch other pictures may be large */
    int code;        /* exit code; -1: it was killed */
    uint64_t heap;   /* peak of bytes allocated by the C library */
    uint64_t pages;  /* peak of resident bytes, including the program, its libraries and stacks */
    char said[SAID]; /* text on standard error */
} Measured;

/* Files and settings for measured runs. */
typedef struct Meter {
    const char *preload; /* path of the heap_peak library */
    int shown;           /* descriptor of the file to which the library writes its peak */
    uint64_t *heap;      /* the same file, mapped to memory */
    int said;            /* descriptor of a file for standard error */
} Meter;

/* Opens the files. Returns false with a message if the system refuses. */
bool meter_open(const char *preload, Meter *meter);

/* Runs the command in `directory`, with its standard output discarded. */
void measure(const Meter *meter, const char *directory, char *const *command, Measured *measured);

#endif
