#include "app/batch/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_file.h"
#include "app/batch/record/record_name.h"
#include "app/batch/record/record_others.h"
#include "app/batch/record/record_table.h"
#include "io/errno_status.h"

/* A record is written anew when it has more lines than this, and so many times more than it has
 * outputs. */
enum { FEW_LINES = 1000, LINES_PER_OUTPUT = 2 };

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

/* What the file begins with. */
typedef enum Head {
    HEAD_OURS,
    HEAD_TORN, /* the first line did not reach the disk, or not all of it, and nothing follows */
    HEAD_OTHER,
} Head;

static Head find_head(const char *text, size_t size)
{
    size_t head = strlen(record_head);
    if (size >= head && memcmp(text, record_head, head) == 0)
        return HEAD_OURS;
    return size < head && memcmp(text, record_head, size) == 0 ? HEAD_TORN : HEAD_OTHER;
}

/* A record that cannot be written anew stays as it is: it is not wrong, only long. */
static void write_anew(Record *record)
{
    size_t size;
    char *text = record_table_text(&record->table, record->directory, record_head, &size);
    if (text != NULL && record_file_replace(record->path, text, size, &record->fd))
        record->torn = false;
    free(text);
}

static ImgStatus fail_write(const Record *record, int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "%s: cannot be written: %s", record->path,
                    strerror(code));
}

/* In one call, because a line is to be there whole or not at all, as far as the system can. After
 * a part of one the next starts on a line of its own. */
static ImgStatus append(Record *record, const char *text, ImgError *err)
{
    size_t size = strlen(text);
    ssize_t n;
    do
        n = write(record->fd, text, size);
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)size) {
        record->torn = false;
        return IMG_OK;
    }
    if (n > 0)
        record->torn = true;
    return fail_write(record, n < 0 ? errno : ENOSPC, err);
}

static ImgStatus write_head(Record *record, ImgError *err)
{
    if (ftruncate(record->fd, 0) != 0)
        return fail_write(record, errno, err);
    return append(record, record_head, err);
}

static ImgStatus read_lines(Record *record, ImgError *err)
{
    size_t size;
    ImgStatus status = record_file_read(record->fd, record->path, &record->text, &size, err);
    if (status != IMG_OK)
        return status;
    Head head = find_head(record->text, size);
    size_t skip = head == HEAD_OURS ? strlen(record_head) : 0;
    if (head == HEAD_TORN)
        return write_head(record, err);
    if (!record_table_make(record->text + skip, size - skip, &record->table))
        return img_fail(err, IMG_E_MEMORY, "%s: no memory to read it", record->path);
    const RecordTable *table = &record->table;
    if (head == HEAD_OTHER && table->count == 0)
        return img_fail(err, IMG_E_IO,
                        "%s: is not a record of this version of imgtool batch; move it away",
                        record->path);
    record->torn = record->text[size - 1] != '\n';
    if (head == HEAD_OTHER ||
        (table->lines > FEW_LINES && table->lines > LINES_PER_OUTPUT * table->names))
        write_anew(record);
    return IMG_OK;
}

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
        record_close(*record);
        *record = NULL;
    }
    return status;
}

ImgStatus record_open_shard(const char *directory, const Shard *shard, bool with_others,
                            const char *steps, Record **record, ImgError *err)
{
    ImgStatus status = create(directory, shard, steps, record, err);
    if (status == IMG_OK)
        status = record_file_open(shard->count > 0 ? (*record)->path : (*record)->directory,
                                  (*record)->path, &(*record)->fd, err);
    if (status == IMG_OK)
        status = read_lines(*record, err);
    if (status == IMG_OK && with_others)
        status = record_others_read((*record)->directory, (*record)->path, &(*record)->others, err);
    return unless_failed(status, record);
}

ImgStatus record_open(const char *directory, const char *steps, Record **record, ImgError *err)
{
    return record_open_shard(directory, &(Shard){0, 0}, true, steps, record, err);
}

ImgStatus record_open_to_read(const char *directory, const char *steps, Record **record,
                              ImgError *err)
{
    ImgStatus status = create(directory, &(Shard){0, 0}, steps, record, err);
    if (status == IMG_OK)
        status = record_others_read((*record)->directory, NULL, &(*record)->others, err);
    if (status == IMG_OK && (*record)->others.count == 0) {
        record_close(*record);
        *record = NULL;
    }
    return unless_failed(status, record);
}

/* INPUT of a line; NULL: no memory. The caller frees it. */
static char *input_name(const char *input, const char *output)
{
    return strcmp(input, output) == 0 ? strdup(record_same_file) : record_name_of(NULL, input);
}

static bool is_input(const RecordLine *line, const char *input, const char *output)
{
    char *name = input_name(input, output);
    bool same = name != NULL && line->input_size == strlen(name) &&
                memcmp(line->input, name, line->input_size) == 0;
    free(name);
    return same;
}

/* Of a file that was replaced by its result there is nothing to compare with but the result. */
static bool is_unchanged(const RecordLine *line, const char *input, const char *output)
{
    FileState now;
    return strcmp(input, output) == 0 ||
           (file_state(input, &now) && file_state_equal(&now, &line->before));
}

/* `line` may be NULL. */
static bool fits(const Record *record, const RecordLine *line, const char *input,
                 const char *output)
{
    return line != NULL && line->steps == record->steps && is_input(line, input, output) &&
           is_unchanged(line, input, output);
}

void record_read_others(Record *record)
{
    RecordOthers others = {NULL, 0};
    (void)record_others_read(record->directory, record->path, &others, NULL);
    pthread_rwlock_wrlock(&record->others_lock);
    RecordOthers before = record->others;
    record->others = others;
    pthread_rwlock_unlock(&record->others_lock);
    record_others_free(&before);
}

static bool has_line(const Record *record, const char *input, const char *output)
{
    FileState now;
    if ((record->table.count == 0 && record->others.count == 0) || !file_state(output, &now))
        return false;
    bool has = false;
    char *name = record_name_of(record->directory, output);
    if (name != NULL && record->table.count > 0)
        has = fits(record, record_table_find(&record->table, name, &now), input, output);
    for (size_t i = 0; name != NULL && !has && i < record->others.count; i++)
        has = fits(record, record_table_find(&record->others.list[i].table, name, &now), input,
                   output);
    free(name);
    return has;
}

bool record_has(Record *record, const char *input, const char *output)
{
    if (record == NULL)
        return false;
    pthread_rwlock_rdlock(&record->others_lock);
    bool has = has_line(record, input, output);
    pthread_rwlock_unlock(&record->others_lock);
    return has;
}

/* A line must not fit the file that the new one will replace: that would be taken for finished if
 * we are killed before the rename. Two seconds are a tick of the coarsest clock, that of FAT. */
static bool settle_state(const char *temporary, const char *output, FileState *state)
{
    FileState old;
    if (!file_state(temporary, state))
        return false;
    if (!file_state(output, &old) || !file_state_equal(&old, state))
        return true;
    const struct timespec times[2] = {
        {.tv_sec = 0, .tv_nsec = UTIME_OMIT},
        {.tv_sec = state->seconds + 2, .tv_nsec = state->nanoseconds},
    };
    return utimensat(AT_FDCWD, temporary, times, 0) == 0 && file_state(temporary, state);
}

/* The text of a line, after a newline, which whoever needs none skips. NULL: no memory. */
static char *line_text(const Record *record, RecordLine *line, const char *input,
                       const char *output)
{
    char *text = NULL, *result = NULL;
    char *output_name = record_name_of(record->directory, output);
    char *name = input_name(input, output);
    if (output_name != NULL && name != NULL) {
        line->output = output_name;
        line->output_size = strlen(output_name);
        line->input = name;
        line->input_size = strlen(name);
        text = record_line_write(line);
    }
    if (text != NULL && asprintf(&result, "\n%s", text) < 0)
        result = NULL;
    free(text);
    free(output_name);
    free(name);
    return result;
}

ImgStatus record_add(Record *record, const char *input, const FileState *before,
                     const char *temporary, const char *output, ImgError *err)
{
    RecordLine line = {.steps = record->steps, .before = *before};
    if (!settle_state(temporary, output, &line.after))
        return img_fail(err, IMG_E_IO, "%s: cannot be recorded: %s", output, strerror(errno));
    char *text = line_text(record, &line, input, output);
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "%s: no memory", output);
    pthread_mutex_lock(&record->mutex);
    ImgStatus status = append(record, record->torn ? text : text + 1, err);
    pthread_mutex_unlock(&record->mutex);
    free(text);
    return status;
}

void record_close(Record *record)
{
    if (record == NULL)
        return;
    if (record->fd >= 0)
        close(record->fd);
    pthread_mutex_destroy(&record->mutex);
    pthread_rwlock_destroy(&record->others_lock);
    record_table_free(&record->table);
    record_others_free(&record->others);
    free(record->text);
    free(record->directory);
    free(record->path);
    free(record);
}
