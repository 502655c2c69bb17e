#include "app/batch/record/skip.h"

#include <sys/stat.h>

static bool is_older(const FileState *a, const FileState *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a->nanoseconds < b->nanoseconds);
}

const char *record_input(const Settings *settings, const BatchFile *file)
{
    return settings->in_place ? file->output : file->input;
}

RecordScope record_scope(const Settings *settings)
{
    if (settings->in_place)
        /* the run needs all lines of other records: it continues from them or overrides them */
        return RECORD_WITH_ALL_OTHERS;
    return settings->resume ? RECORD_WITH_OTHERS : RECORD_ALONE;
}

static ImgStatus is_newer(const BatchFile *file, bool *newer, ImgError *err)
{
    FileState input, output;
    bool input_there = false, output_there = false;
    ImgStatus status = file_state_find(file->input, &input_there, &input, err);
    if (status == IMG_OK)
        status = file_state_find(file->output, &output_there, &output, err);
    *newer = status == IMG_OK && input_there && output_there && !is_older(&output, &input);
    return status;
}

ImgStatus skip_reason(const Settings *settings, Record *record, const BatchFile *file,
                      const char **reason, ImgError *err)
{
    struct stat info;
    bool finished = false, newer = false;
    ImgStatus status = IMG_OK;
    *reason = NULL;
    if (settings->resume)
        status =
            record_is_finished(record, record_input(settings, file), file->output, &finished, err);
    if (status == IMG_OK && !finished && settings->newer)
        status = is_newer(file, &newer, err);
    if (finished)
        *reason = "finished by an earlier run";
    else if (newer)
        *reason = "its output is newer";
    else if (settings->engine.no_clobber && lstat(file->output, &info) == 0)
        *reason = "its output exists";
    return status;
}

ImgStatus skip_check_steps(const Settings *settings, Record *record, const BatchFile *file,
                           ImgError *err)
{
    bool other = false;
    if (!settings->resume || !settings->in_place)
        return IMG_OK;
    ImgStatus status = record_is_of_other_steps(record, file->output, &other, err);
    if (status == IMG_OK && other)
        return img_fail(
            err, IMG_E_USAGE,
            "%s: was replaced by an earlier run with other steps, or by an earlier version; use "
            "--resume with the same steps, or leave it out to process all files",
            file->input);
    return status;
}
