/* Private interface of the files of app/job that run a job. */
#ifndef IMGTOOL_APP_JOB_JOB_PRIV_H
#define IMGTOOL_APP_JOB_JOB_PRIV_H

#include <sys/stat.h>

#include "app/job/job.h"
#include "app/job/plan.h"
#include "io/metadata/profile.h"
#include "io/output/output.h"
#include "io/png/device.h"

/* State of one run. */
typedef struct Work {
    const Job *job;
    JobReport *report;
    ImgFileFormat format;
    Load load;
    PlanLimits limits; /* limits for `exec` */
    struct stat old;   /* the input before it was read */
    bool has_old;
    Result result;
    ImgExec *exec; /* own, borrowed from the job, or shared */
    ImgTeam *team; /* of `exec`; may be NULL */
    bool exec_is_own;
    /* Set if a GPU decodes or encodes the file; else NULL. */
    ImgPngDeviceReader *reader;
    ImgPngDeviceWriter *writer;
    const ImgPngEncodedStrips *pre_encoded; /* result of the writer, once it has run */
    bool left_to_cpu;                       /* a GPU was possible, but not worth it */
    int threads;                            /* threads for a large picture; 0: not decided yet */
    int lost_orientation;                   /* dropped by --strip or the format; 0: none */
    const char *lost_colours;               /* dropped by --strip; NULL: none */
    ImgProfile profile;                     /* profile of the file */
    bool had_profile;
    bool lost_profile;        /* dropped because it does not fit the result's channels */
    char loss[IMG_LOSS_TEXT]; /* what the format cannot hold; "": nothing */
    ImgError unkept;          /* what --preserve could not keep; IMG_OK: nothing */
    char replaced[IMG_OUTPUT_NOTES]
                 [IMG_MESSAGE_SIZE]; /* notes about the replaced file (img_output_note); or "" */
} Work;

/* Opens the executor and announces the steps (run.c). */
ImgStatus work_open_exec(Work *work, ImgError *err);

/* Decodes the picture and runs the steps (run.c). */
ImgStatus work_run_steps(Work *work, ImgError *err);

/* The same, with decoding or encoding on a GPU, if that is possible and worth it (device.c). *done
 * is false if it was not done. */
ImgStatus work_run_on_device(Work *work, bool *done, ImgError *err);
void work_leave_device(Work *work);

/* Write the result (write.c). Messages name the output. */
ImgStatus work_choose_format(Work *work, ImgError *err);
ImgStatus work_open_output(Work *work, ImgError *err);
ImgStatus work_write(Work *work, ImgError *err);

/* Prints notes about a finished job (notes.c). */
void work_print_notes(const Work *work);

/* An ImgStepWarnings.each function with the job as context. */
void job_note_damage(void *context, const char *name, const char *damage);

#endif
