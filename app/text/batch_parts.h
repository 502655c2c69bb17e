/* The parts of a batch (--shard I/N) whose documents are read together: are all of them there? */
#ifndef IMGTOOL_APP_TEXT_BATCH_PARTS_H
#define IMGTOOL_APP_TEXT_BATCH_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "app/text/json.h"

/* Number 1 to `count` of so many. A count of 0: a whole batch, of no parts. */
typedef struct BatchPart {
    uint32_t number, count;
} BatchPart;

/* Adds "shard" and "shard_count"; null for a whole batch. */
void json_batch_part(cJSON *line, BatchPart part, bool *failed);

/* Of a line with what json_batch_part adds; of others {0, 0}. */
BatchPart batch_part_of(const cJSON *line);

/* Starts as zeros, ends with batch_parts_free. */
typedef struct BatchParts {
    BatchPart *list; /* owned */
    size_t count;
} BatchParts;

/* A whole batch counts as part 1 of 1. IMG_E_MEMORY. */
ImgStatus batch_parts_note(BatchParts *parts, const cJSON *line, ImgError *err);

/* Those that are missing, as "part 2 of 3" or "parts 2, 4 and 5 of 8"; NULL: none. A batch may have
 * been continued in another number of parts: then all of one number are enough. */
enum { BATCH_PARTS_TEXT = 160 };
const char *batch_parts_missing(BatchParts *parts, char text[BATCH_PARTS_TEXT]);

void batch_parts_free(BatchParts *parts);

#endif
