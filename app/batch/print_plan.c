/* --dry-run */
#include <stdio.h>

#include "app/batch/run.h"
#include "app/exit_code.h"
#include "app/report.h"
#include "app/text.h"

int batch_print_plan(const Batch *batch)
{
    const BatchPlan *plan = batch->plan;
    for (size_t i = 0; i < plan->count; i++) {
        text_clean(stdout, plan->files[i].input);
        fputs(" -> ", stdout);
        text_clean(stdout, plan->files[i].output);
        fputc('\n', stdout);
    }
    report_note(batch->settings, "%zu file%s would be written; nothing was", plan->count,
                plan->count == 1 ? "" : "s");
    return plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
}
