/* How NPP's calls are timed: as `checkkernels --bench` times ours, by device events, with the
 * second-level cache filled with other data before each run, medians, beside a device copy. What
 * fails but a call of NPP's ends the program with a message: these are measurements, not tests. */
#ifndef IMGTOOL_TESTS_PEERS_NPP_TIMING_H
#define IMGTOOL_TESTS_PEERS_NPP_TIMING_H

#include <npp.h>
#include <stddef.h>

/* One call of NPP's on what `task` points to, in the stream of npp_stream(). */
typedef NppStatus NppCall(const void *task);

/* A copy of `bytes` on the device. */
typedef struct NppCopy {
    void *to;
    const void *from;
    size_t bytes;
} NppCopy;

/* The default stream, with what NPP asks about the device. */
NppStreamContext npp_stream(void);

/* Device memory; to be freed by npp_free. `from` is host memory. */
void *npp_memory(size_t bytes);
void *npp_memory_of(const void *from, size_t bytes);
void npp_free(void *memory);

/* Bytes of a row of `bytes`, from a boundary that NPP reads fast. */
int npp_step(size_t bytes);

/* The same noise in every run. */
void npp_fill_with_noise(void *memory, size_t bytes);

/* Medians in milliseconds; below 0 where NPP refuses the call. */
float npp_time(NppCall *call, const void *task);
float npp_time_copy(NppCopy copy);

/* A line of the table; `copy` is what a copy takes, `milliseconds` may be below 0. */
void npp_print(const char *name, const char *format, float milliseconds, float copy);

/* The picture's size from the arguments WIDTH HEIGHT, 4001 x 3001 where there are none; ends the
 * program with `usage` where they are not a size. */
NppiSize npp_size(int argc, char **argv, const char *usage);

#endif
