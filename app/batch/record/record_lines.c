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
 * we are killed before the rename. Two seconds are a tick of the coarsest clock, that of FAT. */
static bool settle_state(const char *temporary, const char *output, FileState *state)
{
    FileState old;
    if (!file_state(temporary, state))
        return false;
    if (!file_state(output, &old))
        return errno == ENOENT || errno == ENOTDIR;
    if (!file_state_equal(&old, state))
        return true;
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

/* The text of a line, after a newline, which whoever needs none skips. NULL: no memory. */
static char *line_text(const Record *record, RecordLine *line, const char *input,
                       const char *output)
{
    char *text = NULL, *result = NULL;
    char *output_name = record_name_of(record->directory, output);
    char *name = record_input_name(input, output);
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
        return fail_settle(output, errno, err);
    char *text = line_text(record, &line, input, output);
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "%s: no memory", output);
    pthread_mutex_lock(&record->mutex);
    ImgStatus status = append(record, record->torn ? text : text + 1, err);
    pthread_mutex_unlock(&record->mutex);
    free(text);
    return status;
}

ImgStatus record_sync(Record *record, ImgError *err)
{
    bool can = record == NULL || fdatasync(record->fd) == 0 || errno == EINVAL;
    return can ? IMG_OK : fail_write(record, errno, err);
}
