/* The results of a benchmark. ops.c, lab.c and end_to_end.c measure and fill them; other code
 * prints, draws or compares them. Nothing is measured or printed here.
 *
 * A group has comparable rows: implementations of one operation, or variants of one experiment
 * (app/bench/experiments), on the same data. One row can be the limit: a copy or a plain read, as
 * an upper bound. A job is a whole run of the program in stages.
 *
 * Times are in seconds and rates in bytes per second. Shares and noise are parts of 1. */
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
    size_t samples; /* number of samples; 0: not timed */
    double median;  /* median time of one run */
    /* expected deviation of the medians of other benchmark runs, as a part of the median */
    double noise;
    double minimum;   /* time of the shortest run */
    double low, high; /* 95 % interval of the median, by order statistics */
} BenchTiming;

typedef enum BenchVerdict {
    BENCH_VERIFIED, /* the result is equal to that of the reference */
    /* a copy or a plain read, as an upper bound for comparison; it has no result to verify */
    BENCH_LIMIT,
    /* the result differs from the reference's, or an error occurred; see `message` */
    BENCH_FAILED,
    BENCH_SKIPPED, /* the row cannot run here; see `message` */
} BenchVerdict;

typedef enum BenchCounting { BENCH_UNCOUNTED, BENCH_MODELLED, BENCH_MEASURED } BenchCounting;

enum { BENCH_NAME = 64, BENCH_SUBJECT = 64, BENCH_MESSAGE = 256 };

/* The results of one implementation, or of one variant of an experiment. */
typedef struct BenchRow {
    char name[BENCH_NAME]; /* name, such as "cuda-padded" or "device copy" */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    /* time with other data in the caches before each run; a CPU row runs after a copy */
    BenchTiming cold;
    BenchTiming warm; /* time of repeated runs on the same data; CUDA only */
    double speedup;   /* speed-up over the first variant of the group; 0: unknown */
    /* interval of the speed-up, from the intervals of both medians */
    double speedup_low, speedup_high;
    BenchCounting counting;
    ImgLaunchCounts counts;
} BenchRow;

/* Kind of a group. The rows of BENCH_CODEC are the consecutive parts of decoding or encoding. */
typedef enum BenchSection { BENCH_OPS, BENCH_LAB, BENCH_CODEC } BenchSection;

/* Rows that are comparable, because they do the same work on the same data. */
typedef struct BenchGroup {
    BenchSection section;
    /* operation such as "rotate angle=90"; in the lab, the experiment, such as "square" */
    char title[BENCH_NAME];
    char heading[128]; /* title of the experiment; empty outside the lab */
    /* explanation of an experiment, static; only in its first group, otherwise NULL */
    const char *help;
    /* paragraphs that point out results in the table, static; or NULL */
    const char *const *look;
    /* data such as "rgb8 4001x3001"; in the lab, the case, such as "32 x 32" */
    char subject[BENCH_SUBJECT];
    char format[16];                          /* format such as "rgb8"; empty in the lab */
    LabCounter counters[LAB_LESSON_COUNTERS]; /* counters that the experiment explains */
    /* data to which the counts refer, if it is not the subject; otherwise empty */
    char counted[BENCH_SUBJECT];
    ImgBackend backend;
    uint64_t bytes;       /* number of bytes that a run must move */
    uint64_t limit_bytes; /* number of bytes that a run of the limit moves; 0: same as `bytes` */
    uint64_t operations;  /* number of arithmetic operations of a run, for GFLOP/s; 0: unknown */
    BenchRow *rows;
    size_t count, capacity;
} BenchGroup;

/* Stages of a whole job. A stage that did not occur has no samples. */
typedef enum BenchStage {
    STAGE_CONTEXT, /* creation of the CUDA context, once per process */
    STAGE_READ,
    STAGE_DECODE,
    STAGE_UPLOAD,
    STAGE_KERNEL, /* the operations of the pipeline, on either backend */
    STAGE_DOWNLOAD,
    STAGE_ENCODE,
    STAGE_WRITE,
    STAGE_JOB,     /* the whole job inside this process, without the context */
    STAGE_COMMAND, /* the whole command in its own process */
    STAGE_COUNT
} BenchStage;

/* Returns the name of a stage, such as "context" or "read". */
const char *bench_stage_name(BenchStage stage);

typedef struct BenchJob {
    char title[BENCH_NAME];      /* operations, such as "rotate angle=90" */
    char subject[BENCH_SUBJECT]; /* input, such as "rgb8 4001x3001", "photo.png" or "12 files" */
    ImgBackend backend;
    char device[BENCH_NAME]; /* device, such as "CPU, 2 threads, AVX2" or "NVIDIA H100 80GB HBM3" */
    /* BENCH_VERIFIED if both backends wrote the same bytes, or if only one ran */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    /* number of images that ran and were timed; the verdict applies to all of them */
    size_t images;
    size_t failures;                 /* number of files that failed or differed */
    uint64_t pixel_bytes;            /* decoded size of all images in bytes */
    uint64_t bytes_in, bytes_out;    /* size of all input files and of all output files, in bytes */
    BenchTiming stages[STAGE_COUNT]; /* times of the stages, each the sum over all images */
} BenchJob;

/* The machine of a measurement. A value that is unknown or does not apply is empty or 0. */
typedef struct BenchMachine {
    char version[32], date[32]; /* version of imgtool; date such as "2026-11-21T12:00:00Z" */
    char command[256];          /* arguments, such as "bench rotate --size 4001x3001" */
    /* processor, such as "Intel(R) Xeon(R) ..."; system, such as "Linux 6.1.0" */
    char cpu[128], system[128];
    double cpu_mhz;
    int threads;
    uint64_t memory;
    char gpu[128];
    /* driver, such as "580.159.04", or the CUDA version that it supports if only that is known;
     * version of the CUDA runtime, such as "13.0" */
    char driver[32], runtime[32];
    char compute[16]; /* compute capability, such as "9.0" */
    int multiprocessors;
    uint64_t gpu_memory;
    /* clocks in MHz: of the multiprocessors, measured under load; maximum of the memory */
    double gpu_mhz, gpu_memory_mhz;
} BenchMachine;

typedef struct BenchReport {
    BenchMachine machine;
    bool interrupted; /* true if some requested measurements are missing */
    BenchGroup *groups;
    size_t group_count, group_capacity;
    BenchJob *jobs;
    size_t job_count, job_capacity;
} BenchReport;

#define BENCH_REPORT_NONE ((BenchReport){.groups = NULL, .jobs = NULL})

/* Append an empty item and return a pointer to it, which is valid until the next item is appended.
 * NULL if memory is short. */
BenchGroup *bench_report_add_group(BenchReport *report, ImgError *err);
BenchRow *bench_group_add_row(BenchGroup *group, ImgError *err);
BenchJob *bench_report_add_job(BenchReport *report, ImgError *err);
void bench_report_free(BenchReport *report);

/* Copies as much of the text as fits in `size` bytes. Does not cut a UTF-8 character, because one
 * invalid byte would make the whole text invalid for JSON. */
void bench_copy_text(char *to, size_t size, const char *text);

/* Records an error in the row: it becomes BENCH_SKIPPED for IMG_E_UNAVAILABLE, otherwise
 * BENCH_FAILED. */
void bench_row_fail(BenchRow *row, const ImgError *err);

/* Returns true if any row or job is BENCH_FAILED. */
bool bench_report_failed(const BenchReport *report);

/* Returns the row of the group's limit; NULL if there is none. */
const BenchRow *bench_group_limit(const BenchGroup *group);

/* Returns the rate of a row in bytes per second, from its median; 0 if it was not timed. */
double bench_rate(const BenchGroup *group, const BenchRow *row);

/* Returns the rate of a row as a part of the limit's rate; 0 if it is unknown. */
double bench_share(const BenchGroup *group, const BenchRow *row);

#endif
