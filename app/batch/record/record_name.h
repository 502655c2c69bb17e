/* Names of records, and the list of records in a directory. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* ".imgtool-batch", in the output directory. Of a batch in parts, each part has its own record:
 * ".imgtool-batch.3-of-8". */
extern const char record_name[];

/* Returns the number of parts of the batch that a record's name tells; 0: one whole batch. */
uint64_t record_name_parts(const char *name);

/* Returns whether a file of that name, without its directory, is a record. */
bool record_is_name(const char *name);

/* Paths of records. Starts as zeros, ends with record_list_free. */
typedef struct RecordList {
    char **paths;
    size_t count;
    int failure; /* errno if the list may be incomplete, or 0 */
} RecordList;

/* Lists all files that have a record's name, except `own`, which may be NULL. IMG_E_MEMORY. */
ImgStatus record_list_read(const char *directory, const char *own, RecordList *list, ImgError *err);

void record_list_free(RecordList *list);

#endif
