/* For programs that link heap_peak.c: measures the memory that they get from malloc and related
 * functions. */
#ifndef IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H
#define IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H

#include <stddef.h>

/* heap_peak_end returns the largest number of bytes allocated at one time since heap_peak_start,
 * minus those that were allocated at heap_peak_start. */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
