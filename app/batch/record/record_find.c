/* Determines from the lines of all records whether a file is finished. */
#include <stdlib.h>
#include <string.h>

#include "app/batch/record/record_priv.h"

/* A search for one output: paths, their names in records, and the present states of the files. */
typedef struct Wanted {
    const char *input, *output; /* paths, as in the plan */
    char *input_name, *output_name;
    FileState before, after; /* present states of input and output */
    bool input_is_there;
} Wanted;

static bool is_in_place(const char *input, const char *output)
{
    return strcmp(input, output) == 0;
}

/* Returns true if the line states that the steps of this run made the wanted output from the wanted
 * input, and that input is still in the state that the line contains. If the output replaced its
 * input, the state of the input is not compared, since the old file is gone. */
static bool fits(const Record *record, const RecordLine *line, const Wanted *wanted)
{
    return line->steps == record->steps && line->input_size == strlen(wanted->input_name) &&
           memcmp(line->input, wanted->input_name, line->input_size) == 0 &&
           (is_in_place(wanted->input, wanted->output) ||
            (wanted->input_is_there && file_state_equal(&wanted->before, &line->before)));
}

/* The result of searching the lines of all records for the output in its present state. `finished`:
 * the steps of this run made it. `begun`: a new run of these steps must process it. */
typedef struct Verdict {
    bool finished, begun;
    bool by_others; /* other steps replaced the file (--in-place) */
} Verdict;

/* Adds the result of one record to *verdict. Only the latest line that describes the present state
 * of the output counts. A line that means "not done" for other steps is skipped. */
static void judge_record(const Record *record, const RecordTable *table, const Wanted *wanted,
                         Verdict *verdict)
{
    size_t at = record_table_last(table, wanted->output_name);
    while ((at = record_table_find(table, at, &wanted->after)) != 0) {
        const RecordLine *line = &table->entries[at - 1].line;
        const bool begins = line->steps == RECORD_BEGUN;
        at = table->entries[at - 1].earlier;
        if (begins && !record_line_begins(line, record->steps))
            continue;
        const bool finished = !begins && fits(record, line, wanted);
        verdict->begun |= begins;
        verdict->finished |= finished;
        verdict->by_others |= !begins && !finished && record_line_is_in_place(line);
        return;
    }
}

static Verdict judge_all(const Record *record, const Wanted *wanted)
{
    Verdict verdict = {false, false, false};
    judge_record(record, &record->table, wanted, &verdict);
    for (size_t i = 0; i < record->others.count; i++)
        judge_record(record, &record->others.list[i].table, wanted, &verdict);
    return verdict;
}

void record_read_others(Record *record)
{
    RecordList list = {0};
    RecordOthers others = {0};
    /* The own record is among them: a process that was considered crashed may take over files that
     * it finished itself. */
    if (record_list_read(record->directory, NULL, &list, NULL) == IMG_OK)
        (void)record_others_read(record->directory, &list, &others, NULL);
    record_list_free(&list);
    pthread_rwlock_wrlock(&record->others_lock);
    RecordOthers before = record->others;
    record->others = others;
    pthread_rwlock_unlock(&record->others_lock);
    record_others_free(&before);
}

static ImgStatus read_input_state(Wanted *wanted, ImgError *err)
{
    if (is_in_place(wanted->input, wanted->output))
        return IMG_OK;
    return file_state_find(wanted->input, &wanted->input_is_there, &wanted->before, err);
}

static ImgStatus look(const Record *record, Wanted *wanted, Verdict *verdict, ImgError *err)
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
    status = read_input_state(wanted, err);
    if (status == IMG_OK)
        *verdict = judge_all(record, wanted);
    return status;
}

static ImgStatus find_verdict(Record *record, const char *input, const char *output,
                              Verdict *verdict, ImgError *err)
{
    Wanted wanted = {.input = input, .output = output};
    *verdict = (Verdict){false, false, false};
    if (record == NULL)
        return IMG_OK;
    pthread_rwlock_rdlock(&record->others_lock);
    bool has_lines = record->table.count > 0 || record->others.count > 0;
    ImgStatus status = has_lines ? look(record, &wanted, verdict, err) : IMG_OK;
    pthread_rwlock_unlock(&record->others_lock);
    free(wanted.output_name);
    free(wanted.input_name);
    return status;
}

ImgStatus record_is_finished(Record *record, const char *input, const char *output, bool *has,
                             ImgError *err)
{
    Verdict verdict;
    ImgStatus status = find_verdict(record, input, output, &verdict, err);
    *has = verdict.finished && !verdict.begun;
    return status;
}

ImgStatus record_is_of_other_steps(Record *record, const char *output, bool *other, ImgError *err)
{
    Verdict verdict;
    ImgStatus status = find_verdict(record, output, output, &verdict, err);
    *other = verdict.by_others && !verdict.finished && !verdict.begun;
    return status;
}
