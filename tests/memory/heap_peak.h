/* For programs that link heap_peak.c: the memory they get from malloc and related functions. */
#ifndef IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H
#define IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H

#include <stddef.h>

/* heap_peak_end returns the largest number of bytes at one time since heap_peak_start, beyond those
 * that were allocated then. */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
