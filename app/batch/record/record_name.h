/* What records are called, and which of them a directory has. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* ".imgtool-batch", in the directory that is written to; of a batch that several processes share,
 * each has its own: ".imgtool-batch.3-of-8". */
extern const char record_name[];

/* Into how many parts the batch is cut whose record has this name; 0: it is a whole one. For names
 * of records. */
uint64_t record_name_parts(const char *name);

/* Is a file of that name, without its directory, a record? */
bool record_is_name(const char *name);

/* Starts as zeros, ends with record_list_free. */
typedef struct RecordList {
    char **paths;
    size_t count;
    int failure; /* errno: why there may be more of them; or 0 */
} RecordList;

/* All that have a record's name but for that at `own`, which may be NULL. IMG_E_MEMORY. */
ImgStatus record_list_read(const char *directory, const char *own, RecordList *list, ImgError *err);

void record_list_free(RecordList *list);

#endif
