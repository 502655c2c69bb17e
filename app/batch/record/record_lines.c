/* Reads, rewrites and appends the lines of a record, and starts new runs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_priv.h"

/* --- Adding lines ----------------------------------------------------------------------------- */

static ImgStatus fail_write(const Record *record, int code, ImgError *err)
{
    return img_fail(err, img_errno_status(code), "%s: cannot be written: %s", record->path,
                    strerror(code));
}

/* Appends the text by a single write, so that, as far as the system allows, a line is written
 * completely or not at all. After a partial write, sets record->torn. */
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

char *record_input_name(const char *input, const char *output)
{
    return strcmp(input, output) == 0 ? strdup(record_same_file) : record_name_of(NULL, input);
}

/* Sets line->after to the state of the new file, `temporary`. The line must not match the old file,
 * which the new one is about to replace. Otherwise, if the program were killed before the rename,
 * the old file would count as finished. So if both files have the same state, the new file's time
 * is set two seconds later, one tick of the coarsest clock (FAT). If times must be kept, the line
 * instead contains the inode of the old file, which the line then does not match. An inode of the
 * new file would not survive copying the directory. */
static bool set_state(const Record *record, const char *temporary, const char *output,
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

static ImgStatus fail_state(const char *output, int code, ImgError *err)
{
    if (code == ENOENT) /* the temporary file is missing; img_output_commit reports this, too */
        return img_fail(err, IMG_E_TEMPORARY, "its temporary file was removed by another program");
    return img_fail(err, IMG_E_IO, "%s: cannot be recorded: %s", output, strerror(code));
}

static ImgStatus append_line(Record *record, const RecordLine *line, ImgError *err)
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
    if (!set_state(record, temporary, output, &line))
        return fail_state(output, errno, err);
    ImgStatus status = IMG_E_MEMORY;
    char *output_name = record_name_of(record->directory, output);
    char *input_name = record_input_name(input, output);
    if (output_name != NULL && input_name != NULL) {
        line.output = output_name;
        line.output_size = strlen(output_name);
        line.input = input_name;
        line.input_size = strlen(input_name);
        status = append_line(record, &line, err);
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

/* --- Starting a new run -------------------------------------------------------------------------
 *
 * Starting a new run with --in-place makes all files unfinished, so that they are processed again.
 * Lines of this record with the same steps are removed. Lines of other records belong to other
 * processes, and lines of other steps are needed by runs with those steps; both stay. New lines in
 * this record, which mean "not done", override them. */

static ImgStatus no_memory(const char *output, ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "%s: no memory to start the record", output);
}

/* Returns true if the line says that the steps of this run finished a file in place. */
static bool marks_finished(const Record *record, const RecordEntry *entry)
{
    const RecordLine *line = &entry->line;
    return !entry->forgotten && line->steps == record->steps && record_line_is_in_place(line);
}

/* Returns true if the line states that a file was finished in place, by these or other steps. */
static bool is_result(const RecordEntry *entry)
{
    return !entry->forgotten && entry->line.steps != RECORD_BEGUN &&
           record_line_is_in_place(&entry->line);
}

static void forget_own(Record *record, const char *name)
{
    RecordTable *table = &record->table;
    for (size_t at = record_table_last(table, name); at != 0; at = table->entries[at - 1].earlier)
        if (marks_finished(record, &table->entries[at - 1])) {
            table->entries[at - 1].forgotten = true;
            record->forgets = true;
        }
}

/* Sets *begun to a "not done" line that overrides `line`, for the state that `line` describes. If
 * times are kept, the file can have this state again after it is processed. Therefore the new line
 * also contains the inode of the present file in this case. If times are kept and the file is in
 * another state, no new line is necessary: sets *needed to false. */
static ImgStatus state_to_begin(const Record *record, const char *output, const RecordLine *line,
                                RecordLine *begun, bool *needed, ImgError *err)
{
    FileState now;
    *needed = true;
    *begun = *line;
    begun->steps = RECORD_BEGUN;
    begun->inode = 0;
    if (!record->keeps_times)
        return IMG_OK;
    ImgStatus status = file_state_find(output, needed, &now, err);
    *needed = status == IMG_OK && *needed && record_line_fits(line, &now);
    begun->inode = now.inode;
    return status;
}

/* Appends the line, as text, to record->begun, the lines that are written when the run starts. */
static bool add_line(Record *record, const RecordLine *line)
{
    char *text = record_line_write(line);
    size_t length = text != NULL ? strlen(text) : 0;
    char *longer = text != NULL ? realloc(record->begun, record->begun_size + length) : NULL;
    if (longer != NULL) {
        for (size_t i = 0; i < length; i++) /* copied without its zero byte, as more lines follow */
            longer[record->begun_size + i] = text[i];
        record->begun = longer;
        record->begun_size += length;
    }
    free(text);
    return longer != NULL;
}

/* Returns whether this record already has a line that means "not done" for the file in this
 * state. */
static bool has_begun(const Record *record, const char *name, const FileState *state)
{
    const RecordTable *table = &record->table;
    size_t at = record_table_last(table, name);
    while ((at = record_table_find(table, at, state)) != 0) {
        const RecordLine *line = &table->entries[at - 1].line;
        if (line->steps != RECORD_BEGUN || record_line_begins(line, record->steps))
            return line->steps == RECORD_BEGUN;
        at = table->entries[at - 1].earlier;
    }
    return false;
}

/* Adds a "not done" line that overrides `line`, a line from another record or from a run with other
 * steps. Adds none if an earlier line already does that. */
static ImgStatus override_line(Record *record, const char *output, const char *name,
                               const RecordLine *line, ImgError *err)
{
    char input[RECORD_BEGUN_INPUT_SIZE + 1];
    RecordLine begun;
    bool needed;
    ImgStatus status = state_to_begin(record, output, line, &begun, &needed, err);
    if (status != IMG_OK || !needed)
        return status;
    FileState state = begun.after;
    state.inode = begun.inode;
    if (has_begun(record, name, &state))
        return IMG_OK;
    record_begun_input(record->steps, input);
    begun.input = input;
    begun.input_size = RECORD_BEGUN_INPUT_SIZE;
    return add_line(record, &begun) ? IMG_OK : no_memory(output, err);
}

static ImgStatus override_table(Record *record, const RecordTable *table, const char *output,
                                const char *name, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t at = record_table_last(table, name); status == IMG_OK && at != 0;
         at = table->entries[at - 1].earlier)
        if (is_result(&table->entries[at - 1]))
            status = override_line(record, output, name, &table->entries[at - 1].line, err);
    return status;
}

static ImgStatus override_all(Record *record, const char *output, const char *name, ImgError *err)
{
    ImgStatus status = override_table(record, &record->table, output, name, err);
    for (size_t i = 0; status == IMG_OK && i < record->others.count; i++)
        status = override_table(record, &record->others.list[i].table, output, name, err);
    return status;
}

ImgStatus record_forget(Record *record, const char *output, ImgError *err)
{
    if (record == NULL || (record->table.count == 0 && record->others.count == 0))
        return IMG_OK;
    char *name = record_name_of(record->directory, output);
    if (name == NULL)
        return no_memory(output, err);
    forget_own(record, name);
    ImgStatus status = override_all(record, output, name, err);
    free(name);
    return status;
}

/* --- Several directories ---------------------------------------------------------------------- */

/* Length, in bytes, of the OUTPUT of a line that notes the start of a run. It is "=" and the hash
 * of the steps, 16 hexadecimal digits. It cannot be the name of a file, since encoded names never
 * contain "=". */
enum { BEGINNING_SIZE = 1 + 16 };

static void name_beginning(const Record *record, char name[BEGINNING_SIZE + 1])
{
    snprintf(name, BEGINNING_SIZE + 1, "=%016" PRIx64, record->steps);
}

/* Makes the line that notes the start of a run. `steps` is record->steps while the start is in
 * progress, and RECORD_BEGUN when it is complete. */
static RecordLine beginning_line(uint64_t steps, const char name[BEGINNING_SIZE + 1])
{
    return (RecordLine){.steps = steps,
                        .output = name,
                        .output_size = BEGINNING_SIZE,
                        .input = record_same_file,
                        .input_size = strlen(record_same_file)};
}

static bool add_beginning(Record *record)
{
    char name[BEGINNING_SIZE + 1];
    name_beginning(record, name);
    RecordLine line = beginning_line(record->steps, name);
    record->half_begun = add_line(record, &line);
    return record->half_begun;
}

/* Sets record->half_begun to true if the last start of a run with these steps was noted as in
 * progress, but not as complete. */
static void look_for_beginning(Record *record)
{
    char name[BEGINNING_SIZE + 1];
    name_beginning(record, name);
    size_t last = record_table_last(&record->table, name);
    record->half_begun = last != 0 && record->table.entries[last - 1].line.steps == record->steps;
}

bool record_is_half_begun(const Record *record)
{
    return record != NULL && record->half_begun;
}

ImgStatus record_note_begun(Record *record, ImgError *err)
{
    char name[BEGINNING_SIZE + 1];
    name_beginning(record, name);
    RecordLine line = beginning_line(RECORD_BEGUN, name);
    ImgStatus status = append_line(record, &line, err);
    if (status == IMG_OK)
        status = record_sync(record, err);
    record->half_begun = status != IMG_OK;
    return status;
}

/* --- In one step ------------------------------------------------------------------------------ */

bool record_has_to_begin(const Record *record)
{
    return record != NULL && (record->forgets || record->begun_size > 0);
}

/* Returns the new content of the whole record, *size bytes. Returns NULL if there is no memory. The
 * caller frees it. */
static char *text_to_begin(const Record *record, size_t *size)
{
    char *text = record_table_text(&record->table, record->directory, record_head, size);
    char *whole = text != NULL ? realloc(text, *size + record->begun_size + 1) : NULL;
    if (whole == NULL) {
        free(text);
        return NULL;
    }
    if (record->begun_size > 0)
        memcpy(whole + *size, record->begun, record->begun_size);
    *size += record->begun_size;
    return whole;
}

ImgStatus record_begin(Record *record, bool of_several, ImgError *err)
{
    size_t size;
    char *text = !of_several || add_beginning(record) ? text_to_begin(record, &size) : NULL;
    if (text == NULL)
        return no_memory(record->path, err);
    bool done = record_file_replace(record->path, text, size, &record->fd);
    int code = errno;
    free(text);
    if (!done)
        return img_fail(err, img_errno_status(code), "%s: cannot be rewritten: %s", record->path,
                        strerror(code));
    record->torn = false;
    return IMG_OK;
}

void record_drop_others(Record *record)
{
    if (record != NULL)
        record_others_free(&record->others);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* A record is rewritten if it has more than FEW_LINES lines, and more than LINES_PER_OUTPUT lines
 * per output. */
enum { FEW_LINES = 1000, LINES_PER_OUTPUT = 2 };

/* State of the first line of the file, which must be record_head. */
typedef enum Head {
    HEAD_OURS,
    HEAD_TORN, /* the first line is incomplete, and no line follows */
    HEAD_OTHER,
} Head;

static Head find_head(const char *text, size_t size)
{
    size_t head = strlen(record_head);
    if (size >= head && memcmp(text, record_head, head) == 0)
        return HEAD_OURS;
    return size < head && memcmp(text, record_head, size) == 0 ? HEAD_TORN : HEAD_OTHER;
}

/* Rewrites a long record without its obsolete lines. On failure the record stays as it is, which is
 * valid. */
static void rewrite(Record *record)
{
    size_t size;
    char *text = record_table_text(&record->table, record->directory, record_head, &size);
    if (text != NULL && record_file_replace(record->path, text, size, &record->fd))
        record->torn = false;
    free(text);
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
    look_for_beginning(record);
    record->torn = record->text[size - 1] != '\n';
    if (head == HEAD_OTHER ||
        (table->lines > FEW_LINES && table->lines > LINES_PER_OUTPUT * table->names))
        rewrite(record);
    return IMG_OK;
}
