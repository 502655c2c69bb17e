/* Resources of the machine for this process. Only app/ reads them, and passes them on. */
#ifndef IMGTOOL_APP_SCHED_MACHINE_H
#define IMGTOOL_APP_SCHED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of CPUs that this process may use, by its affinity mask and the quota of its
 * cgroup. At least 1. */
int machine_threads(void);

/* Keeps freed memory for the next allocations, up to `bytes` per thread, except blocks larger than
 * `block` bytes. For programs that process one picture after the other: returning memory and
 * getting it again, zeroed, takes longer than some operations, and makes threads wait for each
 * other. */
void machine_keep_memory(uint64_t bytes, uint64_t block);

/* Returns the bytes that are free in the C library, including those whose pages
 * machine_give_back_memory returned. */
uint64_t machine_freed_memory(void);

/* Returns all pages of that memory to the system. */
void machine_give_back_memory(void);

/* Raises the limit of open files to the most that the user may have. Returns how many more files
 * can be opened. */
uint64_t machine_raise_open_files(void);

/* Returns the memory of the machine in bytes or, if that is less, of its cgroup. */
uint64_t machine_memory(void);

/* Returns the part of it that is available without swapping. */
uint64_t machine_memory_free(void);

/* Returns whether a driver for CUDA GPUs is present. Fast, and opens no GPU. */
bool machine_may_have_gpu(void);

/* Reads all of these now and returns the stored values from then on, for a process that can no
 * longer open the files that contain them. `for_many` includes what many pictures in parallel need:
 * free memory and open files. Call it before threads are created. */
void machine_remember(bool for_many);

#endif
