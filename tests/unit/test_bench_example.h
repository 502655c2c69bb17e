/* A benchmark report made by hand, with rows of every kind, for the tests of its printers. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_BENCH_EXAMPLE_H
#define IMGTOOL_TESTS_UNIT_TEST_BENCH_EXAMPLE_H

#include <stdio.h>
#include <string.h>

#include "app/bench/report.h"

static inline void put(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

#define PUT(to, text) put(to, sizeof(to), text)

static inline BenchTiming example_timing(double median, double noise)
{
    return (BenchTiming){
        101, median, noise, median * 0.98, median * (1 - noise), median * (1 + noise)};
}

static inline BenchMachine example_machine(void)
{
    BenchMachine machine = {.cpu_mhz = 2100,
                            .threads = 16,
                            .memory = UINT64_C(128) << 30,
                            .multiprocessors = 132,
                            .gpu_memory = UINT64_C(81559) << 20,
                            .gpu_mhz = 1980,
                            .gpu_memory_mhz = 2619};
    PUT(machine.version, "0.1.0");
    PUT(machine.date, "2026-11-21T12:00:00Z");
    PUT(machine.command, "bench rotate --size 4001x3001");
    PUT(machine.cpu, "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz");
    PUT(machine.system, "Linux 6.1.0");
    PUT(machine.gpu, "NVIDIA H100 80GB HBM3");
    PUT(machine.driver, "580.159.04");
    PUT(machine.runtime, "13.0");
    PUT(machine.compute, "9.0");
    return machine;
}

static inline BenchGroup *example_group(BenchReport *report, BenchSection section,
                                        const char *title, const char *subject, ImgBackend backend,
                                        uint64_t bytes)
{
    BenchGroup *group = bench_report_add_group(report, NULL);
    group->section = section;
    PUT(group->title, title);
    PUT(group->subject, subject);
    group->backend = backend;
    group->bytes = bytes;
    return group;
}

static inline BenchRow *example_row(BenchGroup *group, const char *name, BenchVerdict verdict,
                                    double median, double noise)
{
    BenchRow *row = bench_group_add_row(group, NULL);
    PUT(row->name, name);
    row->verdict = verdict;
    if (median > 0)
        row->cold = example_timing(median, noise);
    return row;
}

static inline void example_speedup(BenchRow *row, double speedup, double interval)
{
    row->speedup = speedup;
    row->speedup_low = speedup * (1 - interval);
    row->speedup_high = speedup * (1 + interval);
}

/* Adds the group of an operation. Its rows are a limit, several variants, a variant that fails and
 * one that cannot run. */
static inline void example_ops(BenchReport *report)
{
    BenchGroup *group = example_group(report, BENCH_OPS, "rotate angle=90", "rgb8 4001x3001",
                                      IMG_BACKEND_CUDA, UINT64_C(2) * 3 * 4001 * 3001);
    PUT(group->format, "rgb8");
    BenchRow *row = example_row(group, "device copy", BENCH_LIMIT, 31.42e-6, 0.003);
    row->warm = example_timing(18.9e-6, 0.002);
    row = example_row(group, "cuda-naive", BENCH_VERIFIED, 210.4e-6, 0.004);
    row->warm = example_timing(201e-6, 0.004);
    example_speedup(row, 1, 0);
    row = example_row(group, "cuda-padded", BENCH_VERIFIED, 61.5e-6, 0.006);
    row->warm = example_timing(45.21e-6, 0.005);
    example_speedup(row, 3.421, 0.0131);
    row = example_row(group, "cuda-vector", BENCH_VERIFIED, 34.2e-6, 0.0004);
    row->warm = example_timing(21.3e-6, 0.005);
    example_speedup(row, 6.152, 0.01);
    row = example_row(group, "cuda-swizzled", BENCH_FAILED, 0, 0);
    PUT(row->message, "differs from the reference first at x 4000, y 17: 12 instead of 13");
    row = example_row(group, "cuda-words", BENCH_SKIPPED, 0, 0);
    PUT(row->message, "not for pixels of 3 bytes");
    group = example_group(report, BENCH_OPS, "rotate angle=90", "rgb8 4001x3001", IMG_BACKEND_CPU,
                          UINT64_C(2) * 3 * 4001 * 3001);
    example_row(group, "memcpy", BENCH_LIMIT, 4.21e-3, 0.021);
    example_speedup(example_row(group, "cpu", BENCH_VERIFIED, 48.2e-3, 0.012), 1, 0);
    example_speedup(example_row(group, "cpu-avx2", BENCH_VERIFIED, 5.92e-3, 0.034), 8.14, 0.036);
}

static inline void example_square(BenchReport *report)
{
    static const char *const names[] = {"row-write/row-read", "column-write/column-read",
                                        "row-write/column-read", "dynamic", "padded"};
    static const uint64_t writes[] = {32, 1024, 32, 32, 32}, reads[] = {32, 1024, 1024, 1024, 32};
    BenchGroup *group =
        example_group(report, BENCH_LAB, "square", "32 x 32", IMG_BACKEND_CUDA, 4096);
    PUT(group->heading, "Square shared memory, 32 x 32 ints, one block");
    for (int i = 0; i < 5; i++) {
        BenchRow *row = example_row(group, names[i], BENCH_VERIFIED, 0, 0);
        row->counting = BENCH_MODELLED;
        row->counts = (ImgLaunchCounts){.launches = 1,
                                        .blocks = 1,
                                        .warps = 32,
                                        .shared_requests = {32, 32},
                                        .shared_wavefronts = {reads[i], writes[i]},
                                        .global_requests = {0, 32},
                                        .global_sectors = {0, 128}};
    }
}

/* Adds a group that states its number of arithmetic operations and has counts of a smaller case.
 * The times and counts of a row do not fit into one line. */
static inline void example_matrix(BenchReport *report)
{
    static const char *const names[] = {"global memory only", "tiles", "tiles, padded, registers"};
    static const double medians[] = {1.61e-3, 0.731e-3, 0.2155e-3};
    BenchGroup *group = example_group(report, BENCH_LAB, "matrix", "1001 x 997 x 1003",
                                      IMG_BACKEND_CUDA, UINT64_C(12008024));
    PUT(group->heading, "Matrix product of any sizes");
    PUT(group->counted, "65 x 63 x 67");
    group->operations = UINT64_C(2) * 1001 * 997 * 1003;
    example_row(group, "plain read", BENCH_LIMIT, 9.2e-6, 0.01);
    for (int i = 0; i < 3; i++) {
        BenchRow *row = example_row(group, names[i], BENCH_VERIFIED, medians[i], 0.003);
        example_speedup(row, medians[0] / medians[i], i == 0 ? 0 : 0.005);
        row->warm = example_timing(medians[i] * 0.98, 0.002);
        row->counting = i == 2 ? BENCH_MEASURED : BENCH_MODELLED;
        row->counts = (ImgLaunchCounts){.launches = 1,
                                        .blocks = 4096,
                                        .warps = 32768,
                                        .split_warps = 1032,
                                        .split_branches = 1032,
                                        .shared_requests = {(uint64_t)i * 1024000, 64000},
                                        .shared_wavefronts = {(uint64_t)i * 1234567, 64000},
                                        .global_requests = {8000, 100},
                                        .global_sectors = {123456789U >> (3 * i), 125751}};
    }
}

/* Adds a group with more rows than the other groups. */
static inline void example_strides(BenchReport *report)
{
    BenchGroup *group = example_group(report, BENCH_LAB, "stride", "4 bytes", IMG_BACKEND_CUDA, 0);
    PUT(group->heading, "Bank conflicts by stride");
    for (uint64_t stride = 1; stride <= 33; stride++) {
        char name[16];
        uint64_t conflicts = stride & -stride;
        snprintf(name, sizeof name, "stride %d", (int)stride);
        BenchRow *row =
            example_row(group, name, BENCH_VERIFIED, 2e-6 + 0.01e-6 * (double)conflicts, 0.002);
        row->counting = BENCH_MEASURED;
        row->counts.launches = 1;
        row->counts.warps = 1;
        row->counts.shared_requests[IMG_READS] = 1;
        row->counts.shared_wavefronts[IMG_READS] = conflicts;
    }
}

static inline BenchJob *example_job(BenchReport *report, ImgBackend backend, const char *device)
{
    BenchJob *job = bench_report_add_job(report, NULL);
    PUT(job->title, "rotate angle=90 | gray");
    PUT(job->subject, "12 files");
    job->backend = backend;
    PUT(job->device, device);
    job->images = 12;
    job->pixel_bytes = 432000000;
    job->bytes_in = 201000000;
    job->bytes_out = 98765432;
    job->stages[STAGE_READ] = example_timing(0.0412, 0.031);
    job->stages[STAGE_DECODE] = example_timing(2.31, 0.008);
    job->stages[STAGE_KERNEL] = example_timing(0.181, 0.012);
    job->stages[STAGE_ENCODE] = example_timing(5.17, 0.006);
    job->stages[STAGE_WRITE] = example_timing(0.0911, 0.11);
    job->stages[STAGE_JOB] = example_timing(7.81, 0.007);
    job->stages[STAGE_COMMAND] = example_timing(7.85, 0.009);
    return job;
}

static inline void example_jobs(BenchReport *report)
{
    example_job(report, IMG_BACKEND_CPU, "CPU, 16 threads, AVX2");
    BenchJob *job = example_job(report, IMG_BACKEND_CUDA, "NVIDIA H100 80GB HBM3");
    job->stages[STAGE_CONTEXT] = example_timing(0.213, 0.05);
    job->stages[STAGE_UPLOAD] = example_timing(0.0182, 0.011);
    job->stages[STAGE_KERNEL] = example_timing(0.000412, 0.004);
    job->stages[STAGE_DOWNLOAD] = example_timing(0.0061, 0.01);
}

static inline BenchReport example_report(void)
{
    BenchReport report = BENCH_REPORT_NONE;
    report.machine = example_machine();
    example_ops(&report);
    example_square(&report);
    example_matrix(&report);
    example_strides(&report);
    example_jobs(&report);
    return report;
}

#endif
