/* Private interface of record*.c: the file of a record, the records of other processes, and the
 * struct behind Record. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_PRIV_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/batch/record/record.h"
#include "app/batch/record/record_table.h"
#include "kernels/core/status.h"

/* --- The file of a record --------------------------------------------------------------------- */

/* The first line of each record, including its newline. */
extern const char record_head[];

/* Opens or creates the file at `path` for reading and appending, and locks it. If another batch
 * holds the lock, the message names `directory`, otherwise `path`. For a part of a batch the caller
 * passes `path` for both, so that the message names the record of that part. */
ImgStatus record_file_open(const char *directory, const char *path, int *fd, ImgError *err);

/* Returns whether another process holds the lock of the record at `path`. Returns false if that
 * cannot be determined. */
bool record_file_is_held(const char *path);

/* Reads the whole file and appends a zero byte. The caller frees *text. */
ImgStatus record_file_read(int fd, const char *path, char **text, size_t *size, ImgError *err);

/* Replaces the file at `path` by a new file with this content. The new file is locked before it
 * gets the name. *fd then is the descriptor of the new file, and the old one is closed. On failure
 * returns false, sets errno, and changes nothing. */
bool record_file_replace(const char *path, const char *text, size_t size, int *fd);

/* --- Records of other processes in the same directory ----------------------------------------- */

typedef struct RecordOther {
    char *text;
    RecordTable table; /* the lines in `text` */
} RecordOther;

/* A list of records. Initialise it with zeros, and free it with record_others_free. */
typedef struct RecordOthers {
    RecordOther *list;
    size_t count;
    /* The first reason why a record, or the list of records, could not be read; its status is
     * IMG_OK if there is none. */
    ImgError unread;
} RecordOthers;

/* Reads all records of the list, and keeps those that have lines. If a record cannot be read, sets
 * `unread` to the error and goes on. Fails with IMG_E_MEMORY. */
ImgStatus record_others_read(const char *directory, const RecordList *list, RecordOthers *others,
                             ImgError *err);

void record_others_free(RecordOthers *others);

/* --- The record ------------------------------------------------------------------------------- */

struct Record {
    int fd;
    char *directory, *path;
    uint64_t steps;
    char *text;        /* content of the file when it was opened */
    RecordTable table; /* index of the lines in `text` */
    bool keeps_times;  /* outputs get the times of their inputs (--preserve) */
    bool forgets;      /* some lines must be removed when the run starts */
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

/* Returns the INPUT of a line about these two paths. Returns NULL if there is no memory. The caller
 * frees it. */
char *record_input_name(const char *input, const char *output);

#endif
