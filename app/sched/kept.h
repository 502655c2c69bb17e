/* Limits memory that was freed but stays with the process for the next allocation. It belongs to
 * the C library and is part of no plan. If the memory limit has room for it, as much may stay as
 * without a limit. When memory gets short, it is returned to the system, and large blocks are
 * returned at once from then on.
 *
 * The settings are those of the C library, so there is one state per process. */
#ifndef IMGTOOL_APP_SCHED_KEPT_H
#define IMGTOOL_APP_SCHED_KEPT_H

#include <stdbool.h>
#include <stdint.h>

/* Call it before threads are created: `threads` threads will use `memory` bytes. `is_limit` tells
 * whether that is a given limit or the free memory of the machine. With a limit, little is kept
 * until kept_planned finds room. */
void kept_start(bool is_limit, uint64_t memory, int threads);

/* Reports that `bytes` more are planned, before they are allocated. All work in progress then takes
 * up to `planned` of `memory` bytes. Called by one thread at a time. */
void kept_planned(uint64_t bytes, uint64_t planned, uint64_t memory);

#endif
