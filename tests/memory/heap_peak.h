/* Measures the memory that a program gets from malloc and related functions. The program must link
 * heap_peak.c. */
#ifndef IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H
#define IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H

#include <stddef.h>

/* heap_peak_start begins a measurement. heap_peak_end returns the largest number of bytes allocated
 * at one time since then, minus those that were already allocated at its start. */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
