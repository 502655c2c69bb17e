/* Tests of the output of benchmarks: the width of printed lines, the printed numbers, the marks in
 * a comparison of two reports, and reports in files, which are read back or rejected. */
#include "test_bench_example.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/bench/changes/compare.h"
#include "app/bench/export/export.h"
#include "app/bench/print/match.h"
#include "app/bench/print/text.h"
#include "app/bench/print/units.h"
#include "app/text/json.h"

static const BenchStyle plain = {false, true, 100}, coloured = {true, true, 80},
                        ascii = {false, false, 80};

/* --- Printing into memory --------------------------------------------------------------------- */

typedef struct Printed {
    char *text;
    size_t size;
    FILE *out;
} Printed;

static void begin(Printed *printed)
{
    printed->out = open_memstream(&printed->text, &printed->size);
    cr_assert_not_null(printed->out);
}

static const char *end(Printed *printed)
{
    fclose(printed->out);
    return printed->text;
}

static void print_all(FILE *out, const BenchReport *report, const BenchStyle *style)
{
    bench_print_machine(out, &report->machine, style);
    for (size_t g = 0; g < report->group_count; g++)
        bench_print_group(out, &report->groups[g], style);
    bench_print_jobs(out, report, style);
    bench_print_end(out, report, style);
}

/* Returns the number of terminal columns that a line takes. Escape sequences take none. */
static size_t columns(const char *line, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\033') {
            while (i < length && line[i] != 'm')
                i++;
            continue;
        }
        width += ((unsigned char)line[i] & 0xC0) != 0x80;
    }
    return width;
}

static void expect_lines_fit(const char *text, size_t width)
{
    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        size_t length = strcspn(text, "\n");
        cr_expect_eq(text[length], '\n', "the last line ends");
        cr_expect_leq(columns(text, length), width, "%zu columns: '%.*s'", columns(text, length),
                      (int)length, text);
        cr_expect(length == 0 || text[length - 1] != ' ', "blank at the end: '%.*s'", (int)length,
                  text);
        for (size_t i = 0; i < length; i++)
            cr_expect((unsigned char)text[i] >= 0x20 || text[i] == '\033', "control character");
    }
}

static void expect_holds(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "no '%s' in:\n%s", part, text);
}

static void expect_lacks(const char *text, const char *part)
{
    cr_expect_null(strstr(text, part), "'%s' in:\n%s", part, text);
}

/* --- Printed numbers -------------------------------------------------------------------------- */

static void expect_time(double seconds, const char *expected)
{
    char text[BENCH_UNIT];
    cr_expect_str_eq(bench_time_text(seconds, text), expected);
}

Test(bench_output, times_have_three_digits_and_their_unit)
{
    expect_time(0, "0 s");
    expect_time(34.2e-6, "34.2 us");
    expect_time(999.4e-6, "999 us");
    expect_time(999.6e-6, "1.00 ms");
    expect_time(9.996e-3, "10.0 ms");
    expect_time(1.234, "1.23 s");
    expect_time(123456, "123456 s");
    expect_time(0.94e-6, "940 ns");
    expect_time(1e300, "1e+300 s");
    expect_time(INFINITY, "- s");
}

static void expect_count(uint64_t count, const char *expected)
{
    char text[BENCH_UNIT];
    cr_expect_str_eq(bench_count_text(count, text), expected);
}

Test(bench_output, counts_are_exact_up_to_a_million)
{
    expect_count(0, "0");
    expect_count(1024, "1,024");
    expect_count(999999, "999,999");
    expect_count(1000000, "1.000 M");
    expect_count(12345678, "12.35 M");
    expect_count(999949999, "999.9 M");
    expect_count(999950000, "1.000 G");
    expect_count(UINT64_MAX, "18.45 E");
}

Test(bench_output, rates_bytes_shares_and_noise_are_rounded)
{
    char text[BENCH_UNIT];
    cr_expect_str_eq(bench_rate_text(2105.4e9, text), "2105");
    cr_expect_str_eq(bench_rate_text(3.4249e9, text), "3.42");
    cr_expect_str_eq(bench_rate_text(0, text), "0");
    cr_expect_str_eq(bench_bytes_text(72042006, text), "72.0 MB");
    cr_expect_str_eq(bench_bytes_text(999, text), "999 bytes");
    cr_expect_str_eq(bench_bytes_text(1000, text), "1.00 kB");
    cr_expect_str_eq(bench_share_text(0.9814, text), "98.1 %");
    cr_expect_str_eq(bench_share_text(1.0004, text), "100 %");
    cr_expect_str_eq(bench_noise_text(0.0041, true, text), "±0.4 %");
    cr_expect_str_eq(bench_noise_text(0.0041, false, text), "0.4 %");
    cr_expect_str_eq(bench_noise_text(0.0004, true, text), "<0.1 %");
}

Test(bench_output, unprintable_text_is_replaced)
{
    char text[BENCH_CLEAN];
    cr_expect_str_eq(bench_clean_text("a\033[2Jb\n\x7f", text), "a?[2Jb??");
    cr_expect_str_eq(bench_clean_text("gr\xc3\xbcn", text), "gr\xc3\xbcn");
    cr_expect_str_eq(bench_clean_text("\xc2\x9b"
                                      "1m",
                                      text),
                     "?1m");
    cr_expect_str_eq(bench_clean_text("gr\xfcn\xc3", text), "gr?n?", "no UTF-8");
}

/* --- Text ------------------------------------------------------------------------------------- */

Test(bench_output, a_group_of_an_operation_is_printed_like_this)
{
    BenchReport report = example_report();
    Printed printed;
    begin(&printed);
    bench_print_group(printed.out, &report.groups[0], &plain);
    cr_expect_str_eq(
        end(&printed),
        "rotate angle=90, rgb8 4001x3001, CUDA: 72.0 MB per run\n"
        "  variant         median   noise  minimum     warm  GB/s  of limit  speed-up  interval   "
        "result\n"
        "  device copy    31.4 us  ±0.3 %  30.8 us  18.9 us  2293     100 %                       "
        "limit\n"
        "  cuda-naive      210 us  ±0.4 %   206 us   201 us   342    14.9 %     1.00x             "
        "verified\n"
        "  cuda-padded    61.5 us  ±0.6 %  60.3 us  45.2 us  1171    51.1 %     3.42x  3.38-3.47  "
        "verified\n"
        "  cuda-vector    34.2 us  <0.1 %  33.5 us  21.3 us  2106    91.9 %     6.15x  6.09-6.21  "
        "verified\n"
        "  cuda-swizzled  FAIL: differs from the reference first at x 4000, y 17: 12 instead of "
        "13\n"
        "  cuda-words     skipped: not for pixels of 3 bytes\n\n");
    free(printed.text);
    bench_report_free(&report);
}

Test(bench_output, counts_without_times_leave_out_zeros)
{
    BenchReport report = example_report();
    Printed printed;
    report.groups[2].count = 3;
    begin(&printed);
    bench_print_group(printed.out, &report.groups[2], &plain);
    cr_expect_str_eq(
        end(&printed),
        "square, 32 x 32, CUDA: Square shared memory, 32 x 32 ints, one block; 4.10 kB per run; "
        "counts\n"
        "  modelled\n"
        "                            shared   wave-  shared   wave-  sectors  global\n"
        "  variant                    reads  fronts  writes  fronts  written  writes  result\n"
        "  row-write/row-read            32      32      32      32      128      32  verified\n"
        "  column-write/column-read      32   1,024      32   1,024      128      32  verified\n"
        "  row-write/column-read         32   1,024      32      32      128      32  verified\n"
        "\n");
    free(printed.text);
    bench_report_free(&report);
}

Test(bench_output, a_line_holds_times_and_counts_if_both_fit)
{
    BenchReport report = example_report();
    Printed beside, apart;
    begin(&beside);
    bench_print_group(beside.out, &report.groups[4], &plain);
    expect_holds(end(&beside), "  stride 32  2.32 us  ±0.2 %       1      32  verified\n");
    begin(&apart);
    bench_print_group(apart.out, &report.groups[3], &plain);
    end(&apart);
    expect_holds(apart.text,
                 "\n  variant                    median   noise     warm  GB/s  GFLOP/s");
    expect_holds(apart.text, "\n\n                             shared    wave-");
    expect_holds(apart.text, "  modelled\n");
    expect_holds(apart.text, "  measured\n");
    expect_holds(apart.text, "counts modelled or measured, of 65 x 63 x 67\n");
    free(beside.text);
    free(apart.text);
    bench_report_free(&report);
}

Test(bench_output, jobs_are_printed_side_by_side)
{
    BenchReport report = example_report();
    Printed printed;
    report.jobs[1].verdict = BENCH_FAILED;
    PUT(report.jobs[1].message, "photo.png: wrote other bytes than the CPU");
    begin(&printed);
    bench_print_jobs(printed.out, &report, &plain);
    end(&printed);
    expect_holds(printed.text,
                 "rotate angle=90 | gray, 12 files: 12 images, 432 MB of pixels, 201 MB read, "
                 "98.8 MB written\n  CPU, 16 threads, AVX2\n  CUDA: NVIDIA H100 80GB HBM3\n");
    expect_holds(printed.text,
                 "\n  kernel            181 ms   ±1.2 %   2.3 %   2.39   412 us   ±0.4 %");
    expect_holds(printed.text,
                 "\n  context                                            213 ms   ±5.0 %\n");
    expect_holds(printed.text, "\n  images/s            1.54                             1.54\n");
    expect_holds(printed.text, "\n  result          verified                             FAIL\n");
    expect_holds(printed.text, "  CUDA FAIL: photo.png: wrote other bytes than the CPU\n");
    free(printed.text);
    report.jobs[1].failures = 2;
    begin(&printed);
    bench_print_jobs(printed.out, &report, &plain);
    expect_holds(end(&printed), "  12 verified, 2 FAIL\n");
    report.job_count = 1;
    free(printed.text);
    begin(&printed);
    bench_print_jobs(printed.out, &report, &plain);
    expect_lacks(end(&printed), "context");
    expect_lacks(printed.text, "upload");
    free(printed.text);
    bench_report_free(&report);
}

Test(bench_output, the_end_counts_verdicts_and_names_missing_parts)
{
    BenchReport report = example_report();
    Printed printed;
    report.interrupted = true;
    begin(&printed);
    bench_print_end(printed.out, &report, &plain);
    expect_holds(end(&printed), "\n48 verified, 1 FAILED, 1 skipped; interrupted: these are the "
                                "results so far\n");
    free(printed.text);
    bench_report_free(&report);
    begin(&printed);
    bench_print_end(printed.out, &report, &plain);
    cr_expect_str_eq(end(&printed), "0 verified, 0 failed\n");
    free(printed.text);
}

Test(bench_output, high_noise_is_mentioned)
{
    BenchReport report = example_report();
    Printed printed;
    char remark[BENCH_SUMMARY];
    bench_noise_remark(&report, remark);
    cr_expect_str_eq(remark, "", "noise of 0.3 %%");
    report.groups[0].rows[0].cold.noise = 15.9;
    report.groups[0].rows[1].cold.noise = 0.26;
    report.groups[0].rows[2].cold.noise = 0.25;
    begin(&printed);
    bench_print_end(printed.out, &report, &plain);
    expect_holds(end(&printed), "noise above 25 % in 2 of ");
    free(printed.text);
    begin(&printed);
    bench_print_markdown(printed.out, &report);
    expect_holds(end(&printed), "noise above 25 % in 2 of ");
    free(printed.text);
    bench_report_free(&report);
}

static void fill(char *text, size_t size, char with)
{
    memset(text, with, size - 1);
    text[size - 1] = '\0';
}

#define FILL(text, with) fill(text, sizeof(text), with)

static BenchTiming timing_of(double value)
{
    return (BenchTiming){SIZE_MAX, value, value, value, value, value};
}

/* Returns a report with texts of the maximum length. All times are `value` and all counts are
 * `count`. */
static BenchReport extreme_report(double value, uint64_t count)
{
    BenchReport report = BENCH_REPORT_NONE;
    BenchMachine *machine = &report.machine;
    FILL(machine->version, 'v');
    FILL(machine->command, 'c');
    FILL(machine->cpu, 'p');
    FILL(machine->gpu, '\n');
    FILL(machine->driver, '\xff');
    machine->cpu_mhz = machine->gpu_mhz = machine->gpu_memory_mhz = value;
    machine->memory = machine->gpu_memory = count;
    for (int g = 0; g < 2; g++) {
        BenchGroup *group = bench_report_add_group(&report, NULL);
        group->section = BENCH_LAB;
        FILL(group->title, 't');
        FILL(group->heading, 'h');
        FILL(group->subject, 's');
        FILL(group->counted, '|');
        group->backend = IMG_BACKEND_CUDA;
        group->bytes = group->operations = count;
        for (int v = BENCH_VERIFIED; v <= BENCH_SKIPPED; v++) {
            BenchRow *row = bench_group_add_row(group, NULL);
            row->verdict = (BenchVerdict)v;
            FILL(row->name, (char)('a' + v));
            FILL(row->message, 'm');
            if (g == 1)
                continue;
            row->cold = row->warm = timing_of(value);
            row->speedup = row->speedup_low = value;
            row->speedup_high = value * 1.5;
            row->counting = v % 2 ? BENCH_MODELLED : BENCH_MEASURED;
            row->counts = (ImgLaunchCounts){count,          count,          count,
                                            count,          count,          {count, count},
                                            {count, count}, {count, count}, {count, count}};
        }
    }
    for (int j = 0; j < 4; j++) {
        BenchJob *job = bench_report_add_job(&report, NULL);
        FILL(job->title, 't');
        FILL(job->subject, 's');
        FILL(job->device, 'd');
        FILL(job->message, ' ');
        job->message[100] = 'x';
        job->verdict = (BenchVerdict)j;
        job->backend = IMG_BACKEND_CPU;
        job->images = (size_t)count;
        job->pixel_bytes = job->bytes_in = job->bytes_out = count;
        for (int s = 0; s < STAGE_COUNT; s++)
            job->stages[s] = timing_of(value);
    }
    return report;
}

static void expect_report_fits(BenchReport *report)
{
    const BenchStyle *const styles[] = {&plain, &coloured, &ascii};
    BenchReport other = example_report();
    for (int s = 0; s < 3; s++) {
        Printed printed;
        begin(&printed);
        print_all(printed.out, report, styles[s]);
        bench_print_comparison(printed.out, report, report, styles[s]);
        bench_print_comparison(printed.out, &other, report, styles[s]);
        bench_print_comparison(printed.out, report, &other, styles[s]);
        expect_lines_fit(end(&printed), styles[s]->width);
        cr_expect_eq(strchr(printed.text, '\033') != NULL, styles[s]->color);
        free(printed.text);
    }
    bench_report_free(&other);
    bench_report_free(report);
}

Test(bench_output, no_line_is_wider_than_the_limit)
{
    static const double values[] = {0, 1e-12, 0.00999, 1, 123456.789, 999999, 1e300};
    static const uint64_t counts[] = {0, 1, 999999, 1000000, UINT64_MAX};
    BenchReport report = example_report();
    expect_report_fits(&report);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            report = extreme_report(values[v], counts[c]);
            expect_report_fits(&report);
        }
    report = BENCH_REPORT_NONE;
    expect_report_fits(&report);
}

Test(bench_output, names_are_never_cut)
{
    BenchReport report = extreme_report(123456.789, UINT64_MAX);
    Printed printed;
    begin(&printed);
    bench_print_group(printed.out, &report.groups[0], &plain);
    end(&printed);
    for (int r = 0; r < 4; r++)
        expect_holds(printed.text, report.groups[0].rows[r].name);
    free(printed.text);
    bench_report_free(&report);
}

Test(bench_output, colours_mark_the_best_the_limit_and_failures)
{
    BenchReport report = example_report();
    Printed printed;
    begin(&printed);
    bench_print_group(printed.out, &report.groups[0], &coloured);
    end(&printed);
    expect_holds(printed.text, "\033[1;32m  cuda-vector ");
    expect_holds(printed.text, "\033[2m  device copy ");
    expect_holds(printed.text, "\033[31m  cuda-swizzled ");
    expect_holds(printed.text, "instead of 13\033[0m\n");
    expect_holds(printed.text, "\n  cuda-padded ");
    free(printed.text);
    bench_report_free(&report);
}

/* --- CSV and Markdown ------------------------------------------------------------------------- */

static size_t count_fields(const char *line)
{
    size_t fields = 1;
    bool quoted = false;
    for (; *line != '\n'; line++) {
        quoted ^= *line == '"';
        fields += *line == ',' && !quoted;
    }
    return fields;
}

Test(bench_output, csv_lines_have_a_field_for_each_column)
{
    BenchReport report = example_report();
    Printed printed;
    size_t lines = 0;
    PUT(report.groups[0].rows[4].message, "no, \"that\" is wrong");
    begin(&printed);
    bench_print_csv(printed.out, &report);
    end(&printed);
    for (const char *line = printed.text; *line != '\0'; line = strchr(line, '\n') + 1, lines++)
        cr_expect_eq(count_fields(line), count_fields(printed.text), "line %zu", lines + 1);
    cr_expect_eq(lines, 1 + 6 + 3 + 5 + 4 + 33 + 7 + 10);
    expect_holds(printed.text, "\nlab,stride,4 bytes,,cuda,NVIDIA H100 80GB HBM3,stride 32,"
                               "verified,,101,2.32e-06,0.002,");
    expect_holds(printed.text, "\njobs,rotate angle=90 | gray,12 files,,cuda,NVIDIA H100 80GB "
                               "HBM3,command,verified,,101,7.85,0.009,");
    expect_holds(printed.text, ",\"no, \"\"that\"\" is wrong\",");
    free(printed.text);
    bench_report_free(&report);
}

Test(bench_output, markdown_rows_have_equal_columns)
{
    BenchReport report = example_report();
    Printed printed;
    PUT(report.groups[0].rows[1].name, "a|b*<c>");
    begin(&printed);
    bench_print_markdown(printed.out, &report);
    end(&printed);
    expect_holds(printed.text,
                 "\n| a\\|b\\*\\<c\\> | 210 us | ±0.4 % | 206 us | 201 us | 342 | 14.9 % |");
    expect_holds(printed.text, "\n| **cuda-vector** | 34.2 us |");
    expect_holds(printed.text,
                 "\n| cuda-words |  |  |  |  |  |  |  |  | skipped: not for pixels of "
                 "3 bytes |\n");
    expect_holds(printed.text, "| shared reads | wavefronts |");
    expect_holds(printed.text,
                 "\n| whole command | 7.85 s | ±0.9 % |  |  | 7.85 s | ±0.9 % |  |  |\n");
    free(printed.text);
    bench_report_free(&report);
}

/* --- JSON, written and read ------------------------------------------------------------------- */

typedef struct File {
    char path[64];
} File;

static File write_file(const char *text, size_t size)
{
    File file = {"/tmp/test_bench_output_XXXXXX"};
    int descriptor = mkstemp(file.path);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, text, size), (ssize_t)size);
    close(descriptor);
    return file;
}

static ImgStatus load(const char *text, size_t size, BenchReport *report, ImgError *err)
{
    File file = write_file(text, size);
    ImgStatus status = bench_load(file.path, report, err);
    if (status != IMG_OK) {
        cr_expect_eq(strncmp(err->message, file.path, strlen(file.path)), 0, "%s", err->message);
        cr_expect_eq(report->group_count + report->job_count, 0);
    }
    unlink(file.path);
    return status;
}

static char *json_of(const BenchReport *report)
{
    Printed printed;
    begin(&printed);
    cr_assert_eq(bench_print_json(printed.out, report, NULL), IMG_OK);
    end(&printed);
    return printed.text;
}

static void expect_round_trip(BenchReport *report)
{
    BenchReport back;
    ImgError err = {IMG_OK, ""};
    char *text = json_of(report);
    cr_assert_eq(load(text, strlen(text), &back, &err), IMG_OK, "%s", err.message);
    char *again = json_of(&back);
    cr_expect_str_eq(again, text);
    bench_report_free(&back);
    free(again);
    free(text);
    bench_report_free(report);
}

Test(bench_output, json_reads_back_as_it_was_written)
{
    BenchReport report = example_report();
    report.interrupted = true;
    report.groups[3].rows[2].counts.global_sectors[IMG_READS] = (UINT64_C(1) << 53) - 1;
    report.groups[0].rows[1].cold.median = 1.0 / 3;
    report.groups[0].rows[1].cold.noise = DBL_MIN;
    expect_round_trip(&report);
    report = BENCH_REPORT_NONE;
    expect_round_trip(&report);
}

Test(bench_output, times_are_read_back_to_the_last_bit)
{
    BenchReport report = example_report(), back;
    ImgError err = {IMG_OK, ""};
    double *median = &report.groups[0].rows[1].cold.median;
    for (int i = 1; i <= 50; i++) {
        *median = 1e-6 / i;
        char *text = json_of(&report);
        cr_assert_eq(load(text, strlen(text), &back, &err), IMG_OK, "%s", err.message);
        cr_expect(back.groups[0].rows[1].cold.median == *median, "1e-6 / %d", i);
        bench_report_free(&back);
        free(text);
    }
    bench_report_free(&report);
}

Test(bench_output, a_report_read_back_equals_itself)
{
    BenchReport report = example_report(), back;
    ImgError err = {IMG_OK, ""};
    char *text = json_of(&report);
    cr_assert_eq(load(text, strlen(text), &back, &err), IMG_OK, "%s", err.message);
    for (size_t r = 0; r < report.groups[0].count; r++) {
        BenchEntry work = bench_entry_at(&report, 0), same = bench_entry_at(&back, 0);
        BenchChange change;
        cr_expect_eq(bench_change(same, work, r, &change), r < 4);
        cr_expect(!change.timed || change.speed == 1);
    }
    BenchTotals totals = bench_totals(&back, &report);
    cr_expect_eq(totals.compared, 4 + 3 + 5 + 4 + 33 + 7 + 10);
    cr_expect_eq(totals.faster + totals.slower + totals.recounted, 0);
    free(text);
    bench_report_free(&back);
    bench_report_free(&report);
}

Test(bench_output, long_and_unusual_names_survive_json)
{
    BenchReport report = extreme_report(1, UINT64_MAX), back;
    ImgError err = {IMG_OK, ""};
    /* A double, the only number type of JSON, cannot represent these counts exactly. */
    for (size_t g = 0; g < report.group_count; g++)
        for (size_t r = 0; r < report.groups[g].count; r++)
            report.groups[g].rows[r].cold.samples = report.groups[g].rows[r].warm.samples = 7;
    for (size_t j = 0; j < report.job_count; j++) {
        report.jobs[j].images = 7;
        for (int s = 0; s < STAGE_COUNT; s++)
            report.jobs[j].stages[s].samples = 7;
    }
    char *text = json_of(&report);
    cr_assert_eq(load(text, strlen(text), &back, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(back.group_count, 2);
    cr_assert_not_null(back.groups[0].rows);
    cr_expect_str_eq(back.groups[0].rows[3].name, report.groups[0].rows[3].name);
    cr_expect_eq(back.groups[0].rows[3].counts.blocks, UINT64_MAX);
    cr_expect_eq(strlen(back.machine.driver) % 2, 0, "whole characters of two bytes");
    free(text);
    bench_report_free(&back);
    bench_report_free(&report);
}

/* --- Damaged files ---------------------------------------------------------------------------- */

static void expect_refused(const char *text, ImgStatus status, const char *part)
{
    BenchReport report;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(load(text, strlen(text), &report, &err), status, "%s", text);
    expect_holds(err.message, part);
}

#define HEAD  "{\"imgtool\":\"0.1.0\",\"schema\":1,\"command\":\"bench\""
#define START HEAD ",\"jobs\":[],\"groups\":["
#define GROUP START "{\"section\":\"lab\",\"title\":\"t\",\"subject\":\"s\",\"backend\":\"cuda\""
#define ROW   GROUP ",\"rows\":[{\"name\":\"n\",\"verdict\":\"verified\""

Test(bench_output, errors_in_a_file_are_named)
{
    expect_refused("", IMG_E_FORMAT, "is not valid JSON, or is truncated: line 1");
    expect_refused("{\n\"a\": 1,\n oops", IMG_E_FORMAT, "line 3");
    expect_refused("{\"1\":1,", IMG_E_FORMAT, "is not valid JSON");
    expect_refused("[1, 2]", IMG_E_FORMAT, "not what 'imgtool bench --json' writes");
    expect_refused("{\"files\": []}", IMG_E_FORMAT, "not what 'imgtool bench --json' writes");
    expect_refused("{\"imgtool_bench\":1,\"machine\":{\"version\":\"0.1.0\"}}", IMG_E_FORMAT,
                   "was written by imgtool 0.1.0, before its JSON had a schema");
    expect_refused("{\"imgtool_bench\":1}", IMG_E_FORMAT, "was written by imgtool 0.1");
    expect_refused("{\"imgtool\":\"7.0.0\",\"schema\":2,\"command\":\"bench\"}", IMG_E_FORMAT,
                   "is of schema 2, which imgtool 7.0.0 wrote");
    expect_refused("{\"imgtool\":\"0.1.0\",\"schema\":1,\"command\":\"stats\"}", IMG_E_FORMAT,
                   "is what 'imgtool stats' wrote");
    expect_refused(HEAD "}", IMG_E_FORMAT, "groups is missing");
    expect_refused(HEAD ",\"groups\":{}}", IMG_E_FORMAT, "groups is not a list");
    expect_refused(HEAD ",\"groups\":[]}", IMG_E_FORMAT, "jobs is missing");
    expect_refused(START "]} {}", IMG_E_FORMAT, "line 1 cannot be read");
    expect_refused(HEAD ",\"x\":\"\xff\"}", IMG_E_FORMAT, "is not UTF-8");
    expect_refused(START "7]}", IMG_E_FORMAT, "groups[0] is not an object");
    expect_refused(START "{\"section\":\"none\"}]}", IMG_E_FORMAT,
                   "groups[0].section is not one of");
    expect_refused(GROUP "}]}", IMG_E_FORMAT, "groups[0].rows is missing");
    expect_refused(GROUP ",\"bytes\":-1,\"rows\":[]}]}", IMG_E_FORMAT,
                   "groups[0].bytes is negative");
    expect_refused(GROUP ",\"bytes\":1e99,\"rows\":[]}]}", IMG_E_FORMAT,
                   "groups[0].bytes is not a whole number, or too large");
    expect_refused(GROUP ",\"bytes\":0.5,\"rows\":[]}]}", IMG_E_FORMAT, "not a whole number");
    expect_refused(GROUP ",\"rows\":[{}]}]}", IMG_E_FORMAT, "groups[0].rows[0].name is missing");
    expect_refused(ROW ",\"message\":3}]}]}", IMG_E_FORMAT, "rows[0].message is not text");
    expect_refused(ROW ",\"cold\":[]}]}]}", IMG_E_FORMAT, "rows[0].cold is not an object");
    expect_refused(ROW ",\"cold\":{\"median_seconds\":\"1\"}}]}]}", IMG_E_FORMAT,
                   "groups[0].rows[0].cold.median_seconds is not a number");
    expect_refused(ROW ",\"cold\":{\"median_seconds\":1e999}}]}]}", IMG_E_FORMAT,
                   "median_seconds is negative or too large");
    expect_refused(ROW ",\"counts\":{}}]}]}", IMG_E_FORMAT, "rows[0].counting is missing");
    expect_refused(HEAD ",\"machine\":{\"threads\":3000000000},\"groups\":[]}", IMG_E_FORMAT,
                   "machine.threads is not a whole number, or too large");
    expect_refused(HEAD ",\"groups\":[],\"jobs\":[{\"title\":\"t\",\"subject\":"
                        "\"s\",\"backend\":\"cpu\",\"verdict\":\"limit\",\"stages\":{\"job\":{"
                        "\"noise\":-1}}}]}",
                   IMG_E_FORMAT, "jobs[0].stages.job.noise is negative");
}

Test(bench_output, unreadable_files_are_named)
{
    BenchReport report;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(bench_load("/no/such/file.json", &report, &err), IMG_E_IO);
    cr_expect_str_eq(err.message, "/no/such/file.json: No such file or directory");
    img_error_clear(&err);
    cr_expect_eq(bench_load("/tmp", &report, &err), IMG_E_IO);
    cr_expect_str_eq(err.message, "/tmp: Is a directory");
    img_error_clear(&err);
    File file = write_file("", 0);
    cr_assert_eq(truncate(file.path, 65 * 1000 * 1000), 0);
    cr_expect_eq(bench_load(file.path, &report, &err), IMG_E_LIMIT);
    expect_holds(err.message, "is larger than 64 MB");
    unlink(file.path);
}

Test(bench_output, nesting_and_unknown_keys_are_ignored)
{
    enum { DEEP = 500000 };
    static char text[2 * DEEP + 1];
    BenchReport report;
    ImgError err = {IMG_OK, ""};
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    expect_refused(text, IMG_E_FORMAT, "nests deeper than");
    const char *known = START "],\"more\":{\"a\":[null,[[true]]]}}\n";
    cr_expect_eq(load(known, strlen(known), &report, &err), IMG_OK, "%s", err.message);
    bench_report_free(&report);
}

Test(bench_output, truncated_files_are_rejected)
{
    BenchReport report = example_report(), back;
    report.groups[4].count = 2;
    char *text = json_of(&report);
    size_t size = strlen(text) - 1; /* all bytes except the newline at the end */
    for (size_t length = 0; length < size; length += 97) {
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(load(text, length, &back, &err), IMG_E_FORMAT, "at %zu", length);
    }
    free(text);
    bench_report_free(&report);
}

/* A file with changed bytes must give either an error message or a report. Sanitizers check the
 * memory accesses of the reader. */
Test(bench_output, damaged_bytes_give_an_error_or_a_report)
{
    BenchReport report = example_report(), back;
    report.groups[4].count = 2;
    char *text = json_of(&report);
    size_t size = strlen(text);
    static const char damage[] = "\"{}[],:-e9x\0\xff";
    uint32_t seed = 12345;
    for (int i = 0; i < 400; i++) {
        ImgError err = {IMG_OK, ""};
        seed = seed * 1664525 + 1013904223;
        size_t at = seed % size;
        char was = text[at];
        text[at] = damage[(seed >> 24) % (sizeof damage - 1)];
        if (load(text, size, &back, &err) == IMG_OK) {
            Printed printed;
            begin(&printed);
            print_all(printed.out, &back, &plain);
            bench_print_comparison(printed.out, &report, &back, &plain);
            expect_lines_fit(end(&printed), plain.width);
            free(printed.text);
        } else {
            cr_expect_neq(err.message[0], '\0');
        }
        bench_report_free(&back);
        text[at] = was;
    }
    free(text);
    bench_report_free(&report);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Returns the report of another machine. It differs from example_report in every way that a
 * comparison marks. */
static BenchReport changed_report(void)
{
    BenchReport report = example_report();
    BenchRow *rows = report.groups[0].rows;
    PUT(report.machine.gpu, "NVIDIA H200");
    /* within the noise, because two noises of 0.3 % combine to 0.42 % */
    rows[0].cold.median *= 1.004;
    rows[1].cold.median *= 1.02; /* slower by more than the noise */
    rows[2].cold.median *= 0.98; /* faster by more than the noise */
    rows[3].cold.samples = 0;    /* failed in this report only */
    rows[3].verdict = BENCH_FAILED;
    PUT(rows[5].name, "cuda-other");
    report.groups[2].rows[1].counts.shared_wavefronts[IMG_READS] = 32;
    PUT(report.groups[3].subject, "8 x 8 x 8");
    report.jobs[0].stages[STAGE_ENCODE].median /= 2;
    report.jobs[0].stages[STAGE_READ].samples = 0;
    return report;
}

Test(bench_output, a_comparison_marks_what_changed_beyond_the_noise)
{
    BenchReport old = example_report(), new_ = changed_report();
    Printed printed;
    begin(&printed);
    cr_expect_eq(bench_print_comparison(printed.out, &old, &new_, &plain), 60);
    end(&printed);
    expect_holds(printed.text, "\n  GPU differs: NVIDIA H100 80GB HBM3 before, NVIDIA H200 now\n");
    expect_lacks(printed.text, "CPU differs");
    expect_holds(printed.text, "\nrotate angle=90, rgb8 4001x3001, CUDA\n"
                               "  variant         before      now   noise  change\n"
                               "  device copy    31.4 us  31.5 us  ±0.4 %  the same\n"
                               "  cuda-naive      210 us   215 us  ±0.6 %  1.02x slower *\n"
                               "  cuda-padded    61.5 us  60.3 us  ±0.8 %  1.02x faster *\n"
                               "  cuda-words: only before\n"
                               "  cuda-vector: timed before, failed now\n"
                               "  cuda-other: only now\n\n");
    expect_holds(printed.text, "\n  row-write/row-read        equal\n");
    expect_holds(printed.text, "\n  column-write/column-read  differ *\n");
    expect_holds(printed.text, "\n  encode     5.17 s   2.58 s   ±0.8 %  2.00x faster *\n");
    expect_holds(printed.text, "\n  read: only before\n");
    expect_holds(printed.text, "\n  only before: matrix, 1001 x 997 x 1003, CUDA (4 rows)\n"
                               "  only now: matrix, 8 x 8 x 8, CUDA (4 rows)\n\n");
    expect_holds(printed.text, "\n60 compared, 2 faster, 1 slower beyond the noise (*), 1 with "
                               "other counts\n");
    free(printed.text);
    bench_report_free(&old);
    bench_report_free(&new_);
}

Test(bench_output, reports_without_common_rows_are_compared)
{
    BenchReport old = BENCH_REPORT_NONE, new_ = example_report();
    Printed printed;
    begin(&printed);
    cr_expect_eq(bench_print_comparison(printed.out, &old, &new_, &plain), 0);
    expect_holds(end(&printed), "\n0 compared, 0 faster, 0 slower beyond the noise (*)\n");
    free(printed.text);
    bench_report_free(&new_);
}

static const char *text_at(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "";
}

static const cJSON *named(const cJSON *list, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (strcmp(text_at(item, "name"), name) == 0)
            return item;
    }
    return NULL;
}

static long left; /* number of cJSON allocations that still succeed */

static void *fail_in_time(size_t size)
{
    return left-- > 0 ? malloc(size) : NULL;
}

Test(bench_output, json_with_a_failed_allocation_is_an_error)
{
    BenchReport old = example_report(), new_ = changed_report();
    cJSON_Hooks hooks = {fail_in_time, free};
    const size_t old_count = old.group_count, new_count = new_.group_count;
    old.group_count = new_.group_count = 2;
    cJSON_InitHooks(&hooks);
    for (long count = 0, failures = 1; failures > 0; count += 1 + count / 16) {
        Printed printed;
        bool failed = false;
        left = count;
        begin(&printed);
        cJSON *root = bench_json(&new_, &failed);
        bench_add_comparison_json(root, &old, &new_, &failed);
        ImgStatus status = json_print(printed.out, root, failed, NULL);
        failures = left < 0;
        end(&printed);
        cr_expect_eq(status, failures ? IMG_E_MEMORY : IMG_OK, "after %ld allocations", count);
        cr_expect_eq(printed.text[0], failures ? '\0' : '{', "after %ld allocations", count);
        free(printed.text);
    }
    cJSON_InitHooks(NULL);
    old.group_count = old_count;
    new_.group_count = new_count;
    bench_report_free(&old);
    bench_report_free(&new_);
}

Test(bench_output, a_comparison_can_be_json)
{
    BenchReport old = example_report(), new_ = changed_report();
    bool failed = false;
    cJSON *root = bench_json(&new_, &failed);
    bench_add_comparison_json(root, &old, &new_, &failed);
    cr_assert(!failed);
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    root = cJSON_Parse(text);
    cJSON_free(text);
    const cJSON *comparison = cJSON_GetObjectItemCaseSensitive(root, "comparison");
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(comparison, "rows");
    cr_expect_eq(cJSON_GetArraySize(rows), 60);
    cr_expect_str_eq(text_at(named(rows, "cuda-naive"), "change"), "slower");
    cr_expect_str_eq(text_at(named(rows, "cuda-padded"), "change"), "faster");
    cr_expect_str_eq(text_at(named(rows, "device copy"), "change"), "none");
    cr_expect_str_eq(text_at(named(rows, "column-write/column-read"), "counts"), "differ");
    cr_expect_float_eq(
        cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(named(rows, "cuda-naive"), "speed")),
        1 / 1.02, 1e-12);
    const cJSON *only_old = cJSON_GetObjectItemCaseSensitive(comparison, "only_old");
    const cJSON *only_new = cJSON_GetObjectItemCaseSensitive(comparison, "only_new");
    cr_expect_eq(cJSON_GetArraySize(only_old), 1 + 4 + 1);
    cr_expect_eq(cJSON_GetArraySize(only_new), 1 + 4);
    cr_expect_not_null(named(only_old, "cuda-words"));
    cr_expect_not_null(named(only_new, "cuda-other"));
    cJSON_Delete(root);
    bench_report_free(&old);
    bench_report_free(&new_);
}

Test(bench_output, a_comparison_can_be_markdown)
{
    BenchReport old = example_report(), new_ = changed_report();
    Printed printed;
    begin(&printed);
    cr_expect_eq(bench_print_comparison(printed.out, &old, &new_, NULL), 60);
    end(&printed);
    expect_holds(printed.text, "\n| cuda-naive | 210 us | 215 us | ±0.6 % | 1.02x slower \\* |\n");
    expect_holds(printed.text, "\n- cuda-vector: timed before, failed now\n");
    free(printed.text);
    bench_report_free(&old);
    bench_report_free(&new_);
}
