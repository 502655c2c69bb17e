/* Prints benchmark results as CSV. A job has one line per stage, with "jobs" in the column of the
 * section. The number of bytes of a job is the size of its pixels. */
#include "app/bench/export/export.h"

#include <inttypes.h>
#include <math.h>

#include "app/bench/print/fields.h"
#include "app/text/amounts.h"
#include "app/text/csv.h"
#include "kernels/core/select.h"

/* --- Fields. A comma precedes each field except the first ------------------------------------- */

static void text_field(FILE *out, const char *text)
{
    fputc(',', out);
    csv_text(out, text);
}

static void number_field(FILE *out, double number, bool known)
{
    char digits[AMOUNT_TEXT];
    fputc(',', out);
    if (known && isfinite(number))
        fputs(img_amount_print_number(number, digits), out);
}

static void count_field(FILE *out, uint64_t count, bool known)
{
    fputc(',', out);
    if (known)
        fprintf(out, "%" PRIu64, count);
}

static void timing_fields(FILE *out, const BenchTiming *timing)
{
    bool known = timing->samples > 0;
    count_field(out, timing->samples, known);
    number_field(out, timing->median, known);
    number_field(out, timing->noise, known);
    number_field(out, timing->minimum, known);
    number_field(out, timing->low, known);
    number_field(out, timing->high, known);
}

static void count_fields(FILE *out, BenchCounting counting, const ImgLaunchCounts *counts)
{
    text_field(out, bench_counting_name(counting));
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++)
        count_field(out, bench_count_get(counts, field), counting != BENCH_UNCOUNTED);
}

static void machine_fields(FILE *out, const BenchMachine *machine)
{
    text_field(out, machine->version);
    text_field(out, machine->date);
    text_field(out, machine->cpu);
    number_field(out, machine->cpu_mhz, machine->cpu_mhz > 0);
    count_field(out, (uint64_t)machine->threads, machine->threads > 0);
    text_field(out, machine->gpu);
    number_field(out, machine->gpu_mhz, machine->gpu_mhz > 0);
    text_field(out, machine->driver);
    text_field(out, machine->runtime);
    text_field(out, machine->system);
    fputc('\n', out);
}

static void print_heading(FILE *out)
{
    fputs("section,title,subject,format,backend,device,name,verdict,message", out);
    for (int warm = 0; warm < 2; warm++) {
        const char *prefix = warm ? "warm_" : "";
        fprintf(out, ",%ssamples,%smedian_seconds,%snoise", prefix, prefix, prefix);
        fprintf(out, ",%sminimum_seconds,%slow_seconds,%shigh_seconds", prefix, prefix, prefix);
    }
    fputs(",bytes,bytes_per_second,operations,operations_per_second,share_of_limit,speedup,"
          "speedup_low,speedup_high,images,images_per_second,bytes_in,bytes_out,counted,counting",
          out);
    for (const BenchCountField *field = bench_count_fields; field->key != NULL; field++)
        fprintf(out, ",%s", field->key);
    fputs(",version,date,cpu,cpu_mhz,threads,gpu,gpu_mhz,driver,runtime,system\n", out);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void print_row(FILE *out, const BenchReport *report, const BenchGroup *group,
                      const BenchRow *row)
{
    bool timed = row->cold.samples > 0;
    bool operations = timed && group->operations > 0 && row->verdict != BENCH_LIMIT;
    fputs(bench_section_name(group->section), out);
    text_field(out, group->title);
    text_field(out, group->subject);
    text_field(out, group->format);
    text_field(out, img_backend_name(group->backend));
    text_field(out, group->backend == IMG_BACKEND_CUDA ? report->machine.gpu : report->machine.cpu);
    text_field(out, row->name);
    text_field(out, bench_verdict_name(row->verdict));
    text_field(out, row->message);
    timing_fields(out, &row->cold);
    timing_fields(out, &row->warm);
    count_field(out, group->bytes, group->bytes > 0);
    number_field(out, bench_rate(group, row), timed && group->bytes > 0);
    count_field(out, group->operations, group->operations > 0);
    number_field(out, (double)group->operations / row->cold.median, operations);
    number_field(out, bench_share(group, row), bench_share(group, row) > 0);
    number_field(out, row->speedup, row->speedup > 0);
    number_field(out, row->speedup_low, row->speedup_low > 0);
    number_field(out, row->speedup_high, row->speedup_high > 0);
    fputs(",,,,", out); /* These four columns are empty, because only jobs use them. */
    text_field(out, group->counted);
    count_fields(out, row->counting, &row->counts);
    machine_fields(out, &report->machine);
}

/* Prints the line for one stage of a job. `stage` is "" if no stage was timed. */
static void print_stage(FILE *out, const BenchReport *report, const BenchJob *job,
                        const char *stage, const BenchTiming *timing)
{
    static const BenchTiming none = {0};
    static const ImgLaunchCounts no_counts = {0};
    bool timed = timing->samples > 0;
    fputs("jobs", out);
    text_field(out, job->title);
    text_field(out, job->subject);
    text_field(out, "");
    text_field(out, img_backend_name(job->backend));
    text_field(out, job->device);
    text_field(out, stage);
    text_field(out, bench_verdict_name(job->verdict));
    text_field(out, job->message);
    timing_fields(out, timing);
    timing_fields(out, &none);
    count_field(out, job->pixel_bytes, job->pixel_bytes > 0);
    number_field(out, (double)job->pixel_bytes / timing->median, timed && job->pixel_bytes > 0);
    fputs(",,,,,,", out); /* These six columns are empty, because only groups use them. */
    count_field(out, job->images, job->images > 0);
    number_field(out, (double)job->images / timing->median, timed && job->images > 0);
    count_field(out, job->bytes_in, job->bytes_in > 0);
    count_field(out, job->bytes_out, job->bytes_out > 0);
    text_field(out, "");
    count_fields(out, BENCH_UNCOUNTED, &no_counts);
    machine_fields(out, &report->machine);
}

static void print_job(FILE *out, const BenchReport *report, const BenchJob *job)
{
    bool any = false;
    for (int s = 0; s < STAGE_COUNT; s++) {
        if (job->stages[s].samples == 0)
            continue;
        print_stage(out, report, job, bench_stage_name((BenchStage)s), &job->stages[s]);
        any = true;
    }
    if (!any)
        print_stage(out, report, job, "", &job->stages[STAGE_JOB]);
}

void bench_print_csv(FILE *out, const BenchReport *report)
{
    print_heading(out);
    for (size_t g = 0; g < report->group_count; g++)
        for (size_t r = 0; r < report->groups[g].count; r++)
            print_row(out, report, &report->groups[g], &report->groups[g].rows[r]);
    for (size_t j = 0; j < report->job_count; j++)
        print_job(out, report, &report->jobs[j]);
}
