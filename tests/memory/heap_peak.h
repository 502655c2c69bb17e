/* For programs that have heap_peak.c in them: what they have from malloc and its kin. */
#ifndef IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H
#define IMGTOOL_TESTS_MEMORY_HEAP_PEAK_H

#include <stddef.h>

/* Bytes at a time from now on, the most of which heap_peak_end returns beside those there are now.
 */
void heap_peak_start(void);
size_t heap_peak_end(void);

#endif
