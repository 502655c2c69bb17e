/* Runs one picture: loads it, runs the steps, and writes the result. Prints nothing except, after
 * success, notes on what was lost. The files of this directory in their order:
 *
 *     load.h  ->  plan.h  ->  run.c (or device.c)  ->  write.c  ->  notes.c, explain.c
 */
#ifndef IMGTOOL_APP_JOB_JOB_H
#define IMGTOOL_APP_JOB_JOB_H

#include <stdio.h>

#include "app/cli/options.h"
#include "app/job/load.h"
#include "app/job/result.h"
#include "app/sched/place.h"
#include "io/encode.h"
#include "io/png/encode.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

typedef struct Job {
    const char *input, *output; /* paths, or "-"; no output if a picture is only measured */
    const char *input_path; /* for input "-" and --preserve: a path of that file; NULL: the input */
    ImgStep *steps;         /* bound to the picture by job_run */
    size_t count;
    /* Only with `place`: files of the steps. The job loads them once it is admitted, and the caller
     * frees them after it. NULL: they are loaded already, and counted. */
    ImgStepFiles *files;
    Result *result; /* prepared output (result.h), which the job takes over; NULL: the job prepares
                       it */
    const Settings *settings;
    const ImgFileFormat *format; /* of the output; NULL: by the extension of its name */
    ImgExec *exec; /* borrowed executor with backend, device and threads, for many jobs in a row;
                      NULL: the job creates one by the settings */
    ImgTeam *team; /* borrowed team of `exec`; may be NULL */
    const Place *place; /* for jobs in parallel, instead of `exec`; NULL: it runs alone */
    /* Called when the complete output is at `temporary`, before it is renamed. If it fails the job
     * fails, and the old output stays. May be NULL. */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *finished_context;
    /* Receives each note about the input or output after the job, instead of the user. NULL: notes
     * are printed. */
    void (*noted)(void *context, const char *path, const char *text);
    void *noted_context;
    const int64_t *modified; /* value of tIME if pixels change (io/metadata/modified.h); NULL: the
                                present time, or SOURCE_DATE_EPOCH */
    bool in_parts;           /* on a GPU, report the parts of decoding and encoding */
    bool leaves_upright; /* write nothing if the steps only turn the picture upright and it already
                            is */
    bool refuses_animation; /* reject an animation, of which only the still picture would be kept */
    const ImgReplaceGuard *guard; /* of the output; NULL: it may replace any file */
    bool replaces_input;          /* the output replaces the input, which another program may change
                                     meanwhile */
    bool refuses_dropping; /* reject dropping chunks with a wrong CRC that the picture does not need
                            */
} Job;

/* Report of a finished job. Times are in seconds. */
typedef struct JobReport {
    ImgShape before, after;
    LoadReport load;
    uint64_t bytes_written;
    uint64_t peak_bytes;         /* planned peak memory, in bytes */
    bool by_rows;                /* a step received rows while they were decoded */
    bool unchanged;              /* nothing was written: Job.leaves_upright */
    int threads_refused;         /* CPU threads that the system refused */
    ImgPngEncodeReport encoding; /* of a PNG */
    /* If steps ran on a GPU: why the codec did not. NULL: it did, or could not anyway. */
    const char *decoded_on_cpu, *encoded_on_cpu;
    ImgRunReport run;
    double encode, write, total;
} JobReport;

/* Checks the settings before any file is opened: missing implementations, and options that
 * contradict each other. */
ImgStatus job_check(const Job *job, ImgError *err);

/* Runs the job. A message of failure starts with the file that it concerns. After a failure there
 * is no new output, and an existing one is unchanged. */
ImgStatus job_run(const Job *job, JobReport *report, ImgError *err);

/* --- Explanations --------------------------------------------------------------------------------
 *
 * Reports what ran where, why, and how long it took: for -v and --explain, on stderr. */

/* Prints one line. */
void explain_line(const Job *job, const JobReport *report);

/* Prints everything; without an output, only what was read and measured. */
void explain_print(FILE *out, const Job *job, const JobReport *report);

/* Prints what the settings request, to where messages go. */
void explain(const Job *job, const JobReport *report);

#endif
