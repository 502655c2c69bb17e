/* Times calls of NPP as `checkkernels --bench` times ours: with device events, with other data in
 * the L2 cache before each run, as medians, and beside a device copy. Any failure except of an NPP
 * call ends the program with a message: these are measurements, not tests. */
#ifndef IMGTOOL_TESTS_PEERS_NPP_TIMING_H
#define IMGTOOL_TESTS_PEERS_NPP_TIMING_H

#include <npp.h>
#include <stddef.h>

/* Makes one call of NPP on the data of `task`, in the stream of npp_stream(). */
typedef NppStatus NppCall(const void *task);

/* A copy of `bytes` on the device. */
typedef struct NppCopy {
    void *to;
    const void *from;
    size_t bytes;
} NppCopy;

/* Returns the default stream with the device properties that NPP needs. */
NppStreamContext npp_stream(void);

/* Allocates device memory, to be freed with npp_free. `from` is host memory. */
void *npp_memory(size_t bytes);
void *npp_memory_of(const void *from, size_t bytes);
void npp_free(void *memory);

/* Returns the stride for rows of `bytes` that NPP reads fast. */
int npp_step(size_t bytes);

/* Fills memory with the same noise in every run. */
void npp_fill_with_noise(void *memory, size_t bytes);

/* Returns the median in milliseconds; negative if NPP rejects the call. */
float npp_time(NppCall *call, const void *task);
float npp_time_copy(NppCopy copy);

/* Prints a line of the table. `copy` is the time of a copy; `milliseconds` may be negative. */
void npp_print(const char *name, const char *format, float milliseconds, float copy);

/* Returns the size from the arguments WIDTH HEIGHT, or 4001 x 3001 without arguments. Ends the
 * program with `usage` if they are not a size. */
NppiSize npp_size(int argc, char **argv, const char *usage);

#endif
