/* Whether a file was finished, by the lines of a record and of the others. */
#include <stdlib.h>
#include <string.h>

#include "app/batch/record/record_priv.h"

/* What is looked for. */
typedef struct Wanted {
    const char *input, *output; /* paths */
    char *input_name, *output_name;
    FileState before, after; /* of the files as they are now */
    bool input_is_there;
} Wanted;

static bool is_in_place(const char *input, const char *output)
{
    return strcmp(input, output) == 0;
}

/* Of a file that was replaced by its result there is nothing to compare with but the result. */
static bool fits(const Record *record, const RecordLine *line, const Wanted *wanted)
{
    return line->steps == record->steps && line->input_size == strlen(wanted->input_name) &&
           memcmp(line->input, wanted->input_name, line->input_size) == 0 &&
           (is_in_place(wanted->input, wanted->output) ||
            (wanted->input_is_there && file_state_equal(&wanted->before, &line->before)));
}

/* What records tell of an output as it is. */
typedef struct Told {
    bool finished, begun;
    bool by_others; /* it is the result, in place, of other steps */
} Told;

/* The latest line in each record about the file in this state counts. Lines about a run of other
 * steps, which begins with it, say nothing. */
static void look_in(const Record *record, const RecordTable *table, const Wanted *wanted,
                    Told *told)
{
    size_t at = record_table_last(table, wanted->output_name);
    while ((at = record_table_find(table, at, &wanted->after)) != 0) {
        const RecordLine *line = &table->entries[at - 1].line;
        const bool begins = line->steps == RECORD_BEGUN;
        at = table->entries[at - 1].earlier;
        if (begins && !record_line_begins(line, record->steps))
            continue;
        const bool finished = !begins && fits(record, line, wanted);
        told->begun |= begins;
        told->finished |= finished;
        told->by_others |= !begins && !finished && record_line_is_in_place(line);
        return;
    }
}

static Told look_in_all(const Record *record, const Wanted *wanted)
{
    Told told = {false, false, false};
    look_in(record, &record->table, wanted, &told);
    for (size_t i = 0; i < record->others.count; i++)
        look_in(record, &record->others.list[i].table, wanted, &told);
    return told;
}

void record_read_others(Record *record)
{
    RecordList list = {0};
    RecordOthers others = {0};
    if (record_list_read(record->directory, record->path, &list, NULL) == IMG_OK)
        (void)record_others_read(record->directory, &list, &others, NULL);
    record_list_free(&list);
    pthread_rwlock_wrlock(&record->others_lock);
    RecordOthers before = record->others;
    record->others = others;
    pthread_rwlock_unlock(&record->others_lock);
    record_others_free(&before);
}

static ImgStatus look_at_input(Wanted *wanted, ImgError *err)
{
    if (is_in_place(wanted->input, wanted->output))
        return IMG_OK;
    return file_state_find(wanted->input, &wanted->input_is_there, &wanted->before, err);
}

static ImgStatus look(const Record *record, Wanted *wanted, Told *told, ImgError *err)
{
    bool there;
    ImgStatus status = file_state_find(wanted->output, &there, &wanted->after, err);
    if (status != IMG_OK || !there)
        return status;
    wanted->output_name = record_name_of(record->directory, wanted->output);
    wanted->input_name = record_input_name(wanted->input, wanted->output);
    if (wanted->output_name == NULL || wanted->input_name == NULL)
        return img_fail(err, IMG_E_MEMORY, "%s: no memory to look whether it was finished",
                        wanted->output);
    status = look_at_input(wanted, err);
    if (status == IMG_OK)
        *told = look_in_all(record, wanted);
    return status;
}

static ImgStatus ask(Record *record, const char *input, const char *output, Told *told,
                     ImgError *err)
{
    Wanted wanted = {.input = input, .output = output};
    *told = (Told){false, false, false};
    if (record == NULL)
        return IMG_OK;
    pthread_rwlock_rdlock(&record->others_lock);
    bool has_lines = record->table.count > 0 || record->others.count > 0;
    ImgStatus status = has_lines ? look(record, &wanted, told, err) : IMG_OK;
    pthread_rwlock_unlock(&record->others_lock);
    free(wanted.output_name);
    free(wanted.input_name);
    return status;
}

ImgStatus record_has(Record *record, const char *input, const char *output, bool *has,
                     ImgError *err)
{
    Told told;
    ImgStatus status = ask(record, input, output, &told, err);
    *has = told.finished && !told.begun;
    return status;
}

ImgStatus record_has_other(Record *record, const char *output, bool *other, ImgError *err)
{
    Told told;
    ImgStatus status = ask(record, output, output, &told, err);
    *other = told.by_others && !told.finished && !told.begun;
    return status;
}
