/* A run begins that continues none: what earlier ones finished in place is to be done again. Lines
 * of the own record about the same steps are left out. The lines of other records are not ours to
 * change, and those about other steps stay for a run by these: lines of our own answer both. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/record/record_file.h"
#include "app/batch/record/record_priv.h"
#include "io/errno_status.h"

static ImgStatus no_memory(const char *output, ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "%s: no memory to start the record", output);
}

/* By which the file at `output` would be taken for finished. */
static bool says_finished(const Record *record, const RecordEntry *entry)
{
    const RecordLine *line = &entry->line;
    return !entry->forgotten && line->steps == record->steps && record_line_is_in_place(line);
}

/* By which the file at `output` is what a run has made of it, by these steps or others. */
static bool is_result(const RecordEntry *entry)
{
    return !entry->forgotten && entry->line.steps != RECORD_BEGUN &&
           record_line_is_in_place(&entry->line);
}

static void forget_own(Record *record, const char *name)
{
    RecordTable *table = &record->table;
    for (size_t at = record_table_last(table, name); at != 0; at = table->entries[at - 1].earlier)
        if (says_finished(record, &table->entries[at - 1])) {
            table->entries[at - 1].forgotten = true;
            record->forgets = true;
        }
}

/* The state in which the file is to be done: that of the line, which is the file's, or never was or
 * will be. Where times are kept the state may come back, so that there it is the file as it is. */
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

/* To record->begun. */
static bool add_line(Record *record, const RecordLine *line)
{
    char *text = record_line_write(line);
    size_t length = text != NULL ? strlen(text) : 0;
    char *longer = text != NULL ? realloc(record->begun, record->begun_size + length) : NULL;
    if (longer != NULL) {
        for (size_t i = 0; i < length; i++) /* without an end: more lines follow */
            longer[record->begun_size + i] = text[i];
        record->begun = longer;
        record->begun_size += length;
    }
    free(text);
    return longer != NULL;
}

/* Does the own record say already that the run begins with the file in this state? */
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

/* One line that stays: of another record, or about other steps. */
static ImgStatus answer(Record *record, const char *output, const char *name,
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

static ImgStatus answer_table(Record *record, const RecordTable *table, const char *output,
                              const char *name, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t at = record_table_last(table, name); status == IMG_OK && at != 0;
         at = table->entries[at - 1].earlier)
        if (is_result(&table->entries[at - 1]))
            status = answer(record, output, name, &table->entries[at - 1].line, err);
    return status;
}

static ImgStatus answer_all(Record *record, const char *output, const char *name, ImgError *err)
{
    ImgStatus status = answer_table(record, &record->table, output, name, err);
    for (size_t i = 0; status == IMG_OK && i < record->others.count; i++)
        status = answer_table(record, &record->others.list[i].table, output, name, err);
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
    ImgStatus status = answer_all(record, output, name, err);
    free(name);
    return status;
}

/* --- Several directories ---------------------------------------------------------------------- */

/* OUTPUT of lines that tell of a beginning: of a file it would be encoded. By whose steps it is, as
 * those of others stand beside it. */
enum { BEGINNING_SIZE = 1 + 16 };

static void name_beginning(const Record *record, char name[BEGINNING_SIZE + 1])
{
    snprintf(name, BEGINNING_SIZE + 1, "=%016" PRIx64, record->steps);
}

/* `steps` are the record's: a run is beginning; or RECORD_BEGUN: it has begun. */
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

void record_look_for_beginning(Record *record)
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
    ImgStatus status = record_append(record, &line, err);
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

/* The record as it is to be; NULL without memory. */
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
