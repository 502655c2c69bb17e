/* State of a running job, and functions that the files of app/engine share. */
#ifndef IMGTOOL_APP_ENGINE_JOB_PRIV_H
#define IMGTOOL_APP_ENGINE_JOB_PRIV_H

#include <sys/stat.h>

#include "app/engine/job.h"
#include "app/engine/plan.h"
#include "app/engine/share/adapt.h"
#include "io/output/output.h"
#include "io/png/device.h"

/* State of one attempt to run a job. */
typedef struct Work {
    const Job *job;
    JobReport *report;
    /* Executor of this job: made for it alone, or taken from Job.kept or from Job.place. */
    ImgExec *exec;
    ImgTeam *team; /* team of threads of `exec`; may be NULL */
    /* Set if a GPU decodes the file (`reader`) or encodes it (`writer`); otherwise NULL. */
    ImgPngDeviceReader *reader;
    ImgPngDeviceWriter *writer;
    /* Strips of the output file, encoded by the GPU; NULL before that. */
    const ImgPngEncodedStrips *pre_encoded;
    Load load;
    PlanLimits limits;  /* limits that `exec` applies to results whose size is measured */
    JobPicture picture; /* the picture, for Job.functions */
    Result result;
    struct stat old;    /* state of the input before it was read */
    mode_t output_mode; /* mode of the file that has the name of the output; 0: there is none */
    ImgFileFormat format;
    int threads; /* number of threads for a large picture; 0: not yet decided */
    bool has_old;
    bool exec_is_own;
    /* true if a GPU could have decoded or encoded, but would not have been faster */
    bool left_to_cpu;
    bool streamed;     /* the result was encoded in bands, and only the file must be committed */
    MetadataLoss lost; /* metadata that --strip or the format of the output has dropped */
    char loss[IMG_LOSS_TEXT]; /* what the format of the output cannot store; "": nothing is lost */
    ImgError unkept;          /* attributes that --preserve could not keep; IMG_OK: all were kept */
    /* Notes about the file that the output replaces (img_output_note); "": none. */
    char replaced[IMG_OUTPUT_NOTES][IMG_MESSAGE_SIZE];
} Work;

/* Calls `function`, a function of the job's owner, with the present state of the picture. If
 * `function` is NULL, only updates that state. */
ImgStatus img_work_call(Work *work, JobFunction *function, ImgError *err);

/* Opens the executor, and prepares it for the steps (run.c). */
ImgStatus img_work_open_exec(Work *work, ImgError *err);

/* Decodes the picture and runs the steps (run.c). */
ImgStatus img_work_run_steps(Work *work, ImgError *err);

/* Like img_work_run_steps, but a GPU also decodes or encodes, if that is possible and faster
 * (device.c). Sets *done to true if the steps ran; otherwise the caller must call
 * img_work_run_steps. */
ImgStatus img_work_run_on_device(Work *work, bool *done, ImgError *err);
void img_work_leave_device(Work *work);

/* Decodes the picture, runs the steps and encodes the result in bands (stream.c). Sets *done to
 * false if the file seems to be damaged, or if the system gives no thread for decoding; the picture
 * must then be processed as a whole. Messages name the file. */
ImgStatus img_work_stream(Work *work, bool *done, ImgError *err);

/* Makes the measurements that steps need before they run in bands (run.c). Decodes the whole file
 * once per measurement. `measured` must be zeros. Messages do not name the file. *reading becomes
 * the status of the decoder. */
ImgStatus img_work_measure_file(Work *work, ImgMeasured *measured, ImgStatus *reading,
                                ImgError *err);

/* Makes the measurements that the last steps need before they run in bands (run.c). `source` is the
 * picture before these steps. Messages name the file. */
ImgStatus img_work_measure_image(Work *work, ImgStep *steps, size_t count,
                                 const ImgRowSource *source, ImgMeasured *measured, ImgError *err);

/* Plans bands again (run.c) for a picture of shape `before`. The sizes of results may differ from
 * the first plan, because they have been measured since. Sets report->after. Messages name the
 * file. */
ImgStatus img_work_plan_measured(Work *work, const ImgStep *steps, size_t count, ImgShape before,
                                 ImgError *err);

/* Runs the steps from load.whole_steps on, and encodes the result in bands (stream.c). The picture
 * before these steps is load.image. Messages name the file. */
ImgStatus img_work_stream_tail(Work *work, ImgError *err);

/* Adapts the metadata to the result and to the options. Called once the steps are planned, and the
 * measurements that they need are made. Messages name the input. */
ImgStatus img_work_follow_metadata(Work *work, ImgError *err);

/* img_work_choose_format, img_work_open_output and img_work_write choose the format, open the
 * output, and write the result (write.c). Their messages name the output. */
ImgStatus img_work_choose_format(Work *work, ImgError *err);

/* Returns the format of the output, or of the files that the job's owner writes; NULL: there are
 * none. */
const ImgFileFormat *img_work_format(const Work *work);
ImgStatus img_work_open_output(Work *work, ImgError *err);

/* Returns whether an animation is copied as it is (Job.refuses_animation). */
bool img_work_copies_animation(const Work *work);
ImgStatus img_work_write(Work *work, ImgError *err);

/* Prints the notes about a finished job (notes.c). */
void img_work_print_notes(const Work *work);

/* Prints or stores a note about damage in a file that a step reads. Has the type of
 * ImgStepWarnings.each; `context` is the job. */
void img_job_note_damage(void *context, const char *name, const char *damage);

#endif
