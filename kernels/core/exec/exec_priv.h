/* Private to the executor: plans, what they cost, and what exec.c asks of the two backends. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/exec/exec_cost.h"

/* A way through an open CUDA device: stream, staging and device buffers, kept between images. */
typedef struct ImgCuda ImgCuda;

/* Host memory, which is offered to the driver once. Start from zeros. */
typedef struct ImgHostMemory {
    void *memory;
    size_t bytes;
    bool offered, pinned; /* the driver took it: a GPU copies by itself, at the speed of the bus */
    int device;           /* on which it was */
} ImgHostMemory;

/* Of a run: the file that was read for it, and what its two ends copy to and from. */
enum { IMG_HOST_OF_FILE, IMG_HOST_OF_SOURCE, IMG_HOST_OF_SINK, IMG_HOST_COUNT };

/* What the latest plan's passes were given as constants, for the next picture of that format, and
 * of that size where it counts. Start from zeros; ends with img_kept_free. */
typedef struct ImgKept {
    ImgStep *steps; /* owned; NULL: nothing is kept */
    size_t count;
    ImgShape src;
    struct {
        size_t steps; /* which the pass stands for */
        ImgConstants constants;
    } pass[IMG_PASSES_MAX];
    size_t passes;
} ImgKept;

struct ImgExec {
    ImgExecConfig config;
    ImgKept kept;
    ImgTeam *own_team;
    ImgHostMemory host[IMG_HOST_COUNT];
    ImgCuda *cuda; /* once it has been collected from the initialisation; not of a shared device */

    /* The thread that opens the device, from img_exec_prepare until it is joined. */
    pthread_t init_thread;
    bool opening;
    atomic_bool opened;
    ImgCuda *init_cuda;
    ImgError init_error;
    double init_start;

    /* What img_exec_takes_ends said last. */
    char reason[IMG_REASON_SIZE];
    ImgCost expected;
    bool has_place; /* on the shared device */

    ImgExecLimits limits;
    ImgExecProgress progress;
    bool stopped; /* by that: the run that is under way has failed for good */
};

/* exec.c: begins to open the device; waits for that, and takes it unless it is shared. */
void img_exec_start_opening(ImgExec *exec);
ImgStatus img_exec_collect_device(ImgExec *exec, ImgError *err);

/* exec_choose.c */
ImgCost img_exec_cost(const ImgStep *steps, size_t count, ImgShape src, int threads);
double img_exec_long_patience(const ImgCost *cost);
/* `auto`: waits for a shared device up to `patience` seconds while it is being opened. */
ImgBackend img_exec_choose(ImgExec *exec, const ImgCost *cost, double patience, char *reason);
void img_exec_note_failure(ImgExec *exec, const ImgError *failure, char *reason);

/* What reads a picture and writes one: a step, or several point operations as one. Or what measures
 * the picture for the next step, and writes a table. */
typedef struct ImgPass {
    const ImgOp *op;
    const void *params; /* the first step's; borrowed */
    const ImgImpl *impl;
    ImgShape src, dst;
    size_t first, steps; /* which of the steps it stands for; 0: it measures for `first` */
    bool is_points;      /* it does point operations */
    ImgConstants constants;
} ImgPass;

/* The passes as far as sizes are known: if the last one measures, others may follow. */
typedef struct ImgPlan {
    ImgPass passes[IMG_PASSES_MAX];
    size_t count;
    /* What the passes to come are made of; all borrowed. */
    const ImgExecConfig *config;
    ImgStep *steps;
    size_t step_count, next; /* of steps: the first that is not planned */
    ImgBackend backend;
    ImgExecLimits limits; /* from the first measurement on */
    uint64_t held_bytes;  /* of pictures in host memory while it is extended */
    ImgExec *exec;        /* whose progress is told; NULL: nobody's */
} ImgPlan;

/* The picture of a run: at first the source, in the end the result. */
typedef struct ImgHeld {
    ImgImage image;
    bool is_borrowed;  /* its memory is not the run's, and stays as it is */
    const ImgView *to; /* where the result goes; NULL: to memory of its own */
} ImgHeld;

/* exec_held.c. `result`, in memory of the run or in `to`, instead of what was held. */
void img_held_put(ImgHeld *held, const ImgImage *result, bool is_in_to);
/* The part of `to` that a result of that shape takes. IMG_E_USAGE where it has no room for it. */
ImgStatus img_held_place(const ImgHeld *held, ImgShape shape, ImgImage *result, ImgError *err);

/* exec.c: as img_exec_run; on failure `held` is still the source, or what became of it. */
ImgStatus img_exec_run_held(ImgExec *exec, ImgStep *steps, size_t count, ImgHeld *held,
                            ImgRunReport *report, ImgError *err);

/* exec_held.c: tells that the passes before `done` are through, and asks whether to go on. */
ImgStatus img_plan_progress(const ImgPlan *plan, size_t done, ImgError *err);

/* exec.c: what ran where, of a GPU, or of the CPU where that is NULL. */
void img_exec_describe(const ImgExec *exec, const ImgPlan *plan, const ImgCuda *cuda,
                       ImgRunReport *report);

/* The passes that do the steps, with implementations for a backend and, as far as they are there,
 * the constants in `kept`; ends with img_plan_free or img_kept_put, if it is IMG_OK. IMG_E_USAGE
 * where the name that was asked for is another backend's, or of different ones. */
ImgStatus img_plan_make(const ImgExecConfig *config, ImgStep *steps, size_t count, ImgShape src,
                        ImgBackend backend, ImgKept *kept, ImgPlan *plan, ImgError *err);

/* Is the last pass one that measures, and the plan to go on with its table? */
bool img_plan_measures(const ImgPlan *plan);

/* Completes the step that was measured for by the table of the last pass, in host memory, and adds
 * the passes that follow, the first of which reads what that pass read. Nothing is made for those
 * before they are found to be within the limits. On failure the plan is as it was, but for
 * constants, and to be ended all the same. */
ImgStatus img_plan_extend(ImgPlan *plan, const ImgView *table, ImgError *err);
void img_plan_free(ImgPlan *plan);

/* exec_kept.c. Are they those of these steps on such a picture? */
bool img_kept_are_for(const ImgKept *kept, const ImgStep *steps, size_t count, ImgShape src);
/* Ends the plan, and keeps what it has for the next. */
void img_kept_put(ImgKept *kept, const ImgStep *steps, size_t count, ImgPlan *plan);
/* The constants are the caller's from then on. Returns how many steps the pass stands for. */
size_t img_kept_take(ImgKept *kept, size_t pass, ImgConstants *constants);
void img_kept_free(ImgKept *kept);

/* What a device has of a plan's constants: a copy of those that were sent last. Start from zeros;
 * ends with img_sent_free. */
typedef struct ImgSent {
    uint8_t *memory; /* owned */
    size_t bytes, capacity;
} ImgSent;

/* exec_sent.c. Constants of passes from `first` on lie one behind the other, each in so much room.
 */
size_t img_sent_room(const ImgConstants *constants);
size_t img_sent_bytes(const ImgPlan *plan, size_t first);
/* Are they those that were noted last? */
bool img_sent_holds(const ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_note(ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_free(ImgSent *sent);

/* The backend that was asked for, by name or by implementation; AUTO where it is the executor's to
 * choose. */
ImgBackend img_plan_backend(const ImgExecConfig *config, const ImgStep *steps, size_t count);

bool img_pass_does_nothing(const ImgPass *pass);

/* exec_need.c: what an image of that shape takes, which was checked before. */
uint64_t img_image_bytes(ImgShape shape);

/* Bytes of constants that are there together, and those that are there while they are made. */
typedef struct ImgConstantsNeed {
    uint64_t bytes, making;
} ImgConstantsNeed;

/* Of all steps, as far as they have shapes: those that grow with pictures, parameters or files. */
ImgConstantsNeed img_steps_constants(const ImgStep *steps, size_t count, ImgShape src);
/* Of the passes that are planned. */
uint64_t img_plan_constants(const ImgPlan *plan);
/* Of one step beside `others`: source, result and all constants. */
uint64_t img_step_bytes(const ImgOp *op, ImgShape src, const void *params, uint64_t others,
                        ImgRoom room);
/* The most of bound steps, as far as they have shapes, beside `others`: with their constants, and
 * without. */
uint64_t img_steps_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                         ImgRoom room);
uint64_t img_steps_run_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                             ImgRoom room);

/* Passes from `first` on. Replaces what is held by the result. On failure that is still the source,
 * or what became of it, and the caller frees it. */
ImgStatus img_run_on_cpu(ImgPlan *plan, size_t first, ImgTeam *team, int threads, ImgHeld *held,
                         ImgRunReport *report, ImgError *err);

/* Takes 190 to 400 ms: it creates the context, and runs a self-test, since a build without code for
 * the GPU at hand would otherwise hand out empty pictures. */
ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err);

/* Harmless on NULL. */
void img_cuda_close(ImgCuda *cuda);

const char *img_cuda_name(const ImgCuda *cuda);

/* Gives back the device memory that is kept from run to run. Of a way that nobody works on. */
void img_cuda_free_memory(ImgCuda *cuda);

/* A way through a shared device that is not in use, opened if need be; waits for one where all are
 * in use. To be given back, if it is IMG_OK. Starts and waits as img_async_device_wait does. */
ImgStatus img_async_device_take(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
void img_async_device_give(ImgAsyncDevice *async, const ImgCuda *cuda);

/* For who found too little memory: waits until no way is in use, and no other is until this one is
 * given back; none keeps memory. Whoever waits here must not have one. */
ImgStatus img_async_device_take_alone(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
/* Gives back the memory of those ways that are not in use. */
void img_async_device_free_idle(ImgAsyncDevice *async);

/* Those who need memory and kernels first take turns. */
pthread_mutex_t *img_async_device_turn(ImgAsyncDevice *async);

/* Is the device ready? Waits up to `patience` seconds while it is being opened. If not, *why_not
 * says why. */
bool img_async_device_is_ready(ImgAsyncDevice *async, double patience, const char **why_not);

/* For how many seconds it is being opened; 0: it is not. */
double img_async_device_opening(ImgAsyncDevice *async);

/* What its users know of it together. */
struct ImgPace *img_async_device_pace(ImgAsyncDevice *async);

/* A device that failed at work is not used again. */
void img_async_device_lose(ImgAsyncDevice *async, const ImgError *failure);

/* exec_memory.c. Pictures of a batch are seldom all alike: more than is asked for is taken, so that
 * memory grows a few times only. */
size_t img_room_to_grow(size_t bytes, size_t before);

/* At least `bytes`; what was there is lost if that is more. False: there is no memory. */
bool img_host_memory_reserve(ImgHostMemory *memory, size_t bytes);
void img_host_memory_free(ImgHostMemory *memory);

/* The driver forgets memory that is pinned. False: it does not, and that must stay where it is. */
bool img_cuda_unpin(int device, void *memory);

/* Where things lie in a workspace: constants first, of one pass behind the other (img_sent_room).
 */
typedef struct ImgDeviceLayout {
    size_t image[2], workspace; /* offsets */
    size_t bytes;
} ImgDeviceLayout;

/* Queues the passes of a plan, which does not measure. */
ImgStatus img_cuda_queue(const ImgPlan *plan, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run, ImgError *err);

/* Makes the device the thread's; *before is to be handed back. */
ImgStatus img_cuda_enter(int device, int *before, ImgError *err);
void img_cuda_leave(int before);

/* What a run found: device memory kept from runs before, and too little of it all the same; all of
 * that way's is given back then. */
typedef struct ImgCudaRoom {
    bool was_kept, is_wanting;
} ImgCudaRoom;

/* A run on a GPU, with CPU threads to help. */
typedef struct ImgCudaWork {
    ImgPlan *plan;
    const ImgRunEnds *ends; /* NULL: pixels cross the bus */
    ImgHostMemory *host;    /* IMG_HOST_COUNT of them */
    ImgTeam *team;
    int threads;
    pthread_mutex_t *turn; /* of those who begin on a shared device; NULL: it is not shared */
    ImgCudaRoom *room;     /* out; starts from zeros */
} ImgCudaWork;

/* Replaces what is held by the result, where there is no sink for it; on failure it is as it was.
 */
ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err);

#endif
