/* Whether a file was finished, by the lines of a record and of the others. */
#include <stdlib.h>
#include <string.h>

#include "app/batch/record/record_priv.h"

static bool is_input(const RecordLine *line, const char *input, const char *output)
{
    char *name = record_input_name(input, output);
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
