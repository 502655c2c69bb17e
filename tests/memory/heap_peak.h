/* For programs that have heap_peak.c in them: what they have from malloc and its kin. */
#ifndef IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H
#define IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H

#include <stddef.h>

/* heap_peak_end returns the most bytes that there were at a time since heap_peak_start, beyond
 * those there were then. */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
