/* What other processes have noted in a directory, each in a record of its own: read, never changed.
 */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_OTHERS_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_OTHERS_H

#include "app/batch/record/record_name.h"
#include "app/batch/record/record_table.h"
#include "kernels/core/status.h"

typedef struct RecordOther {
    char *text;
    RecordTable table; /* of `text` */
} RecordOther;

/* Starts as zeros, ends with record_others_free. */
typedef struct RecordOthers {
    RecordOther *list;
    size_t count;
    ImgError unread; /* why one of them could not be read, or their names; or IMG_OK */
} RecordOthers;

/* Those of the list that have lines. What cannot be read, of the directory too, is noted in
 * `unread`. IMG_E_MEMORY. */
ImgStatus record_others_read(const char *directory, const RecordList *list, RecordOthers *others,
                             ImgError *err);

void record_others_free(RecordOthers *others);

#endif
