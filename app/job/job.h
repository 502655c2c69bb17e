/* One picture: loaded, run through the steps, written. Prints nothing but, once all is done, notes
 * on what was lost. Its way through this directory:
 *
 *     load.h  ->  plan.h  ->  run.c (or device.c)  ->  write.c  ->  notes.c, explain.h
 */
#ifndef IMGTOOL_APP_JOB_JOB_H
#define IMGTOOL_APP_JOB_JOB_H

#include "app/cli/options.h"
#include "app/job/load.h"
#include "app/job/result.h"
#include "app/sched/place.h"
#include "io/encode.h"
#include "io/png/encode.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

typedef struct Job {
    const char *input, *output; /* paths, or "-"; no output where a picture is measured only */
    const char *input_path; /* of "-", for --preserve: a path that leads there; NULL: the input */
    ImgStep *steps;         /* bound to the picture by job_run */
    size_t count;
    /* With `place`: files of the steps, which the job loads once there is room for them beside
     * others, and the caller frees when it has ended. NULL: they are loaded, and counted. */
    ImgStepFiles *files;
    Result *result; /* of `output`, if it was prepared early (result.h); the job takes it. NULL: the
                     * job prepares it when it is due */
    const Settings *settings;
    const ImgFileFormat *format; /* of the output; NULL: as its name says */
    ImgExec *exec; /* borrowed, with a backend, device and threads of its own: for many jobs in a
                    * row. NULL: the job makes one as the settings say, and ends it */
    ImgTeam *team; /* borrowed, of `exec`; may be NULL */
    const Place *place; /* for jobs side by side, instead of `exec`; NULL: it is alone */
    /* Called when the whole output lies at `temporary`, before it gets its name; a failure is the
     * job's, and the output is as it was. May be NULL. */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *finished_context;
    /* Gets each note about this picture once it is done, of its input or output, instead of the
     * user. NULL: the user does. */
    void (*noted)(void *context, const char *path, const char *text);
    void *noted_context;
    const int64_t *modified; /* what tIME becomes where pixels change (io/metadata/modified.h);
                              * NULL: now, or as SOURCE_DATE_EPOCH says */
    bool in_parts;           /* on a GPU: the report has the parts of decoding and encoding */
    bool leaves_upright; /* writes nothing where steps only turn the picture upright, and it is */
    bool refuses_animation;       /* of which only the still picture would be kept */
    const ImgReplaceGuard *guard; /* of the output; NULL: it may replace anything */
    bool replaces_input;          /* the output is its file, which may change while we work */
    bool refuses_dropping;        /* of chunks with a wrong CRC, which a picture does without */
} Job;

/* How it went. Times are seconds. */
typedef struct JobReport {
    ImgShape before, after;
    LoadReport load;
    uint64_t bytes_written;
    uint64_t peak_bytes;         /* planned: the most memory that is needed at a time */
    bool by_rows;                /* a step took rows as they were decoded */
    bool unchanged;              /* nothing was done: Job.leaves_upright */
    int threads_refused;         /* CPU threads that the system did not let us have */
    ImgPngEncodeReport encoding; /* of a PNG */
    /* Where steps ran on a GPU: why the codec did not. NULL: it did, or the question did not come
     * up. */
    const char *decoded_on_cpu, *encoded_on_cpu;
    ImgRunReport run;
    double encode, write, total;
} JobReport;

/* Checks the command line's wishes before any file is touched: implementations that do not exist,
 * or not in this build; options that contradict each other. */
ImgStatus job_check(const Job *job, ImgError *err);

/* The message of a failure starts with the file that it is about. No output file is left then, and
 * one that was there before is as it was. */
ImgStatus job_run(const Job *job, JobReport *report, ImgError *err);

#endif
