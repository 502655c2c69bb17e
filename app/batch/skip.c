#include "app/batch/skip.h"

static bool is_older(const FileState *a, const FileState *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a->nanoseconds < b->nanoseconds);
}

const char *skip_reason(const Settings *settings, const Record *record, const BatchFile *file)
{
    FileState input, output;
    if (settings->resume && record_has(record, file->input, file->output))
        return "finished by an earlier run";
    if (settings->newer && file_state(file->input, &input) && file_state(file->output, &output) &&
        !is_older(&output, &input))
        return "its output is newer";
    return NULL;
}
