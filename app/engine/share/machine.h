/* Resources of the machine that this process may use. Only files of app/ call these functions;
 * libraries get the values as arguments. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_MACHINE_H
#define IMGTOOL_APP_ENGINE_SHARE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of CPUs that this process may use, at least 1. Its affinity mask and the quota
 * of its cgroup limit the number. */
int img_machine_threads(void);

/* Makes the C library keep freed memory for the next allocations: up to `bytes` per thread, but no
 * blocks larger than `block` bytes. Used if pictures are processed one after the other: returning
 * memory and getting it again, zeroed, takes longer than some operations, and threads would wait
 * for each other. */
void img_machine_keep_memory(uint64_t bytes, uint64_t block);

/* Returns the number of bytes that are free inside the C library. This includes pages that
 * img_machine_give_back_memory has returned to the system. */
uint64_t img_machine_freed_memory(void);

/* Returns the pages of freed memory to the system. */
void img_machine_give_back_memory(void);

/* Raises the limit of open files to the largest value that the user is allowed. Returns the number
 * of files that can then be opened in addition to those that are open. */
uint64_t img_machine_raise_open_files(void);

/* Returns the memory of the machine in bytes, or the memory limit of the cgroup of this process if
 * that is lower. */
uint64_t img_machine_memory(void);

/* Returns the number of bytes of img_machine_memory that are available without swapping. */
uint64_t img_machine_memory_free(void);

/* Returns whether a driver for CUDA GPUs is present. The test is fast, and opens no GPU. */
bool img_machine_may_have_gpu(void);

/* Reads the values of all these functions and stores them; later calls return the stored values.
 * Used before a process enters the sandbox, where it cannot open the files that contain the values.
 * `for_many` also reads values that many pictures in parallel need: free memory and open files.
 * Call it before threads are created. */
void img_machine_remember(bool for_many);

#endif
