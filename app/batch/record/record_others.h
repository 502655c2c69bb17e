/* Records of other processes in the same directory. They are read and never changed. */
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
    ImgError unread; /* why one of them, or their list, could not be read; or IMG_OK */
} RecordOthers;

/* Reads all records of the list that have lines. Read errors, also of the directory, go to
 * `unread`. IMG_E_MEMORY. */
ImgStatus record_others_read(const char *directory, const RecordList *list, RecordOthers *others,
                             ImgError *err);

void record_others_free(RecordOthers *others);

#endif
