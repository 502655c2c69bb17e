/* Benchmark reports made by hand, for tests that print and draw them. The CUDA figures are those of
 * an H100 in kernels/turn/MEASUREMENTS.md. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_BENCH_REPORTS_H
#define IMGTOOL_TESTS_UNIT_TEST_BENCH_REPORTS_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "app/bench/report.h"

enum { EXAMPLE_FORMATS = 6 };

static const char *const example_formats[EXAMPLE_FORMATS] = {"gray8", "graya8", "rgb8",
                                                             "rgba8", "rgb16",  "rgba16"};

/* Rates of one implementation in GB/s, one for each format. A negative rate means that the row
 * failed; 0 means that the report has no such row. */
typedef struct ExampleRow {
    const char *name;
    double rates[EXAMPLE_FORMATS];
} ExampleRow;

static const ExampleRow example_rotate[] = {
    {"device copy", {2955, 2972, 3017, 3006, 3020, 3025}},
    {"cuda-naive-read", {119, 242, 120, 411, 240, 627}},
    {"cuda-naive-write", {478, 972, 470, 1858, 885, 2022}},
    {"cuda-tiled", {1013, 1362, 1303, 1632, 1430, 2787}},
    {"cuda-tiled-dynamic", {1012, 1361, 1304, 1633, 1430, 2786}},
    {"cuda-rectangle", {540, 923, 1002, 1657, 1611, 2423}},
    {"cuda-padded-element", {1039, 1794, 1736, 2801, 2396, 2923}},
    {"cuda-padded-bank", {1038, 1794, 1909, 2801, 2452, 2923}},
    {"cuda-padded-dynamic", {1039, 1795, 1909, 2801, 2445, 2924}},
    {"cuda-swizzled", {957, 1732, 1877, 2767, 2429, 2923}},
    {"cuda-fast", {2834, 2871, 2879, 2885, 2873, 2917}},
    {NULL, {0}},
};

static const ExampleRow example_small_rotate[] = {
    {"device copy", {1587, 2052, 2291, 2444, 2610, 2689}},
    {"cuda-naive-read", {115, 224, 116, 389, 225, 606}},
    {"cuda-naive-write", {435, 874, 449, 1598, 854, 1985}},
    {"cuda-tiled", {863, 1166, 1174, 1444, 1340, 2507}},
    {"cuda-tiled-dynamic", {864, 1168, 1173, 1451, 1345, 2514}},
    {"cuda-rectangle", {485, 821, 938, 1496, 1528, 2163}},
    {"cuda-padded-element", {878, 1528, 1622, 2431, 2188, 2673}},
    {"cuda-padded-bank", {876, 1524, 1662, 2452, 2238, 2674}},
    {"cuda-padded-dynamic", {860, 1533, 1666, 2462, 2233, 2676}},
    {"cuda-swizzled", {821, 1486, 1666, 2427, 2216, 2679}},
    {"cuda-fast", {1900, 2274, 2158, 2548, 2647, 2692}},
    {NULL, {0}},
};

static const ExampleRow example_histogram[] = {
    {"plain read", {2675, 2770, 2851, 2881, 2956, 2994}},
    {"cuda-global", {6, 10, 15, 21, 130, 139}},
    {"cuda-shared", {677, 1040, 1432, 1431, 0, 0}},
    {"cuda-warp", {663, 800, 955, 1190, 0, 0}},
    {"cuda-column", {351, 300, 257, 329, 0, 0}},
    {"cuda-fast", {2619, 2700, 2762, 2799, 1485, 1120}},
    {NULL, {0}},
};

static const ExampleRow example_cpu_rotate[] = {
    {"memcpy", {42.6, 39.8, 40.9, 41.0, 39.7, 40.3}},
    {"reference", {0.31, 0.48, 0.86, 0.97, 1.61, 1.74}},
    {"cpu", {36.4, 32.5, 18.8, 41.1, 13.5, 46.3}},
    {"cpu-avx2", {40.0, 31.6, 33.5, 48.0, 42.1, 49.4}},
    {"cpu-avx512", {40.1, 39.0, 36.0, 47.1, 40.5, 49.5}},
    {NULL, {0}},
};

static inline BenchRow *example_row(BenchGroup *group, const char *name, BenchVerdict verdict,
                                    double rate, double noise)
{
    BenchRow *row = bench_group_add_row(group, NULL);
    cr_assert_not_null(row);
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    row->verdict = verdict;
    if (rate > 0) {
        double median = (double)group->bytes / (rate * 1e9);
        row->cold = (BenchTiming){15, median, noise, 0.99 * median, 0.99 * median, 1.01 * median};
    }
    return row;
}

static inline BenchGroup *example_group(BenchReport *report, BenchSection section,
                                        const char *title, const char *subject, const char *format)
{
    BenchGroup *group = bench_report_add_group(report, NULL);
    cr_assert_not_null(group);
    group->section = section;
    group->backend = IMG_BACKEND_CUDA;
    group->bytes = 72000000;
    (void)snprintf(group->title, sizeof group->title, "%s", title);
    (void)snprintf(group->subject, sizeof group->subject, "%s", subject);
    (void)snprintf(group->format, sizeof group->format, "%s", format);
    return group;
}

/* Adds an operation to the report, with one group per format. The first entry of `rows` is the
 * plain copy with which the others are compared. */
static inline void example_operation(BenchReport *report, const char *title, const char *size,
                                     ImgBackend backend, const ExampleRow *rows, int formats,
                                     double noise)
{
    for (int f = 0; f < formats; f++) {
        char subject[BENCH_SUBJECT];
        (void)snprintf(subject, sizeof subject, "%s %s", example_formats[f], size);
        BenchGroup *group = example_group(report, BENCH_OPS, title, subject, example_formats[f]);
        group->backend = backend;
        for (int r = 0; rows[r].name != NULL; r++) {
            BenchVerdict verdict = r == 0                 ? BENCH_LIMIT
                                   : rows[r].rates[f] < 0 ? BENCH_FAILED
                                                          : BENCH_VERIFIED;
            if (rows[r].rates[f] != 0)
                (void)example_row(group, rows[r].name, verdict, rows[r].rates[f], noise);
        }
    }
}

static inline void example_machine(BenchReport *report, bool gpu)
{
    BenchMachine *machine = &report->machine;
    strcpy(machine->version, "0.6.0");
    strcpy(machine->date, "2026-11-21T12:00:00Z");
    strcpy(machine->command, "bench rotate histogram --size 16384x16384");
    strcpy(machine->cpu, "Intel(R) Xeon(R) Platinum 8468");
    machine->threads = 16;
    if (!gpu)
        return;
    strcpy(machine->gpu, "NVIDIA H100 80GB HBM3");
    strcpy(machine->driver, "580.159.04");
    strcpy(machine->runtime, "13.0");
}

/* Shared-memory wavefronts of one variant of an experiment, as the model counts them. */
typedef struct ExampleCounts {
    const char *variant;
    uint64_t writes, reads;
} ExampleCounts;

static inline void example_counts(BenchReport *report, const char *title, const char *heading,
                                  const char *which, const ExampleCounts *counts)
{
    BenchGroup *group = example_group(report, BENCH_LAB, title, which, "");
    (void)snprintf(group->heading, sizeof group->heading, "%s", heading);
    group->bytes = 0;
    group->counters[0] = LAB_SHARED_WAVEFRONTS;
    for (int i = 0; counts[i].variant != NULL; i++) {
        BenchRow *row = example_row(group, counts[i].variant, BENCH_VERIFIED, 0, 0);
        row->counting = BENCH_MODELLED;
        row->counts.shared_wavefronts[IMG_READS] = counts[i].reads;
        row->counts.shared_wavefronts[IMG_WRITES] = counts[i].writes;
    }
}

static const ExampleCounts example_square[] = {
    {"column-column", 1024, 1024},
    {"row-row", 32, 32},
    {"row-column", 32, 1024},
    {"row-column-dynamic", 32, 1024},
    {"row-column-padded", 32, 32},
    {"row-column-padded-dynamic", 32, 32},
    {NULL, 0, 0},
};

#endif
