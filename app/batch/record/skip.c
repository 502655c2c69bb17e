#include "app/batch/record/skip.h"

static bool is_older(const FileState *a, const FileState *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a->nanoseconds < b->nanoseconds);
}

const char *record_input(const Settings *settings, const BatchFile *file)
{
    return settings->in_place ? file->output : file->input;
}

const char *skip_reason(const Settings *settings, Record *record, const BatchFile *file)
{
    FileState input, output;
    if (settings->resume && record_has(record, record_input(settings, file), file->output))
        return "finished by an earlier run";
    if (settings->newer && file_state(file->input, &input) && file_state(file->output, &output) &&
        !is_older(&output, &input))
        return "its output is newer";
    return NULL;
}
