/* Runs one picture: loads the file, runs the steps, and writes the result. Prints nothing except
 * notes about losses, after success.
 *
 * The order in which a job passes through the files of this directory:
 *
 *     load.h  ->  plan.h  ->  run.c (or device.c)  ->  write.c  ->  notes.c
 */
#ifndef IMGTOOL_APP_ENGINE_JOB_H
#define IMGTOOL_APP_ENGINE_JOB_H

#include "app/engine/load.h"
#include "app/engine/result.h"
#include "app/engine/share/options.h"
#include "app/engine/share/place.h"
#include "io/encode.h"
#include "io/png/encode.h"
#include "io/png/optimize/optimize.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

/* The picture of a job, as the functions of the job's owner (JobFunctions) get it. */
typedef struct JobPicture {
    size_t index; /* Job.index */
    /* The loaded file. `image` and `metadata` describe the input and, after the steps have run, the
     * result. */
    Load *load;
    /* Steps, which are bound to the picture. Their parameters are complete after they have run. */
    const ImgStep *steps;
    /* Shape of the result; before the steps have run, the largest shape that it can have. */
    ImgShape shape;
    ImgTeam *team; /* threads for this picture; borrowed; may be NULL */
    int threads;   /* number of threads of the team, at least 1 */
    ImgExec *exec; /* borrowed executor that runs the steps; it may also run Job.again */
    /* Set by Job.planned: the steps need the whole picture in memory, not rows. */
    bool needs_pixels;
    void *own; /* pointer that the owner may use; NULL at first */
} JobPicture;

/* Called with the picture of a job. Messages must name the file that they concern. */
typedef ImgStatus JobFunction(void *context, JobPicture *picture, ImgError *err);

/* Functions of a job's owner. Each may be NULL. If the job is started again because memory was
 * short, they are called again. */
typedef struct JobFunctions {
    JobFunction *planned; /* called before any pixel is decoded */
    JobFunction *decoded; /* called with a whole picture, before the steps run on it */
    JobFunction *use;     /* called with the result of a job that has no output */
    /* Called at the end of each attempt to run the job, also after a failure. */
    void (*end)(void *context, JobPicture *picture);
    void *context;
} JobFunctions;

/* An executor with its threads, which is kept for several jobs, one after the other. The first job
 * makes it. */
typedef struct JobExec {
    ImgExec *exec; /* executor; NULL: not yet made */
    ImgTeam *team; /* threads of the executor; may be NULL */
} JobExec;

typedef struct Job {
    size_t index; /* number of the picture for Job.functions */
    /* Paths, or "-" for a standard stream. `output` is NULL if there is no output. */
    const char *input, *output;
    JobFunctions functions;
    /* A step that JobFunctions.use may run on the result, any number of times. The plan of the job
     * includes its memory. NULL: there is no such step. */
    const ImgStep *again;
    uint64_t held; /* bytes of --max-memory that the caller uses for other data than this picture */
    /* Only plan the job; decode pixels only if the size of a result depends on them. */
    bool plans_only;
    /* Decode the whole picture, not row by row, because the steps run on a GPU that needs all of
     * it. */
    bool takes_whole;
    /* The default of --max-pixels does not limit a picture that is never in memory as a whole. */
    bool takes_any_size;
    int most_row_threads; /* largest number of threads that decode rows; 0: no limit */
    /* With --preserve, if `input` is "-": a path of the same file, whose attributes are kept. NULL:
     * `input` itself. */
    const char *input_path;
    ImgStep *steps; /* steps to run; img_job_run binds them to the picture */
    size_t count;
    /* Files that the steps name; used only with `place`. The job loads them after it is admitted,
     * and the caller frees them after the job. NULL: the caller has already loaded them. */
    ImgStepFiles *files;
    /* The prepared output (result.h), which the job takes over. NULL: the job prepares an
     * output. */
    Result *result;
    /* Place of temporary files, which hold a picture that does not fit in --max-memory
     * (app/engine/share/resources.h): `directory` and `file`. Without a directory, such a picture
     * is rejected. */
    ImgStorePlace scratch;
    const EngineOptions *options;
    /* Format of the output; NULL: determined by the extension of its name. Without an output, the
     * format of the files that JobFunctions.use writes; NULL: it writes no files. */
    const ImgFileFormat *format;
    bool notes_format; /* print a note if the extension of the output belongs to another format */
    /* executor for this job and later ones; NULL: the job makes its own and frees it */
    JobExec *kept;
    /* Memory, threads and devices that the job shares with jobs that run at the same time
     * (share/place.h); used instead of `kept`. NULL: the job runs alone. */
    const Place *place;
    /* Called when the complete output is in the file `temporary`, before this file is renamed. If
     * the call fails, the job fails and the old output stays. May be NULL. */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *finished_context;
    /* Called after the job with each note about the input or output. NULL: notes are printed. */
    void (*noted)(void *context, const char *path, const char *text);
    void *noted_context;
    /* Time for the chunk tIME if pixels change (io/metadata/modified.h). NULL: the current time, or
     * SOURCE_DATE_EPOCH. */
    const int64_t *modified;
    /* On a GPU, measure the stages of decoding and encoding one by one for the report. */
    bool in_parts;
    /* Write nothing if the steps only turn the picture upright, and the picture is already
     * upright. */
    bool leaves_upright;
    /* Fail if the input is an animation, of which only one picture would be kept. If the job
     * optimizes, copy the file instead. */
    bool refuses_animation;
    /* Write the smallest PNG that has the pixels of the input (EngineOptions.optimize). The job has
     * no steps. */
    bool optimizes;
    const ImgReplaceGuard *guard; /* which existing outputs may be replaced; NULL: any file */
    /* The output replaces the input. The job fails if another program has changed the input since
     * it was read. */
    bool replaces_input;
    /* Fail if the input has ancillary chunks with a wrong CRC. Otherwise these chunks are
     * dropped. */
    bool refuses_dropping;
} Job;

/* Report of a finished job. Times are in seconds. */
typedef struct JobReport {
    ImgShape before, after;
    LoadReport load;
    uint64_t bytes_written;
    uint64_t peak_bytes;         /* planned peak memory, in bytes */
    uint64_t stored_bytes;       /* bytes of temporary files (Job.scratch); 0: there were none */
    size_t file_passes;          /* number of times that the file was decoded in bands; 0: never */
    bool by_rows;                /* the steps received rows while the rows were decoded */
    bool unchanged;              /* nothing was written, because of Job.leaves_upright */
    int threads_refused;         /* number of CPU threads that the system refused to create */
    ImgPngEncodeReport encoding; /* report of the PNG encoder */
    /* The compressed pixels of the input were written, because they are smaller (Load.keeps_file).
     */
    bool kept_pixels;
    /* If the job optimizes: what was done. */
    ImgOptimizeReport optimized;
    /* If the steps ran on a GPU: the reasons why the CPU decoded and encoded. NULL: the GPU did
     * this work, or there is no reason to report. */
    const char *decoded_on_cpu, *encoded_on_cpu;
    ImgRunReport run;
    double encode, write, total;
} JobReport;

/* Returns whether the output replaces the input, so that dropped data would be lost for good. Both
 * are paths, or "-". */
bool img_job_replaces_input(const char *input, const char *output);

/* Checks the options before any file is opened. Fails if an implementation is missing, or options
 * contradict each other. */
ImgStatus img_job_check(const Job *job, ImgError *err);

/* Runs the job. Messages start with the name of the file that they concern. After a failure there
 * is no new output, and an existing output is unchanged. */
ImgStatus img_job_run(const Job *job, JobReport *report, ImgError *err);

/* Destroys the executor and its threads, if there are any. */
void img_job_exec_free(JobExec *kept);

#endif
