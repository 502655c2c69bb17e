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
} Told;

static void look_in(const Record *record, const RecordTable *table, const Wanted *wanted,
                    Told *told)
{
    if (told->finished && table->begun == 0) /* which could only say it again */
        return;
    const RecordLine *line = record_table_find(table, wanted->output_name, &wanted->after);
    told->begun |= line != NULL && line->steps == RECORD_BEGUN;
    told->finished |= line != NULL && fits(record, line, wanted);
}

static bool find_line(const Record *record, const Wanted *wanted)
{
    Told told = {false, false};
    look_in(record, &record->table, wanted, &told);
    for (size_t i = 0; i < record->others.count; i++)
        look_in(record, &record->others.list[i].table, wanted, &told);
    return told.finished && !told.begun;
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
