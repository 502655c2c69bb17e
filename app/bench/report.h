/* The report: the results of a benchmark. ops.c, lab.c and end_to_end.c measure them; other files
 * print, draw or compare them. The functions here measure and print nothing.
 *
 * A group has rows that can be compared, because they have the same data. They are implementations
 * of one operation, or variants of one experiment (app/bench/experiments). One row can be the
 * limit: a copy or a plain read, as an upper bound for the rates. A job is a whole run of the
 * program, divided into stages.
 *
 * Times are in seconds, and rates in bytes per second. Noise and values relative to a limit are
 * fractions: 0.5 is 50 %. */
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
    size_t samples; /* number of samples; 0: the row or stage was not timed */
    double median;  /* median time of one run */
    /* expected difference between medians of several benchmark runs, relative to the median */
    double noise;
    double minimum; /* time of the shortest run */
    /* ends of the 95 % confidence interval of the median; each is one of the samples */
    double low, high;
} BenchTiming;

typedef enum BenchVerdict {
    BENCH_VERIFIED, /* The result is equal to the result of the reference. */
    /* The row is a copy or a plain read, as an upper bound for the rates. It has no result to
     * verify. */
    BENCH_LIMIT,
    /* The result differs from the reference's result, or an error occurred. `message` contains the
     * reason. */
    BENCH_FAILED,
    BENCH_SKIPPED, /* The row cannot run here, for the reason in `message`. */
} BenchVerdict;

typedef enum BenchCounting { BENCH_UNCOUNTED, BENCH_MODELLED, BENCH_MEASURED } BenchCounting;

enum { BENCH_NAME = 64, BENCH_SUBJECT = 64, BENCH_MESSAGE = 256 };

/* Results of one implementation of an operation, or of one variant of an experiment. */
typedef struct BenchRow {
    char name[BENCH_NAME]; /* name, such as "cuda-padded" or "device copy" */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    /* Times of runs that start with cold caches. On the CPU, a plain copy or read of other data
     * precedes each run. */
    BenchTiming cold;
    BenchTiming warm; /* times of repeated runs on the same data; only for CUDA rows */
    double speedup;   /* speed-up over the first verified row of the group; 0: unknown */
    /* interval of the speed-up, computed from the confidence intervals of both medians */
    double speedup_low, speedup_high;
    BenchCounting counting;
    ImgLaunchCounts counts;
} BenchRow;

/* Kind of a group. The rows of BENCH_CODEC groups are the successive parts of decoding or
 * encoding. */
typedef enum BenchSection { BENCH_OPS, BENCH_LAB, BENCH_CODEC } BenchSection;

/* Rows that can be compared, because they do the same work on the same data. */
typedef struct BenchGroup {
    BenchSection section;
    /* operation, such as "rotate angle=90", or experiment, such as "square" */
    char title[BENCH_NAME];
    char heading[128]; /* title of the experiment; empty for other groups */
    /* explanation of the experiment, a constant; set only in the first group of the experiment,
     * otherwise NULL */
    const char *help;
    /* paragraphs that explain results in the table, a constant; NULL: there are none */
    const char *const *look;
    /* data such as "rgb8 4001x3001", or the case of an experiment, such as "32 x 32" */
    char subject[BENCH_SUBJECT];
    /* format such as "rgb8"; empty for experiments whose cases are not formats */
    char format[16];
    LabCounter counters[LAB_LESSON_COUNTERS]; /* counters that the experiment explains */
    /* data that were counted, if they differ from `subject`; otherwise empty */
    char counted[BENCH_SUBJECT];
    ImgBackend backend;
    uint64_t bytes; /* number of bytes that one run must move */
    /* number of bytes that one run of the limit moves; 0: the same as `bytes` */
    uint64_t limit_bytes;
    /* number of arithmetic operations in one run, from which GFLOP/s are computed; 0: unknown */
    uint64_t operations;
    BenchRow *rows;
    size_t count;
} BenchGroup;

/* Stages of a whole job. A stage that was not measured has no samples. */
typedef enum BenchStage {
    STAGE_CONTEXT, /* creation of the CUDA context, once per process */
    STAGE_READ,
    STAGE_DECODE,
    STAGE_UPLOAD,
    STAGE_KERNEL, /* all operations of the pipeline, on the CPU or the GPU */
    STAGE_DOWNLOAD,
    STAGE_ENCODE,
    STAGE_WRITE,
    STAGE_JOB,     /* the whole job within this process, without STAGE_CONTEXT */
    STAGE_COMMAND, /* the whole command `imgtool run`, in its own process */
    STAGE_COUNT
} BenchStage;

/* Returns the name of a stage, such as "context" or "read". */
const char *bench_stage_name(BenchStage stage);

typedef struct BenchJob {
    char title[BENCH_NAME];      /* operations, such as "rotate angle=90" */
    char subject[BENCH_SUBJECT]; /* input, such as "rgb8 4001x3001", "photo.png" or "12 files" */
    ImgBackend backend;
    char device[BENCH_NAME]; /* device, such as "CPU, 2 threads, AVX2" or "NVIDIA H100 80GB HBM3" */
    /* BENCH_VERIFIED if both backends wrote the same bytes, or if only one backend ran */
    BenchVerdict verdict;
    char message[BENCH_MESSAGE];
    /* number of images that were timed, to which the verdict applies */
    size_t images;
    size_t failures;      /* number of files that failed, or whose results differed */
    uint64_t pixel_bytes; /* size of the pixels of all images in bytes */
    /* total sizes of all input files and of all output files, in bytes */
    uint64_t bytes_in, bytes_out;
    BenchTiming stages[STAGE_COUNT]; /* times of the stages, each the sum over all images */
} BenchJob;

/* The machine on which a benchmark ran. A value that is unknown or does not apply is empty or 0. */
typedef struct BenchMachine {
    char version[32], date[32]; /* version of imgtool, and date such as "2026-11-21T12:00:00Z" */
    char command[256];          /* arguments of imgtool, such as "bench rotate --size 4001x3001" */
    /* processor, such as "Intel(R) Xeon(R) ...", and system, such as "Linux 6.1.0" */
    char cpu[128], system[128];
    double cpu_mhz;
    int threads;
    uint64_t memory;
    char gpu[128];
    /* Version of the driver, such as "580.159.04", and of the CUDA runtime, such as "13.0". If the
     * driver's version is unknown, `driver` is the CUDA version that it supports. */
    char driver[32], runtime[32];
    char compute[16]; /* compute capability, such as "9.0" */
    int multiprocessors;
    uint64_t gpu_memory;
    /* clock of the multiprocessors under load, and maximum clock of the memory, in MHz */
    double gpu_mhz, gpu_memory_mhz;
} BenchMachine;

typedef struct BenchReport {
    BenchMachine machine;
    bool interrupted; /* true if the run was interrupted, so that some results are missing */
    BenchGroup *groups;
    size_t group_count;
    BenchJob *jobs;
    size_t job_count;
} BenchReport;

#define BENCH_REPORT_NONE ((BenchReport){.groups = NULL, .jobs = NULL})

/* Append an empty group, row or job, and return a pointer to it. The pointer is valid until the
 * next item is appended. NULL if memory is short. */
BenchGroup *bench_report_add_group(BenchReport *report, ImgError *err);
BenchRow *bench_group_add_row(BenchGroup *group, ImgError *err);
BenchJob *bench_report_add_job(BenchReport *report, ImgError *err);
void bench_report_free(BenchReport *report);

/* Copies `text` to `to`, truncated to `size` bytes. Does not cut a UTF-8 character, because an
 * invalid byte would make the whole text invalid for JSON. */
void bench_copy_text(char *to, size_t size, const char *text);

/* Records an error in the row. The error IMG_E_UNAVAILABLE makes the row BENCH_SKIPPED; any other
 * error makes it BENCH_FAILED. */
void bench_row_fail(BenchRow *row, const ImgError *err);

/* Returns true if any row or job is BENCH_FAILED. */
bool bench_report_failed(const BenchReport *report);

/* Returns the row of the group that measured a copy or a plain read (BENCH_LIMIT). Its rate is an
 * upper bound for the rates of the other rows. NULL if the group has no such row. */
const BenchRow *bench_group_limit(const BenchGroup *group);

/* Returns the rate of a row in bytes per second, from its median; 0 if it was not timed. */
double bench_rate(const BenchGroup *group, const BenchRow *row);

/* Returns the rate of `row` divided by the rate of the row that bench_group_limit returns; 0 if one
 * of the two rates is unknown. */
double bench_share(const BenchGroup *group, const BenchRow *row);

/* --- The machine ------------------------------------------------------------------------------ */

/* Fills *machine; values that are unknown stay empty. `device` is the index of the GPU in use; -1:
 * none. `arguments` are the words of the command line, which are copied to *machine. Measuring the
 * clock of a GPU takes some milliseconds. */
void bench_machine_find(int device, int threads, int argc, const char *const *arguments,
                        BenchMachine *machine);

#endif
