/* Prints the plan for --dry-run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/batch.h"
#include "app/batch/record/skip.h"
#include "app/cli/exit_code.h"
#include "app/term/messages.h"
#include "app/text/text.h"

static void print_file(const BatchFile *file, const char *skipped)
{
    text_clean(stdout, file->input);
    fputs(" -> ", stdout);
    text_clean(stdout, file->output);
    if (skipped != NULL)
        printf(" (skipped: %s)", skipped);
    putchar('\n');
}

static void report_unreadable(const char *path)
{
    ImgError err = {IMG_OK, ""};
    img_fail(&err, IMG_E_IO, "%s: cannot be opened: %s%s", path, strerror(errno),
             img_errno_remedy(errno));
    report_failure(&err);
}

typedef struct PlanCounts {
    size_t skipped, failed;
} PlanCounts;

/* Prints the files of one root, which is a directory with a record. Counts skipped and failed files
 * in *counts. */
static ImgStatus print_root(const Batch *batch, size_t root, const char *steps, PlanCounts *counts,
                            ImgError *err)
{
    Record *record = NULL;
    const BatchPlan *plan = batch->plan;
    ImgStatus status =
        record_open_to_read(plan->roots[root], record_scope(batch->settings), steps, &record, err);
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        if (plan->files[i].root == root)
            status = skip_check_steps(batch->settings, record, &plan->files[i], err);
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++) {
        const BatchFile *file = &plan->files[i];
        if (file->root != root)
            continue;
        if (access(file->input, R_OK) != 0) {
            report_unreadable(file->input);
            counts->failed++;
            continue;
        }
        const char *reason;
        ImgError failure = {IMG_OK, ""};
        if (skip_reason(batch->settings, record, file, &reason, &failure) != IMG_OK) {
            report_failure(&failure);
            counts->failed++;
            continue;
        }
        print_file(file, reason);
        counts->skipped += reason != NULL ? 1 : 0;
    }
    (void)record_close(record, NULL);
    return status;
}

int batch_print_plan(const Batch *batch)
{
    const BatchPlan *plan = batch->plan;
    ImgError err = {IMG_OK, ""};
    PlanCounts counts = {0, 0};
    char *steps = steps_text(batch->steps, batch->step_count, batch->settings);
    ImgStatus status = steps != NULL ? IMG_OK : img_fail(&err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; status == IMG_OK && i < plan->root_count; i++)
        status = print_root(batch, i, steps, &counts, &err);
    free(steps);
    if (status != IMG_OK)
        return report_failure(&err);
    size_t written = plan->count - counts.skipped - counts.failed;
    img_engine_note(&batch->settings->engine, "%zu file%s would be written; this was a dry run",
                    written, written == 1 ? "" : "s");
    return plan->failures + counts.failed > 0 ? CLI_SOME_FAILED : CLI_OK;
}
