/* Limits the freed memory that the C library keeps for the next allocation. No plan includes this
 * memory. It may stay as long as the memory limit has room for it. When memory gets short, it is
 * returned to the system, and from then on large blocks are returned as soon as they are freed.
 * Options of the C library set the limits, and they apply to the whole process, so each process has
 * only one state. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_KEPT_H
#define IMGTOOL_APP_ENGINE_SHARE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

/* Sets how much freed memory `threads` threads may keep while they use `memory` bytes. `is_limit`
 * means that `memory` is a limit that the user gave; otherwise it is the free memory of the
 * machine. With a limit, little is kept until img_kept_planned finds room. Call it before threads
 * are created. */
void img_kept_start(bool is_limit, uint64_t memory, int threads);

/* Adapts how much freed memory is kept, before `bytes` more bytes are allocated. All work in
 * progress, including these bytes, may need `planned` of the `memory` bytes that imgtool may use.
 * Calls must not overlap. */
void img_kept_planned(uint64_t bytes, uint64_t planned, uint64_t memory);

#endif
