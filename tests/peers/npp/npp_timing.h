/* Times calls of NPP in the same way as `checkkernels --bench` times imgtool: with device events,
 * as medians, and compared with a device copy. Before each run other data fill the L2 cache.
 * These programs are measurements, not tests. Every failure ends the program with a message, except
 * a failure of the timed NPP call. */
#ifndef IMGTOOL_TESTS_PEERS_NPP_NPP_TIMING_H
#define IMGTOOL_TESTS_PEERS_NPP_NPP_TIMING_H

#include <npp.h>
#include <stddef.h>

/* A function that makes one call of NPP on the data of `task`, in the stream of npp_stream(). */
typedef NppStatus NppCall(const void *task);

/* A copy of `bytes` bytes in device memory, from `from` to `to`. */
typedef struct NppCopy {
    void *to;
    const void *from;
    size_t bytes;
} NppCopy;

/* Returns the default stream, with the device properties that NPP needs. */
NppStreamContext npp_stream(void);

/* npp_memory and npp_memory_of allocate device memory, to be freed with npp_free. npp_memory_of
 * also copies `bytes` bytes from `from`, in host memory, to the new memory. */
void *npp_memory(size_t bytes);
void *npp_memory_of(const void *from, size_t bytes);
void npp_free(void *memory);

/* Returns a stride for rows of `bytes` bytes at which NPP reads fast. */
int npp_step(size_t bytes);

/* Fills device memory with noise, the same in every run. */
void npp_fill_with_noise(void *memory, size_t bytes);

/* Returns the median time in milliseconds. The result is negative if NPP rejects the call. */
float npp_time(NppCall *call, const void *task);
float npp_time_copy(NppCopy copy);

/* Prints a line of the table. `copy` is the time of a device copy in milliseconds. `milliseconds`
 * is negative if NPP rejected the call. */
void npp_print(const char *name, const char *format, float milliseconds, float copy);

/* Returns the size that the arguments WIDTH and HEIGHT give, or 4001 x 3001 without arguments. Ends
 * the program with `usage` if the arguments are not a size. */
NppiSize npp_size(int argc, char **argv, const char *usage);

#endif
