/* Opens and closes records. record_lines.c reads and writes the lines, and record_find.c searches
 * them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/record/record.h"
#include "app/batch/record/record_priv.h"
#include "app/text/paths.h"

static ImgStatus make_names(Record *record, const char *directory, const Shard *shard,
                            ImgError *err)
{
    char part[SHARD_TEXT];
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    record->directory = strdup(length > 0 ? directory : ".");
    if (record->directory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    const char *dot = shard->count > 0 ? "." : "";
    if (asprintf(&record->path, "%s%s%s%s%s", record->directory, slash, record_name, dot,
                 shard_text(shard, part)) < 0) {
        record->path = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    return IMG_OK;
}

static ImgStatus create(const char *directory, const Shard *shard, const char *steps,
                        Record **record, ImgError *err)
{
    Record *created = *record = calloc(1, sizeof **record);
    if (created == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    created->fd = -1;
    created->steps = record_hash(steps, strlen(steps));
    pthread_mutex_init(&created->mutex, NULL);
    pthread_rwlock_init(&created->others_lock, NULL);
    return make_names(created, directory, shard, err);
}

static ImgStatus unless_failed(ImgStatus status, Record **record)
{
    if (status != IMG_OK) {
        (void)record_close(*record, NULL);
        *record = NULL;
    }
    return status;
}

/* Fails if another batch that may process the same files has locked a record of this directory.
 * Parts of one batch have no files in common, and may run at the same time. A whole batch, or a
 * batch with another number of parts, may have the same files. Call it after the record of this
 * batch is locked. If two batches start at the same time, at least one of them then sees the lock
 * of the other. */
static ImgStatus check_rivals(const Record *record, const RecordList *list, ImgError *err)
{
    uint64_t own = record_name_parts(path_name(record->path));
    for (size_t i = 0; i < list->count; i++) {
        const char *name = path_name(list->paths[i]);
        if (record_name_parts(name) != own && record_file_is_held(list->paths[i]))
            return img_fail(err, IMG_E_TEMPORARY,
                            "%s: another imgtool batch is running in this directory, %s (%s is "
                            "locked); wait until it ends",
                            record->directory,
                            strcmp(name, record_name) == 0 ? "as a whole" : "in other parts", name);
    }
    return IMG_OK;
}

static ImgStatus read_others(Record *record, const RecordList *list, RecordScope scope,
                             ImgError *err)
{
    ImgStatus status = record_others_read(record->directory, list, &record->others, err);
    const ImgError *unread = &record->others.unread;
    if (status == IMG_OK && scope == RECORD_WITH_ALL_OTHERS && unread->status != IMG_OK)
        status = img_fail(err, unread->status, "%s", unread->message);
    return status;
}

ImgStatus record_open_shard(const char *directory, const Shard *shard, RecordScope scope,
                            const char *steps, Record **record, ImgError *err)
{
    RecordList list = {0};
    ImgStatus status = create(directory, shard, steps, record, err);
    if (status == IMG_OK)
        status = record_file_open(shard->count > 0 ? (*record)->path : (*record)->directory,
                                  (*record)->path, &(*record)->fd, err);
    if (status == IMG_OK)
        status = record_list_read((*record)->directory, (*record)->path, &list, err);
    if (status == IMG_OK)
        status = check_rivals(*record, &list, err);
    if (status == IMG_OK)
        status = record_read_lines(*record, err);
    if (status == IMG_OK && scope != RECORD_ALONE)
        status = read_others(*record, &list, scope, err);
    record_list_free(&list);
    return unless_failed(status, record);
}

ImgStatus record_open_to_read(const char *directory, RecordScope scope, const char *steps,
                              Record **record, ImgError *err)
{
    RecordList list = {0};
    ImgStatus status = create(directory, &(Shard){0, 0}, steps, record, err);
    if (status == IMG_OK)
        status = record_list_read((*record)->directory, NULL, &list, err);
    if (status == IMG_OK)
        status = read_others(*record, &list, scope, err);
    record_list_free(&list);
    if (status == IMG_OK && (*record)->others.count == 0) {
        (void)record_close(*record, NULL);
        *record = NULL;
    }
    return unless_failed(status, record);
}

void record_keep_times(Record *record)
{
    record->keeps_times = true;
}

ImgStatus record_close(Record *record, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (record == NULL)
        return status;
    if (record->fd >= 0 && close(record->fd) != 0 && errno != EINTR)
        status = img_fail(err, img_errno_status(errno),
                          "%s: cannot be written: %s; --resume may repeat finished files",
                          record->path, strerror(errno));
    pthread_mutex_destroy(&record->mutex);
    pthread_rwlock_destroy(&record->others_lock);
    record_table_free(&record->table);
    record_others_free(&record->others);
    free(record->begun);
    free(record->text);
    free(record->directory);
    free(record->path);
    free(record);
    return status;
}
