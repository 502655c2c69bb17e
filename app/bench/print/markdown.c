#include "app/bench/print/markdown.h"

#include "app/bench/print/tables.h"
#include "app/bench/print/text.h"

static void print_heading(FILE *out, const char *text)
{
    fputs("### ", out);
    bench_markdown_text(out, text);
    fputs("\n\n", out);
}

static void print_machine(FILE *out, const BenchMachine *machine)
{
    char text[BENCH_MACHINE_LINE];
    bench_machine_run(machine, text);
    bench_markdown_text(out, text);
    bench_machine_cpu(machine, text);
    fputs("\\\nCPU: ", out);
    bench_markdown_text(out, text);
    bench_machine_gpu(machine, text);
    fputs("\\\nGPU: ", out);
    bench_markdown_text(out, text[0] != '\0' ? text : "none");
    fputs("\n\n", out);
}

/* Times and counts apart: together they are wider than a page. */
static void print_group(FILE *out, const BenchGroup *group)
{
    char heading[BENCH_HEADING];
    BenchGroupView view = bench_group_view(group, true);
    BenchTable table = bench_group_table(&view, view.timed, view.counted && !view.timed, true);
    bench_group_heading(group, heading);
    print_heading(out, heading);
    bench_table_markdown(out, &table);
    fputc('\n', out);
    if (!view.timed || !view.counted)
        return;
    table = bench_group_table(&view, false, true, false);
    bench_table_markdown(out, &table);
    fputc('\n', out);
}

static void print_jobs(FILE *out, const BenchJobsView *view)
{
    char heading[BENCH_HEADING], clean[BENCH_CLEAN];
    BenchTable table = bench_jobs_table(view);
    bench_job_heading(view->jobs, heading);
    print_heading(out, heading);
    for (size_t j = 0; j < view->count; j++) {
        const BenchJob *job = &view->jobs[j];
        if (job->device[0] == '\0' && job->message[0] == '\0')
            continue;
        fprintf(out, "- %s: ", bench_backend_label(job->backend));
        bench_markdown_text(out, bench_clean_text(job->device, clean));
        if (job->message[0] != '\0')
            fprintf(out, "%s%s", job->device[0] != '\0' ? "; " : "",
                    job->verdict == BENCH_FAILED ? "FAIL: " : "");
        bench_markdown_text(out, bench_clean_text(job->message, clean));
        fputc('\n', out);
    }
    fputc('\n', out);
    bench_table_markdown(out, &table);
    fputc('\n', out);
}

void bench_print_markdown(FILE *out, const BenchReport *report)
{
    char summary[BENCH_SUMMARY];
    print_machine(out, &report->machine);
    for (size_t g = 0; g < report->group_count; g++)
        print_group(out, &report->groups[g]);
    for (size_t j = 0; j < report->job_count;) {
        BenchJobsView view = bench_jobs_view(report->jobs + j, report->job_count - j, true);
        print_jobs(out, &view);
        j += view.count;
    }
    bench_noise_remark(report, summary);
    if (summary[0] != '\0')
        fprintf(out, "%s\n\n", summary);
    bench_summary(report, summary);
    fprintf(out, "%s\n", summary);
}
