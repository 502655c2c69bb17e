/* Private to record.c, record_lines.c, record_find.c and record_begin.c. */
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
    bool keeps_times;  /* outputs have the times of their inputs */
    bool forgets;      /* there are lines that are to be left out */
    char *begun;       /* lines to be added then, without an end; or NULL */
    size_t begun_size;
    bool half_begun; /* the file tells of a beginning by the same steps, and not of its end */
    pthread_rwlock_t others_lock;
    RecordOthers others; /* guarded by that */
    pthread_mutex_t mutex;
    bool torn; /* guarded: the file ends within a line */
};

/* Reads what the file holds; writes it anew where it is long, and its first line where there is
 * none. */
ImgStatus record_read_lines(Record *record, ImgError *err);

/* Sets `half_begun`, from the lines. */
void record_look_for_beginning(Record *record);

/* Adds a line. IMG_E_IO, IMG_E_TEMPORARY, IMG_E_MEMORY. */
ImgStatus record_append(Record *record, const RecordLine *line, ImgError *err);

/* INPUT of a line; NULL: no memory. The caller frees it. */
char *record_input_name(const char *input, const char *output);

#endif
