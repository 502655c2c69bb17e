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

/* Of a file that was replaced by its result there is nothing to compare with but the result.
 * `line` may be NULL. */
static bool fits(const Record *record, const RecordLine *line, const Wanted *wanted)
{
    return line != NULL && line->steps == record->steps &&
           line->input_size == strlen(wanted->input_name) &&
           memcmp(line->input, wanted->input_name, line->input_size) == 0 &&
           (is_in_place(wanted->input, wanted->output) ||
            (wanted->input_is_there && file_state_equal(&wanted->before, &line->before)));
}

static bool is_in(const Record *record, const RecordTable *table, const Wanted *wanted)
{
    return table->count > 0 &&
           fits(record, record_table_find(table, wanted->output_name, &wanted->after), wanted);
}

static bool find_line(const Record *record, const Wanted *wanted)
{
    bool found = is_in(record, &record->table, wanted);
    for (size_t i = 0; !found && i < record->others.count; i++)
        found = is_in(record, &record->others.list[i].table, wanted);
    return found;
}

void record_read_others(Record *record)
{
    RecordOthers others = {0};
    (void)record_others_read(record->directory, record->path, &others, NULL);
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

static ImgStatus has_line(const Record *record, Wanted *wanted, bool *has, ImgError *err)
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
        *has = find_line(record, wanted);
    return status;
}

ImgStatus record_has(Record *record, const char *input, const char *output, bool *has,
                     ImgError *err)
{
    Wanted wanted = {.input = input, .output = output};
    *has = false;
    if (record == NULL)
        return IMG_OK;
    pthread_rwlock_rdlock(&record->others_lock);
    bool has_lines = record->table.count > 0 || record->others.count > 0;
    ImgStatus status = has_lines ? has_line(record, &wanted, has, err) : IMG_OK;
    pthread_rwlock_unlock(&record->others_lock);
    free(wanted.output_name);
    free(wanted.input_name);
    return status;
}
