/* Adds up the results of the files of a batch, and counts their notes. */
#include "app/batch/report/batch_result.h"
#include "app/term/messages.h"

#include <stdlib.h>
#include <string.h>

size_t batch_totals_settled(const BatchTotals *totals)
{
    return totals->done + totals->failed + totals->skipped + totals->upright;
}

bool batch_result_ran(const BatchResult *result)
{
    return result->report.run.device[0] != '\0';
}

const char *const batch_stage_names[BATCH_STAGES] = {"read", "decode", "expand",
                                                     "run",  "encode", "write"};

void batch_result_seconds(const BatchResult *result, double seconds[BATCH_STAGES])
{
    const JobReport *report = &result->report;
    const ImgRunReport *run = &report->run;
    seconds[BATCH_READ] = report->load.read;
    seconds[BATCH_DECODE] = report->load.decode;
    seconds[BATCH_EXPAND] = report->load.expand;
    seconds[BATCH_RUN] = run->init + run->upload + run->kernel + run->download;
    seconds[BATCH_ENCODE] = report->encode;
    seconds[BATCH_WRITE] = report->write;
}

void batch_totals_add(BatchTotals *totals, const BatchResult *result)
{
    const JobReport *report = &result->report;
    double seconds[BATCH_STAGES];
    if (result->outcome == BATCH_SKIPPED) {
        totals->skipped++;
        return;
    }
    totals->bytes_read += report->load.bytes;
    batch_result_seconds(result, seconds);
    for (int i = 0; i < BATCH_STAGES; i++)
        totals->seconds[i] += seconds[i];
    if (result->outcome == BATCH_FAILED) {
        totals->failed++;
        return;
    }
    if (result->outcome == BATCH_UPRIGHT) {
        totals->upright++;
        return;
    }
    totals->done++;
    totals->bytes_written += report->bytes_written;
    totals->before_optimizing += report->optimized.bytes_before;
    totals->optimized += report->optimized.bytes_after;
    totals->on_gpu += batch_result_ran(result) && report->run.backend == IMG_BACKEND_CUDA;
}

bool notes_add(Notes *notes, const char *path, const char *text)
{
    for (size_t i = 0; i < notes->count; i++) {
        if (strcmp(notes->counts[i].text, text) == 0) {
            notes->counts[i].files++;
            return true;
        }
    }
    if (notes->count == NOTES_MAX)
        return false;
    NoteCount added = {strdup(text), strdup(path), 1};
    if (added.text == NULL || added.path == NULL) {
        free(added.text);
        free(added.path);
        return false;
    }
    notes->counts[notes->count++] = added;
    return true;
}

void notes_print(const Notes *notes, const Settings *settings)
{
    for (size_t i = 0; i < notes->count; i++) {
        const NoteCount *note = &notes->counts[i];
        if (note->files == 1)
            img_engine_note(&settings->engine, "%s: %s", note->path, note->text);
        else
            img_engine_note(&settings->engine, "%zu files: %s", note->files, note->text);
    }
}

void notes_free(Notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->counts[i].text);
        free(notes->counts[i].path);
    }
    *notes = NOTES_NONE;
}
