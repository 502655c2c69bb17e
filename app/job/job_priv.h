/* Private: one run of a job, handed from station to station. */
#ifndef IMGTOOL_APP_JOB_JOB_PRIV_H
#define IMGTOOL_APP_JOB_JOB_PRIV_H

#include <sys/stat.h>

#include "app/job/job.h"
#include "app/job/plan.h"
#include "io/metadata/profile.h"
#include "io/output/output.h"
#include "io/png/device.h"

/* Everything that one run owns. */
typedef struct Work {
    const Job *job;
    JobReport *report;
    ImgFileFormat format;
    Load load;
    PlanLimits limits; /* what `exec` asks */
    struct stat old;   /* the input as it was before it was read */
    bool has_old;
    Result result;
    ImgExec *exec; /* our own, the job's, or what we share in */
    ImgTeam *team; /* as `exec` */
    bool exec_is_own;
    /* Where the picture goes through a GPU as a file: NULL else. */
    ImgPngDeviceReader *reader;
    ImgPngDeviceWriter *writer;
    const ImgPngMade *made;   /* of the writer, once it has run */
    bool left_to_cpu;         /* though it might have gone there */
    int threads;              /* for work on a large picture; 0: not decided yet */
    int lost_orientation;     /* that --strip or the format drops; 0: none */
    const char *lost_colours; /* that --strip drops; NULL: none */
    ImgProfile profile;       /* that the file had */
    bool had_profile;
    bool lost_profile;        /* it does not fit the result's channels */
    char loss[IMG_LOSS_TEXT]; /* what the format does not hold; "": nothing is lost */
    ImgError unkept;          /* what --preserve could not keep; IMG_OK: nothing */
    char replaced[IMG_OUTPUT_NOTES][IMG_MESSAGE_SIZE]; /* of the output (img_output_note); or "" */
} Work;

/* run.c: the executor is there, and knows what is coming. */
ImgStatus work_open_exec(Work *work, ImgError *err);

/* run.c: the pixels, decoded and sent through the steps. */
ImgStatus work_run_steps(Work *work, ImgError *err);

/* device.c: the same without the CPU's codec, where that is possible and worth it; *done says
 * whether. Else it is to be done otherwise. */
ImgStatus work_run_on_device(Work *work, bool *done, ImgError *err);
void work_leave_device(Work *work);

/* write.c: each names the output in its messages. */
ImgStatus work_choose_format(Work *work, ImgError *err);
ImgStatus work_open_output(Work *work, ImgError *err);
ImgStatus work_write(Work *work, ImgError *err);

/* notes.c: what the user should know of a job that is done. */
void work_print_notes(const Work *work);

/* ImgStepWarned.each of a job, which is the context. */
void job_note_damage(void *context, const char *name, const char *damage);

#endif
