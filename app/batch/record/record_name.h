/* Names of records, and the list of the records in a directory. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* ".imgtool-batch": the name of a record, which is in the output directory. If a batch is split,
 * each part has its own record, such as ".imgtool-batch.3-of-8". */
extern const char record_name[];

/* Returns the number of parts in the name of a record (8 in "3-of-8"), or 0 if the record is of a
 * whole batch. */
uint64_t record_name_parts(const char *name);

/* Returns whether a file with this name is a record. `name` has no directory. */
bool record_is_name(const char *name);

/* A list of paths of records. Initialise it with zeros, and free it with record_list_free. */
typedef struct RecordList {
    char **paths;
    size_t count;
    int failure; /* errno if the list may be incomplete; otherwise 0 */
} RecordList;

/* Lists all files in the directory that have the name of a record, except `own` (NULL: no
 * exception). Fails with IMG_E_MEMORY. */
ImgStatus record_list_read(const char *directory, const char *own, RecordList *list, ImgError *err);

void record_list_free(RecordList *list);

#endif
