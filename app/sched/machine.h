/* What this machine lets the process have. Only app/ asks, and passes it on. */
#ifndef IMGTOOL_APP_SCHED_MACHINE_H
#define IMGTOOL_APP_SCHED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* CPUs that this process may use: its affinity mask, and the quota of its cgroup. At least 1. */
int machine_threads(void);

/* Memory that is freed is kept for what is allocated next, up to `bytes` a thread, but for blocks
 * of more than `block` bytes: for programs that work on one picture after the other. Giving it back
 * and getting it again, cleared, takes longer than some operations, and threads wait for each other
 * then. */
void machine_keep_memory(uint64_t bytes, uint64_t block);

/* Bytes that are free in the C library's memory, also where machine_give_back_memory took the pages
 * from under them. */
uint64_t machine_freed_memory(void);

/* Gives all pages of these back. */
void machine_give_back_memory(void);

/* Lets the process open as many files as its user may, and says how many more than now that are. */
uint64_t machine_raise_open_files(void);

/* Bytes of memory of the machine or, where that is less, of its cgroup. */
uint64_t machine_memory(void);

/* Of these, the bytes available now without swapping anything else out. */
uint64_t machine_memory_free(void);

/* Is there a driver of GPUs that CUDA may use? Takes no time, and opens none. */
bool machine_may_have_gpu(void);

/* Asks for all of it now, and answers with that from then on: where the files that tell it cannot
 * be opened any more. `for_many`: also what is asked for many pictures side by side, free memory
 * and open files. Before there are threads. */
void machine_remember(bool for_many);

#endif
