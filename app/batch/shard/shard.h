/* Determines which part of a batch this process works on (a "shard"), from --shard I/N or from the
 * environment of the scheduler that started it. The processes may run on several machines. */
#ifndef IMGTOOL_APP_BATCH_SHARD_SHARD_H
#define IMGTOOL_APP_BATCH_SHARD_SHARD_H

#include <stdint.h>

#include "app/cli/options.h"
#include "kernels/core/status.h"

enum { SHARDS_MAX = 1000000 };

/* Part number `index`, from 0, of `count` parts. If `count` is 0, the batch is not split. */
typedef struct Shard {
    uint32_t index, count;
} Shard;

/* Evaluates --shard and --shards. --shard auto reads the environment of the scheduler
 * (app/batch/shard/engine.c lists the variables). Fails with IMG_E_USAGE if there is no scheduler,
 * if the number of parts is unknown, or if two settings contradict each other; the message names
 * both. */
ImgStatus shard_find(const Settings *settings, Shard *shard, ImgError *err);

/* Determines the part for --shard auto from the environment. `shards` is the value of --shards; 0:
 * not given. */
ImgStatus engine_find(uint32_t shards, Shard *shard, ImgError *err);

/* shard_text writes the text of a part for names of files, such as "3-of-8", to `text`, and returns
 * `text`. It counts parts from 1. If the batch is not split, the text is "". SHARD_TEXT is the size
 * of the buffer. */
enum { SHARD_TEXT = 24 };
const char *shard_text(const Shard *shard, char text[SHARD_TEXT]);

/* Returns a copy of `pattern` in which each "{shard}" is replaced by the text of the part, or by
 * "1-of-1" if the batch is not split. Returns NULL if there is no memory. The caller frees it. */
char *shard_name(const char *pattern, const Shard *shard);

#endif
