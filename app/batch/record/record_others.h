/* The records of other processes in the same directory. They are only read. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_OTHERS_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_OTHERS_H

#include "app/batch/record/record_name.h"
#include "app/batch/record/record_table.h"
#include "kernels/core/status.h"

typedef struct RecordOther {
    char *text;
    RecordTable table; /* the lines in `text` */
} RecordOther;

/* A list of records. Initialise it with zeros, and free it with record_others_free. */
typedef struct RecordOthers {
    RecordOther *list;
    size_t count;
    /* The reason why a record, or the list of records, could not be read; or IMG_OK. */
    ImgError unread;
} RecordOthers;

/* Reads all records of the list, and keeps those that have lines. If reading fails, `unread` has
 * the error, and the function succeeds. Fails with IMG_E_MEMORY. */
ImgStatus record_others_read(const char *directory, const RecordList *list, RecordOthers *others,
                             ImgError *err);

void record_others_free(RecordOthers *others);

#endif
