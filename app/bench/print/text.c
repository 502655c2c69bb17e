#include "app/bench/print/text.h"

#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"

/* --- Machine ---------------------------------------------------------------------------------- */

static void print_labelled(FILE *out, const char *label, const char *text, const BenchStyle *style)
{
    enum { LABEL = 5 };
    char line[LABEL + BENCH_MACHINE_LINE];
    if (text[0] == '\0')
        return;
    snprintf(line, sizeof line, "%-*s%s", (int)LABEL, label, text);
    bench_print_wrapped(out, 0, LABEL, BENCH_PLAIN, line, style);
}

void bench_print_machine(FILE *out, const BenchMachine *machine, const BenchStyle *style)
{
    char text[BENCH_MACHINE_LINE];
    bench_machine_run(machine, text);
    bench_print_wrapped(out, 0, 0, BENCH_BOLD, text, style);
    bench_machine_cpu(machine, text);
    print_labelled(out, "CPU", text, style);
    bench_machine_gpu(machine, text);
    print_labelled(out, "GPU", text[0] != '\0' ? text : "none", style);
    fputc('\n', out);
}

/* --- Groups and jobs -------------------------------------------------------------------------- */

/* Prints `look`, one paragraph of the explanation below a table. If it begins with a space, it is a
 * line of a list, and is indented. */
static void print_look(FILE *out, const char *look, const BenchStyle *style)
{
    if (look[0] == ' ') {
        fprintf(out, "  %s\n", look);
        return;
    }
    fputc('\n', out);
    bench_print_wrapped(out, 2, 2, BENCH_PLAIN, look, style);
}

void bench_print_group(FILE *out, const BenchGroup *group, const BenchStyle *style)
{
    char heading[BENCH_HEADING];
    BenchGroupView view = bench_group_view(group, style->utf8);
    BenchTable table = bench_group_table(&view, view.timed, view.counted, true);
    bench_group_heading(group, heading);
    bench_print_wrapped(out, 0, 2, BENCH_BOLD, heading, style);
    if (group->help != NULL)
        bench_print_wrapped(out, 2, 2, BENCH_DIM, group->help, style);
    if (!view.timed || !view.counted || bench_table_fits(&table, style->width, false)) {
        bench_table_print(out, &table, style);
    } else {
        table = bench_group_table(&view, true, false, true);
        bench_table_print(out, &table, style);
        fputc('\n', out);
        table = bench_group_table(&view, false, true, false);
        bench_table_print(out, &table, style);
    }
    for (const char *const *look = group->look; look != NULL && *look != NULL; look++)
        print_look(out, *look, style);
    fputc('\n', out);
}

static void print_devices(FILE *out, const BenchJobsView *view, const BenchStyle *style)
{
    char line[BENCH_CLEAN + 16], clean[BENCH_CLEAN];
    for (size_t j = 0; j < view->count; j++) {
        if (view->jobs[j].device[0] == '\0')
            continue;
        const char *label = bench_backend_label(view->jobs[j].backend);
        bool reported = strncmp(view->jobs[j].device, label, strlen(label)) == 0;
        snprintf(line, sizeof line, "%s%s%s", reported ? "" : label, reported ? "" : ": ",
                 bench_clean_text(view->jobs[j].device, clean));
        bench_print_wrapped(out, BENCH_INDENT, BENCH_INDENT + 4, BENCH_DIM, line, style);
    }
}

static void print_messages(FILE *out, const BenchJobsView *view, const BenchStyle *style)
{
    char line[BENCH_CLEAN + 32], clean[BENCH_CLEAN];
    for (size_t j = 0; j < view->count; j++) {
        const BenchJob *job = &view->jobs[j];
        bool bad = job->verdict == BENCH_FAILED;
        if (job->message[0] == '\0')
            continue;
        snprintf(line, sizeof line, "%s %s%s", bench_backend_label(job->backend),
                 bad                             ? "FAIL: "
                 : job->verdict == BENCH_SKIPPED ? "skipped: "
                                                 : "",
                 bench_clean_text(job->message, clean));
        bench_print_wrapped(out, BENCH_INDENT, BENCH_INDENT + 4, bad ? BENCH_BAD : BENCH_DIM, line,
                            style);
    }
}

void bench_print_jobs(FILE *out, const BenchReport *report, const BenchStyle *style)
{
    char heading[BENCH_HEADING];
    for (size_t j = 0; j < report->job_count;) {
        BenchJobsView view = bench_jobs_view(report->jobs + j, report->job_count - j, style->utf8);
        BenchTable table = bench_jobs_table(&view);
        bench_job_heading(view.jobs, heading);
        bench_print_wrapped(out, 0, 2, BENCH_BOLD, heading, style);
        print_devices(out, &view, style);
        bench_table_print(out, &table, style);
        print_messages(out, &view, style);
        fputc('\n', out);
        j += view.count;
    }
}

/* --- End -------------------------------------------------------------------------------------- */

static void count_verdicts(const BenchReport *report, size_t counts[BENCH_SKIPPED + 1])
{
    for (size_t g = 0; g < report->group_count; g++)
        for (size_t r = 0; r < report->groups[g].count; r++)
            counts[report->groups[g].rows[r].verdict]++;
    for (size_t j = 0; j < report->job_count; j++) {
        const BenchJob *job = &report->jobs[j];
        if (job->verdict == BENCH_FAILED && job->failures > 0) {
            /* Each file of a failed job counts as one result, as in the table. */
            counts[BENCH_VERIFIED] += job->images;
            counts[BENCH_FAILED] += job->failures;
        } else {
            counts[job->verdict]++;
        }
    }
}

void bench_summary(const BenchReport *report, char text[BENCH_SUMMARY])
{
    size_t counts[BENCH_SKIPPED + 1] = {0};
    count_verdicts(report, counts);
    int length = snprintf(text, BENCH_SUMMARY, "%zu verified, %zu %s", counts[BENCH_VERIFIED],
                          counts[BENCH_FAILED], counts[BENCH_FAILED] > 0 ? "FAILED" : "failed");
    if (counts[BENCH_SKIPPED] > 0)
        length += snprintf(text + length, BENCH_SUMMARY - (size_t)length, ", %zu skipped",
                           counts[BENCH_SKIPPED]);
    if (report->interrupted)
        snprintf(text + length, BENCH_SUMMARY - (size_t)length,
                 "; interrupted: these are the results so far");
}

void bench_noise_remark(const BenchReport *report, char text[BENCH_SUMMARY])
{
    static const double too_much = 0.25;
    size_t timed = 0, noisy = 0;
    for (size_t g = 0; g < report->group_count; g++)
        for (size_t r = 0; r < report->groups[g].count; r++) {
            const BenchTiming *timing = &report->groups[g].rows[r].cold;
            timed += timing->samples > 1;
            noisy += timing->samples > 1 && timing->noise > too_much;
        }
    text[0] = '\0';
    if (noisy > 0)
        snprintf(
            text, BENCH_SUMMARY,
            "noise above 25 %% in %zu of %zu rows: these figures are unreliable; measure on an "
            "idle machine, or longer with --time",
            noisy, timed);
}

/* Prints one line per experiment, with the number of its verified and failed results. The groups of
 * an experiment follow each other and have the same heading. */
static void print_experiments(FILE *out, const BenchReport *report, const BenchStyle *style)
{
    char line[BENCH_HEADING], clean[BENCH_CLEAN];
    for (size_t g = 0, next; g < report->group_count; g = next) {
        const BenchGroup *first = &report->groups[g];
        size_t counts[BENCH_SKIPPED + 1] = {0}, cases = 0;
        for (next = g; next < report->group_count &&
                       strcmp(report->groups[next].heading, first->heading) == 0;
             next++, cases++)
            for (size_t r = 0; r < report->groups[next].count; r++)
                counts[report->groups[next].rows[r].verdict]++;
        if (first->section != BENCH_LAB)
            continue;
        snprintf(line, sizeof line, "%s: %zu case%s, %zu verified, %zu %s",
                 bench_clean_text(first->heading, clean), cases, cases == 1 ? "" : "s",
                 counts[BENCH_VERIFIED], counts[BENCH_FAILED],
                 counts[BENCH_FAILED] > 0 ? "FAILED" : "failed");
        bench_print_wrapped(out, 0, 2, counts[BENCH_FAILED] > 0 ? BENCH_BAD : BENCH_PLAIN, line,
                            style);
    }
}

static void print_meaning(FILE *out, const char *text, const BenchStyle *style)
{
    bench_print_wrapped(out, 0, 2, BENCH_DIM, text, style);
}

void bench_print_end(FILE *out, const BenchReport *report, const BenchStyle *style)
{
    char summary[BENCH_SUMMARY];
    bool timed = false, counted = false;
    for (size_t g = 0; g < report->group_count; g++) {
        BenchGroupView view = bench_group_view(&report->groups[g], style->utf8);
        timed |= view.timed;
        counted |= view.counted;
    }
    if (timed)
        print_meaning(
            out,
            "median: of runs with cold caches; noise: expected difference of the median in "
            "another run; warm: runs with the same data in the caches; of limit: share of the "
            "limit's GB/s; speed-up: over the first variant; interval: 95 % interval of the "
            "speed-up",
            style);
    if (counted)
        print_meaning(
            out,
            "reads, writes: memory instructions of warps; wavefronts: passes through the banks "
            "of shared memory; sectors: 32 bytes of global memory each; split: warps split by a "
            "branch",
            style);
    if (report->job_count > 0)
        print_meaning(out,
                      "stages: sum over all images; rates: of the whole job, without the "
                      "context",
                      style);
    bench_noise_remark(report, summary);
    if (summary[0] != '\0')
        bench_print_wrapped(out, 0, 2, BENCH_BAD, summary, style);
    print_experiments(out, report, style);
    bench_summary(report, summary);
    bench_print_wrapped(out, 0, 2, bench_report_failed(report) ? BENCH_BAD : BENCH_BOLD, summary,
                        style);
}
