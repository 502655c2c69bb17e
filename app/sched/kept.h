/* Memory that is freed and stays with the process, for what is allocated next: the C library has
 * it, and no plan. Where a limit leaves room for it, as much may stay as without a limit. Where
 * that gets scarce, what stayed is given back, and blocks of pictures go back at once from then on.
 *
 * This is told to the C library, which is one for the process: so there is one state. */
#ifndef IMGTOOL_APP_SCHED_KEPT_H
#define IMGTOOL_APP_SCHED_KEPT_H

#include <stdbool.h>
#include <stdint.h>

/* `threads` are to work with `memory` bytes: a limit that was asked for, or what the machine has to
 * spare. Beside a limit little is kept until kept_planned says that there is room. Before there are
 * threads. */
void kept_start(bool is_limit, uint64_t memory, int threads);

/* `bytes` more are planned, before they are taken; with them all that is under way takes up to
 * `planned` of `memory`. By one thread at a time. */
void kept_planned(uint64_t bytes, uint64_t planned, uint64_t memory);

#endif
