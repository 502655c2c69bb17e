/* The results of a benchmark. Measuring code (ops.c, lab.c, end_to_end.c) fills them; other code
 * prints, draws or compares them. No measuring and no printing here.
 *
 * Times are in seconds, rates in bytes per second, shares and noise are parts of 1. */
#ifndef IMGTOOL_APP_BENCH_REPORT_H
#define IMGTOOL_APP_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/bench/experiments/experiment.h"
#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/op.h"
#include "kernels/core/status.h"

typedef struct BenchTiming {
    size_t samples;   /* number of runs; 0: not timed */
    double median;    /* time of one run */
    double noise;     /* expected deviation of the medians of other runs, as a part of the median */
    double minimum;   /* time of the shortest run */
    double low, high; /* 95 % interval of the median, by order statistics */
} BenchTiming;

typedef enum BenchVerdict {
    BENCH_VERIFIED, /* equal to the reference */
    BENCH_LIMIT,    /* upper bound for comparison: a copy or a plain read; nothing to verify */
    BENCH_FAILED,   /* result differs from the reference, or an error, see `message` */
    BENCH_SKIPPED,  /* cannot run here, see `message` */
} BenchVerdict;

typedef enum BenchCounting { BENCH_UNCOUNTED, BENCH_MODELLED, BENCH_MEASURED } BenchCounting;

enum { BENCH_NAME = 64, BENCH_SUBJECT = 64, BENCH_MESSAGE = 256 };

/* One implementation, or one variant of an experiment. */
typedef struct BenchRow {
    char name[BENCH_NAME]; /* "cuda-padded", "device copy" */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    BenchTiming cold; /* caches are filled with other data before each run; CPU rows run after a copy */
    BenchTiming warm;                 /* repeated runs; CUDA only */
    double speedup;                   /* relative to the first variant of the group; 0: unknown */
    double speedup_low, speedup_high; /* from the intervals of both medians */
    BenchCounting counting;
    ImgLaunchCounts counts;
} BenchRow;

/* BENCH_CODEC: rows are the consecutive parts of decoding or encoding. */
typedef enum BenchSection { BENCH_OPS, BENCH_LAB, BENCH_CODEC } BenchSection;

/* Rows that are comparable: the same work on the same data. */
typedef struct BenchGroup {
    BenchSection section;
    char title[BENCH_NAME]; /* "rotate angle=90"; in the lab, the name of the experiment, "square" */
    char heading[128];     /* title of the experiment; empty outside the lab */
    const char *help;      /* static: explanation of an experiment, in its first group; or NULL */
    const char *const *look;     /* static: what to look at in the table; or NULL */
    char subject[BENCH_SUBJECT]; /* "rgb8 4001x3001"; in the lab, the case, "32 x 32" */
    char format[16];             /* "rgb8"; empty in the lab */
    LabCounter counters[LAB_LESSON_COUNTERS]; /* counters that the experiment shows */
    char counted[BENCH_SUBJECT]; /* data that the counts refer to, if it is not the subject;
                                    otherwise empty */
    ImgBackend backend;
    uint64_t bytes;       /* bytes that a run must move */
    uint64_t limit_bytes; /* bytes that a run of the limit moves; 0: the same */
    uint64_t operations;  /* arithmetic operations of a run, for GFLOP/s; 0: unknown */
    BenchRow *rows;
    size_t count, capacity;
} BenchGroup;

/* Stages of whole jobs. A stage that did not occur has no samples. */
typedef enum BenchStage {
    STAGE_CONTEXT, /* creation of the CUDA context, once per process */
    STAGE_READ,
    STAGE_DECODE,
    STAGE_UPLOAD,
    STAGE_KERNEL, /* the operations themselves, on either backend */
    STAGE_DOWNLOAD,
    STAGE_ENCODE,
    STAGE_WRITE,
    STAGE_JOB,     /* the whole job inside this process, without the context */
    STAGE_COMMAND, /* the whole command in its own process */
    STAGE_COUNT
} BenchStage;

/* Returns "context", "read", ... */
const char *bench_stage_name(BenchStage stage);

typedef struct BenchJob {
    char title[BENCH_NAME];      /* the operations: "rotate angle=90" */
    char subject[BENCH_SUBJECT]; /* "rgb8 4001x3001", "photo.png", "12 files" */
    ImgBackend backend;
    char device[BENCH_NAME]; /* "CPU, 2 threads, AVX2", "NVIDIA H100 80GB HBM3" */
    BenchVerdict verdict; /* BENCH_VERIFIED: both backends wrote the same bytes, or only one ran */
    char message[BENCH_MESSAGE];
    size_t images;   /* number of images that ran and were timed; BENCH_VERIFIED applies to all of
                        them */
    size_t failures; /* files that failed or differed */
    uint64_t pixel_bytes;            /* decoded size of all images */
    uint64_t bytes_in, bytes_out;    /* size of all files in bytes */
    BenchTiming stages[STAGE_COUNT]; /* all images together */
} BenchJob;

/* The machine of a measurement. Empty or 0: unknown or absent. */
typedef struct BenchMachine {
    char version[32], date[32]; /* version of imgtool; "2026-11-21T12:00:00Z" */
    char command[256];          /* arguments: "bench rotate --size 4001x3001" */
    char cpu[128], system[128]; /* "Intel(R) Xeon(R) ..."; "Linux 6.1.0" */
    double cpu_mhz;
    int threads;
    uint64_t memory;
    char gpu[128];
    char driver[32],
        runtime[32];  /* "580.159.04", or the CUDA version "13.0" if only that is known; "13.0" */
    char compute[16]; /* "9.0" */
    int multiprocessors;
    uint64_t gpu_memory;
    double gpu_mhz, gpu_memory_mhz; /* clock measured under load; maximum memory clock */
} BenchMachine;

typedef struct BenchReport {
    BenchMachine machine;
    bool interrupted; /* some requested measurements are missing */
    BenchGroup *groups;
    size_t group_count, group_capacity;
    BenchJob *jobs;
    size_t job_count, job_capacity;
} BenchReport;

#define BENCH_REPORT_NONE ((BenchReport){.groups = NULL, .jobs = NULL})

/* Append an item. The pointer is valid until the next one is appended. NULL if memory is short. */
BenchGroup *bench_report_add_group(BenchReport *report, ImgError *err);
BenchRow *bench_group_add_row(BenchGroup *group, ImgError *err);
BenchJob *bench_report_add_job(BenchReport *report, ImgError *err);
void bench_report_free(BenchReport *report);

/* Copies as much of the text as fits, without cutting a UTF-8 character: one invalid byte would
 * make the whole text invalid for JSON. */
void bench_copy_text(char *to, size_t size, const char *text);

/* Marks the row as BENCH_SKIPPED for IMG_E_UNAVAILABLE, otherwise as BENCH_FAILED. */
void bench_row_fail(BenchRow *row, const ImgError *err);

/* True if any row or job is BENCH_FAILED. */
bool bench_report_failed(const BenchReport *report);

/* Returns the row of the group's limit, or NULL. */
const BenchRow *bench_group_limit(const BenchGroup *group);

/* Returns bytes per second from the median; 0 if not timed. */
double bench_rate(const BenchGroup *group, const BenchRow *row);

/* Returns the row's rate as a part of the limit's rate; 0: unknown. */
double bench_share(const BenchGroup *group, const BenchRow *row);

#endif
