/* What a benchmark found: filled by whoever measures (ops.c, lab.c, end_to_end.c), read by whoever
 * prints, draws or compares. No measuring and no printing here.
 *
 * Times are seconds, rates are of bytes per second, shares and noise are parts of 1. */
#ifndef IMGTOOL_APP_BENCH_REPORT_H
#define IMGTOOL_APP_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/experiments/experiment.h"
#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"
#include "kernels/core/status.h"

/* Start with BENCH_REPORT_NONE; the functions below fill it, bench_report_free frees all. */

typedef struct BenchTiming {
    size_t samples;   /* 0: not timed */
    double median;    /* of one run */
    double noise;     /* how far medians of other runs may lie, as a part of the median */
    double minimum;   /* of one run */
    double low, high; /* 95 % interval of the median, by order statistics */
} BenchTiming;

typedef enum BenchVerdict {
    BENCH_VERIFIED, /* equal to the reference */
    BENCH_LIMIT,    /* what others are compared to: a copy, a plain read; nothing to verify */
    BENCH_FAILED,   /* another result than the reference, or an error: `message` */
    BENCH_SKIPPED,  /* cannot run here: `message` */
} BenchVerdict;

typedef enum BenchCounting { BENCH_UNCOUNTED, BENCH_MODELLED, BENCH_MEASURED } BenchCounting;

enum { BENCH_NAME = 64, BENCH_SUBJECT = 64, BENCH_MESSAGE = 256 };

/* One implementation, or one variant of an experiment. */
typedef struct BenchRow {
    char name[BENCH_NAME]; /* "cuda-padded", "device copy" */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    BenchTiming cold; /* caches filled with other data before each run; of CPU rows after a copy */
    BenchTiming warm; /* run after run; CUDA only */
    double speedup;   /* over the first variant of the group; 0: unknown */
    double speedup_low, speedup_high; /* from the intervals of both medians */
    BenchCounting counting;
    ImgLaunchCounts counts;
} BenchRow;

/* BENCH_CODEC: rows are the parts of decoding or encoding, one after another. */
typedef enum BenchSection { BENCH_OPS, BENCH_LAB, BENCH_CODEC } BenchSection;

/* Rows that can be compared: the same work on the same data. */
typedef struct BenchGroup {
    BenchSection section;
    char title[BENCH_NAME];      /* "rotate angle=90"; of the lab the experiment's name, "square" */
    char heading[128];           /* of the lab, the experiment's title; else empty */
    const char *help;            /* static: what an experiment is about; once for each. Or NULL */
    const char *const *look;     /* static: what is to be seen in the table; or NULL */
    char subject[BENCH_SUBJECT]; /* "rgb8 4001x3001"; of the lab the case, "32 x 32" */
    char format[16];             /* "rgb8"; of the lab empty */
    LabCounter counters[LAB_LESSON_COUNTERS]; /* of the lab, what the experiment is about */
    char counted[BENCH_SUBJECT]; /* what counts are of, where it is not the subject; else empty */
    ImgBackend backend;
    uint64_t bytes;       /* that a run has to move */
    uint64_t limit_bytes; /* that a run of the limit moves; 0: as many */
    uint64_t operations;  /* arithmetic a run does, for GFLOP/s; 0: unknown */
    BenchRow *rows;
    size_t count, capacity;
} BenchGroup;

/* Where the time of whole jobs goes. What did not happen has no samples. */
typedef enum BenchStage {
    STAGE_CONTEXT, /* creating the CUDA context, once a process */
    STAGE_READ,
    STAGE_DECODE,
    STAGE_UPLOAD,
    STAGE_KERNEL, /* the operations themselves, on either backend */
    STAGE_DOWNLOAD,
    STAGE_ENCODE,
    STAGE_WRITE,
    STAGE_JOB,     /* all of it, inside this process, without the context */
    STAGE_COMMAND, /* the whole command, as a process of its own */
    STAGE_COUNT
} BenchStage;

/* "context", "read", ... */
const char *bench_stage_name(BenchStage stage);

typedef struct BenchJob {
    char title[BENCH_NAME];      /* the operations: "rotate angle=90" */
    char subject[BENCH_SUBJECT]; /* "rgb8 4001x3001", "photo.png", "12 files" */
    ImgBackend backend;
    char device[BENCH_NAME]; /* "CPU, 2 threads, AVX2", "NVIDIA H100 80GB HBM3" */
    BenchVerdict verdict;    /* VERIFIED: both backends wrote the same bytes, or only one ran */
    char message[BENCH_MESSAGE];
    size_t images;                   /* that were run, and timed; VERIFIED for each of them */
    size_t failures;                 /* files that were not, or came out differently */
    uint64_t pixel_bytes;            /* of all images, decoded */
    uint64_t bytes_in, bytes_out;    /* of all files */
    BenchTiming stages[STAGE_COUNT]; /* of all images together */
} BenchJob;

/* On what it was found. Empty or 0: not known, or there is none. */
typedef struct BenchMachine {
    char version[32], date[32]; /* of imgtool; "2026-11-21T12:00:00Z" */
    char command[256];          /* the arguments: "bench rotate --size 4001x3001" */
    char cpu[128], system[128]; /* "Intel(R) Xeon(R) ..."; "Linux 6.1.0" */
    double cpu_mhz;
    int threads;
    uint64_t memory;
    char gpu[128];
    char driver[32], runtime[32]; /* "580.159.04" or, where only that is known, "13.0"; "13.0" */
    char compute[16];             /* "9.0" */
    int multiprocessors;
    uint64_t gpu_memory;
    double gpu_mhz, gpu_memory_mhz; /* as measured under load; highest of the memory */
} BenchMachine;

typedef struct BenchReport {
    BenchMachine machine;
    bool interrupted; /* not all that was asked for is here */
    BenchGroup *groups;
    size_t group_count, group_capacity;
    BenchJob *jobs;
    size_t job_count, job_capacity;
} BenchReport;

#define BENCH_REPORT_NONE ((BenchReport){.groups = NULL, .jobs = NULL})

/* Append; the pointer is good until the next one is appended. NULL without memory. */
BenchGroup *bench_report_add_group(BenchReport *report, ImgError *err);
BenchRow *bench_group_add_row(BenchGroup *group, ImgError *err);
BenchJob *bench_report_add_job(BenchReport *report, ImgError *err);
void bench_report_free(BenchReport *report);

/* Copies as much of the text as there is room for, and no part of a character in UTF-8: what is
 * broken in one place is not UTF-8 at all to JSON. */
void bench_copy_text(char *to, size_t size, const char *text);

/* The row is unavailable here (IMG_E_UNAVAILABLE: SKIPPED), or is wrong. */
void bench_row_fail(BenchRow *row, const ImgError *err);

/* Is any row or job FAILED? */
bool bench_report_failed(const BenchReport *report);

/* The limit's row of the group, or NULL. */
const BenchRow *bench_group_limit(const BenchGroup *group);

/* Bytes per second by the median, or 0 where it was not timed. */
double bench_rate(const BenchGroup *group, const BenchRow *row);

/* The row's rate as a part of the limit's rate; 0: unknown. */
double bench_share(const BenchGroup *group, const BenchRow *row);

#endif
