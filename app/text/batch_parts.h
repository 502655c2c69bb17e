/* Parts of a batch that --shard I/N divided. Finds the parts that are missing when the reports of
 * several parts are read together. */
#ifndef IMGTOOL_APP_TEXT_BATCH_PARTS_H
#define IMGTOOL_APP_TEXT_BATCH_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "app/text/json.h"

/* Part `number` of `count` parts. The first part has the number 1. A count of 0 means that the
 * batch was not divided. */
typedef struct BatchPart {
    uint32_t number, count;
} BatchPart;

/* Adds the keys "shard" and "shard_count" to `line`. Both are null if the batch was not divided. */
void json_batch_part(cJSON *line, BatchPart part, bool *failed);

/* Returns the part in the keys "shard" and "shard_count" of `line`; {0, 0} if they are missing or
 * invalid. */
BatchPart batch_part_of(const cJSON *line);

/* The parts whose reports were found. Initialise with zeros; end with batch_parts_free. */
typedef struct BatchParts {
    BatchPart *list; /* array of `count` parts; owned */
    size_t count;
} BatchParts;

/* Adds the part to which the document `line` belongs. A batch that was not divided counts as part 1
 * of 1. Returns an error only if memory is short. */
ImgStatus batch_parts_note(BatchParts *parts, const cJSON *line, ImgError *err);

/* Writes the missing parts, such as "part 2 of 3" or "parts 2, 4 and 5 of 8", and returns `text`.
 * Returns NULL if no part is missing. If a batch was resumed with another number of parts, there
 * are several sets of parts, and one complete set is enough. */
enum { BATCH_PARTS_TEXT = 160 };
const char *batch_parts_missing(BatchParts *parts, char text[BATCH_PARTS_TEXT]);

void batch_parts_free(BatchParts *parts);

#endif
