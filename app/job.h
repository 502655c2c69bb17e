/* One picture: read, run through the steps, written. Prints nothing but, once all is done, notes on
 * what was lost. */
#ifndef IMGTOOL_APP_JOB_H
#define IMGTOOL_APP_JOB_H

#include <stdatomic.h>

#include "app/options.h"
#include "io/encode.h"
#include "io/png/decode.h"
#include "io/png/encode.h"
#include "kernels/core/exec.h"

/* What a job may use, of what several share. */
typedef struct JobShare {
    int threads;   /* of the CPU */
    ImgExec *exec; /* borrowed, with a backend and device of its own */
} JobShare;

/* Asked once the size of the picture is known, and before memory of that size is taken, with the
 * bytes that will be needed, roughly; may wait. */
typedef ImgStatus JobAdmit(void *context, ImgShape shape, uint64_t bytes, JobShare *share,
                           ImgError *err);

typedef struct Job {
    const char *input, *output; /* paths, or "-"; no output where a picture is measured only */
    ImgStep *steps;             /* bound to the picture by job_run */
    size_t count;
    const Settings *settings;
    const ImgFileFormat *format; /* of the output; NULL: as its name says */
    ImgExec *exec;   /* borrowed, with a backend, device and threads of its own: for many jobs in a
                      * row. NULL: the job makes one as the settings say, and ends it */
    JobAdmit *admit; /* for jobs side by side, instead of `exec`; NULL: the job is alone */
    void *admit_context;
    /* Called when the whole output lies at `temporary`, before it gets its name; a failure is the
     * job's, and the output is as it was. May be NULL. */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *finished_context;
    /* Shared by jobs of one command line, 0 at first, a bit a format: options that have no effect
     * on a format are told of once. NULL: they are. */
    atomic_uint *told_formats;
} Job;

/* How it went. Times are seconds. */
typedef struct JobReport {
    ImgShape before, after;
    uint64_t bytes_read, bytes_written;
    uint64_t peak_bytes; /* planned: the most memory that is needed at a time */
    int threads_refused; /* CPU threads that the system did not let us have */
    ImgPngDecodeReport decoding;
    ImgPngEncodeReport encoding; /* of a PNG */
    ImgRunReport run;
    double read, decode, encode, write, total;
} JobReport;

/* Checks the command line's wishes before any file is touched: implementations that do not exist,
 * or not in this build; options that contradict each other. */
ImgStatus job_check(const Job *job, ImgError *err);

/* The message of a failure starts with the file that it is about. No output file is left then, and
 * one that was there before is as it was. */
ImgStatus job_run(const Job *job, JobReport *report, ImgError *err);

#endif
