/* Selects the part of a batch for this process, by --shard I/N or by the environment of the
 * scheduler that started it. The processes may run on several machines. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARD_H
#define IMGTOOL_APP_BATCH_SHARD_SHARD_H

#include <stdint.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

enum { SHARDS_MAX = 1000000 };

/* Part `index`, from 0, of `count` parts. A count of 0: the batch has one part. */
typedef struct Shard {
    uint32_t index, count;
} Shard;

/* Reads --shard and --shards; `auto` reads the environment of the scheduler
 * (app/batch/shard/engine.c lists the variables). IMG_E_USAGE if there is no scheduler, if the
 * number of parts is unknown, or if two settings contradict each other; the message names both. */
ImgStatus shard_find(const Settings *settings, Shard *shard, ImgError *err);

/* Reads the environment for --shard auto. `shards` is the value of --shards; 0: not given. */
ImgStatus engine_find(uint32_t shards, Shard *shard, ImgError *err);

/* Writes "3-of-8", counted from 1, for names of files; "" if the batch has one part. */
enum { SHARD_TEXT = 24 };
const char *shard_text(const Shard *shard, char text[SHARD_TEXT]);

/* Returns `pattern` with each "{shard}" replaced by that text, or by "1-of-1" if the batch has one
 * part. The caller frees it; NULL: no memory. */
char *shard_name(const char *pattern, const Shard *shard);

#endif
