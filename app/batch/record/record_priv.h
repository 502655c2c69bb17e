/* The struct behind Record. Private to record.c, record_find.c and record_lines.c. */
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
    char *text;        /* content of the file when it was opened */
    RecordTable table; /* index of the lines in `text` */
    bool keeps_times;  /* outputs get the times of their inputs (--preserve) */
    bool forgets;      /* some lines will be left out when the run starts */
    /* Lines to add when the run starts, begun_size bytes without a zero byte; or NULL. */
    char *begun;
    size_t begun_size;
    bool half_begun; /* the file notes that a start with the same steps is in progress */
    pthread_rwlock_t others_lock;
    RecordOthers others; /* protected by others_lock */
    pthread_mutex_t mutex;
    bool torn; /* the file ends within a line; protected by `mutex` */
};

/* Reads the lines of the file. Rewrites a file with many obsolete lines. Writes the first line of
 * an empty file. */
ImgStatus record_read_lines(Record *record, ImgError *err);

/* Returns the INPUT of a line about these two paths. The caller frees it; NULL: no memory. */
char *record_input_name(const char *input, const char *output);

#endif
