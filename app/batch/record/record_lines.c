/* What the file of a record holds: read, written anew, added to. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_file.h"
#include "app/batch/record/record_priv.h"
#include "io/errno_status.h"

/* A record is written anew when it has more lines than this, and so many times more than it has
 * outputs. */
enum { FEW_LINES = 1000, LINES_PER_OUTPUT = 2 };

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

ImgStatus record_read_lines(Record *record, ImgError *err)
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
    record_look_for_beginning(record);
    record->torn = record->text[size - 1] != '\n';
    if (head == HEAD_OTHER ||
        (table->lines > FEW_LINES && table->lines > LINES_PER_OUTPUT * table->names))
        write_anew(record);
    return IMG_OK;
}

char *record_input_name(const char *input, const char *output)
{
    return strcmp(input, output) == 0 ? strdup(record_same_file) : record_name_of(NULL, input);
}

/* A line must not fit the file that the new one will replace: that would be taken for finished if
 * we are killed before the rename. Two seconds are a tick of the coarsest clock, that of FAT. A
 * time that is kept stays, and the line says which file it does not mean: not which it means, as
 * a directory that is copied or moved elsewhere has its files under other numbers. */
static bool settle_state(const Record *record, const char *temporary, const char *output,
                         RecordLine *line)
{
    FileState old, *state = &line->after;
    if (!file_state(temporary, state))
        return false;
    if (!file_state(output, &old))
        return errno == ENOENT || errno == ENOTDIR;
    if (!file_state_equal(&old, state))
        return true;
    if (record->keeps_times) {
        line->inode = old.inode;
        return true;
    }
    const struct timespec times[2] = {
        {.tv_sec = 0, .tv_nsec = UTIME_OMIT},
        {.tv_sec = state->seconds + 2, .tv_nsec = state->nanoseconds},
    };
    return utimensat(AT_FDCWD, temporary, times, 0) == 0 && file_state(temporary, state);
}

static ImgStatus fail_settle(const char *output, int code, ImgError *err)
{
    if (code == ENOENT) /* see img_output_commit */
        return img_fail(err, IMG_E_TEMPORARY, "its temporary file was removed by another program");
    return img_fail(err, IMG_E_IO, "%s: cannot be recorded: %s", output, strerror(code));
}

ImgStatus record_append(Record *record, const RecordLine *line, ImgError *err)
{
    char *text = record_line_write(line), *after_newline = NULL;
    if (text == NULL || asprintf(&after_newline, "\n%s", text) < 0) {
        free(text);
        return img_fail(err, IMG_E_MEMORY, "%s: no memory to add to it", record->path);
    }
    pthread_mutex_lock(&record->mutex);
    ImgStatus status = append(record, record->torn ? after_newline : text, err);
    pthread_mutex_unlock(&record->mutex);
    free(text);
    free(after_newline);
    return status;
}

ImgStatus record_add(Record *record, const char *input, const FileState *before,
                     const char *temporary, const char *output, ImgError *err)
{
    RecordLine line = {.steps = record->steps, .before = *before};
    if (!settle_state(record, temporary, output, &line))
        return fail_settle(output, errno, err);
    ImgStatus status = IMG_E_MEMORY;
    char *output_name = record_name_of(record->directory, output);
    char *input_name = record_input_name(input, output);
    if (output_name != NULL && input_name != NULL) {
        line.output = output_name;
        line.output_size = strlen(output_name);
        line.input = input_name;
        line.input_size = strlen(input_name);
        status = record_append(record, &line, err);
    } else {
        (void)img_fail(err, status, "%s: no memory", output);
    }
    free(output_name);
    free(input_name);
    return status;
}

ImgStatus record_sync(Record *record, ImgError *err)
{
    bool can = record == NULL || fdatasync(record->fd) == 0 || errno == EINVAL;
    return can ? IMG_OK : fail_write(record, errno, err);
}
