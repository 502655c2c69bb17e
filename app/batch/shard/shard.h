/* Which of several processes this one is, that work on one batch side by side, on any machines: as
 * --shard I/N says, or the engine that started it. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARD_H
#define IMGTOOL_APP_BATCH_SHARD_SHARD_H

#include <stdint.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

enum { SHARDS_MAX = 1000000 };

/* Which of how many: index 0 to count - 1. A count of 0: the batch is not shared. */
typedef struct Shard {
    uint32_t index, count;
} Shard;

/* From --shard and --shards: of `auto`, from the environment of the engine
 * (app/batch/shard/engine.c says which variables). IMG_E_USAGE where there is no engine, where it
 * does not say how many there are, and where two things contradict each other: the message names
 * both. */
ImgStatus shard_find(const Settings *settings, Shard *shard, ImgError *err);

/* The part of it that is `auto`. `shards` is that of --shards; 0: not given. */
ImgStatus engine_find(uint32_t shards, Shard *shard, ImgError *err);

/* "3-of-8", counted from 1, as names of files have it; "" where nothing is shared. */
enum { SHARD_TEXT = 24 };
const char *shard_text(const Shard *shard, char text[SHARD_TEXT]);

/* `pattern` with that text, or "1-of-1" where nothing is shared, for each "{shard}". To be freed;
 * NULL: no memory. */
char *shard_name(const char *pattern, const Shard *shard);

#endif
