/* Private to record.c, record_lines.c and record_find.c. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_PRIV_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_PRIV_H

#include <pthread.h>

#include "app/batch/record/record.h"
#include "app/batch/record/record_others.h"
#include "app/batch/record/record_table.h"

struct Record {
    int fd;
    char *directory, *path;
    uint64_t steps;
    char *text;        /* the file as it was when it was opened */
    RecordTable table; /* of `text` */
    pthread_rwlock_t others_lock;
    RecordOthers others; /* guarded by that */
    pthread_mutex_t mutex;
    bool torn; /* guarded: the file ends within a line */
};

/* Reads what the file holds; writes it anew where it is long, and its first line where there is
 * none. */
ImgStatus record_read_lines(Record *record, ImgError *err);

/* INPUT of a line; NULL: no memory. The caller frees it. */
char *record_input_name(const char *input, const char *output);

#endif
