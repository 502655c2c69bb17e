/* Parts of a batch that was divided by --shard I/N. Finds parts that are missing when documents of
 * several parts are read together. */
#ifndef IMGTOOL_APP_TEXT_BATCH_PARTS_H
#define IMGTOOL_APP_TEXT_BATCH_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "app/text/json.h"

/* Part `number` of `count` parts; numbers start at 1. A count of 0 stands for a whole batch. */
typedef struct BatchPart {
    uint32_t number, count;
} BatchPart;

/* Adds the keys "shard" and "shard_count" to `line`; both are null for a whole batch. */
void json_batch_part(cJSON *line, BatchPart part, bool *failed);

/* Returns the part that the keys of json_batch_part give; {0, 0} if the keys are missing. */
BatchPart batch_part_of(const cJSON *line);

/* The parts that were found. Initialise with zeros; end with batch_parts_free. */
typedef struct BatchParts {
    BatchPart *list; /* owned */
    size_t count;
} BatchParts;

/* Adds the part that the document `line` belongs to. A whole batch counts as part 1 of 1.
 * IMG_E_MEMORY. */
ImgStatus batch_parts_note(BatchParts *parts, const cJSON *line, ImgError *err);

/* Writes the missing parts, as "part 2 of 3" or "parts 2, 4 and 5 of 8". Returns `text`, or NULL if
 * no part is missing. A batch may have been resumed with another number of parts, so one complete
 * set of parts is enough. */
enum { BATCH_PARTS_TEXT = 160 };
const char *batch_parts_missing(BatchParts *parts, char text[BATCH_PARTS_TEXT]);

void batch_parts_free(BatchParts *parts);

#endif
