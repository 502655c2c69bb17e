/* Private interface of record.c, record_find.c and record_lines.c. */
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
    RecordTable table; /* of `text` */
    bool keeps_times;  /* outputs keep the times of their inputs */
    bool forgets;      /* some lines are left out when the run starts */
    char *begun;       /* lines to add when the run starts, without a zero byte; or NULL */
    size_t begun_size;
    bool half_begun; /* the file notes a start with the same steps that did not complete */
    pthread_rwlock_t others_lock;
    RecordOthers others; /* guarded by others_lock */
    pthread_mutex_t mutex;
    bool torn; /* the file ends within a line; guarded by `mutex` */
};

/* Reads the lines of the file. Rewrites a file with many obsolete lines, and writes the first line
 * of an empty one. */
ImgStatus record_read_lines(Record *record, ImgError *err);

/* Returns INPUT of a line. The caller frees it; NULL: no memory. */
char *record_input_name(const char *input, const char *output);

#endif
