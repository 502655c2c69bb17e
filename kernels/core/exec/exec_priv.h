/* Private to the executor: plans, their costs, and the functions of the two backends that exec.c
 * calls. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/exec/exec_cost.h"

/* One stream of an open CUDA device with its staging and device buffers, which are kept between
 * images. */
typedef struct ImgCuda ImgCuda;

/* Host memory that is pinned at most once, on the first run that copies to or from it. Start from
 * zeros. */
typedef struct ImgHostMemory {
    void *memory;
    size_t bytes;
    bool offered, pinned; /* `offered`: pinning was tried; `pinned`: it succeeded, so that a GPU
                             copies by itself at the full speed of the bus */
    int device;           /* the device for which it was pinned */
} ImgHostMemory;

/* Host memory of a run: the file that was read for it, and what source and sink copy from and to.
 */
enum { IMG_HOST_OF_FILE, IMG_HOST_OF_SOURCE, IMG_HOST_OF_SINK, IMG_HOST_COUNT };

/* The constants of the latest plan's passes, kept for the next picture of the same format, and of
 * the same size where constants depend on it. Start from zeros; ends with img_kept_free. */
typedef struct ImgKept {
    ImgStep *steps; /* owned; NULL: nothing is kept */
    size_t count;
    ImgShape src;
    struct {
        size_t steps; /* steps that the pass performs */
        ImgConstants constants;
    } pass[IMG_PASSES_MAX];
    size_t passes;
} ImgKept;

struct ImgExec {
    ImgExecConfig config;
    ImgKept kept;
    ImgTeam *own_team;
    ImgHostMemory host[IMG_HOST_COUNT];
    ImgCuda *cuda; /* NULL: not taken from the initialisation yet, or a shared device */

    /* The thread that opens the device; it runs from img_exec_prepare until it is joined. */
    pthread_t init_thread;
    bool opening;
    atomic_bool opened;
    ImgCuda *init_cuda;
    ImgError init_error;
    double init_start;

    /* Results of the latest img_exec_takes_ends. */
    char reason[IMG_REASON_SIZE];
    ImgCost expected;
    bool has_place; /* has reserved a place on the shared device */

    ImgExecLimits limits;
    ImgExecProgress progress;
    bool stopped; /* `progress` ended the run: do not try again or elsewhere */
};

/* exec.c: starts opening the device; waits until it is open, and takes it unless it is shared. */
void img_exec_start_opening(ImgExec *exec);
ImgStatus img_exec_collect_device(ImgExec *exec, ImgError *err);

/* exec_choose.c */
ImgCost img_exec_cost(const ImgStep *steps, size_t count, ImgShape src, int threads);
double img_exec_long_patience(const ImgCost *cost);
/* Chooses the backend under `auto`; waits up to `patience` seconds for a shared device that is
 * being opened. `reason` gets a text for the report. */
ImgBackend img_exec_choose(ImgExec *exec, const ImgCost *cost, double patience, char *reason);
void img_exec_note_failure(ImgExec *exec, const ImgError *failure, char *reason);

/* One pass reads a picture and writes one. It performs a step, or several point operations
 * together. Or it measures the picture for the next step, and writes a table. */
typedef struct ImgPass {
    const ImgOp *op;
    const void *params; /* the first step's; borrowed */
    const ImgImpl *impl;
    ImgShape src, dst;
    size_t first, steps; /* the steps that it performs; `steps` 0: it measures for step `first` */
    bool is_points;      /* performs point operations */
    ImgConstants constants;
} ImgPass;

/* The passes as far as sizes are known. If the last one measures, its table decides on the passes
 * that follow. */
typedef struct ImgPlan {
    ImgPass passes[IMG_PASSES_MAX];
    size_t count;
    /* Input for planning further passes; all borrowed. */
    const ImgExecConfig *config;
    ImgStep *steps;
    size_t step_count, next; /* `next`: the first step that is not planned yet */
    ImgBackend backend;
    ImgExecLimits limits; /* checked after each measurement */
    uint64_t held_bytes;  /* pictures in host memory during img_plan_extend */
    ImgExec *exec;        /* its progress callback is called; NULL: none */
} ImgPlan;

/* The picture of a run: the source at first, the result at the end. */
typedef struct ImgHeld {
    ImgImage image;
    bool is_borrowed;  /* the run must not free its memory or write to it */
    const ImgView *to; /* memory for the result; NULL: the run allocates it */
} ImgHeld;

/* exec_held.c: replaces the held picture by `result`, which is in memory of the run or in `to`. */
void img_held_put(ImgHeld *held, const ImgImage *result, bool is_in_to);
/* Sets *result to the part of `to` for a result of that shape. IMG_E_USAGE if `to` is too small. */
ImgStatus img_held_place(const ImgHeld *held, ImgShape shape, ImgImage *result, ImgError *err);

/* exec.c: as img_exec_run, but on failure `held` is the source or an intermediate picture, not
 * freed. */
ImgStatus img_exec_run_held(ImgExec *exec, ImgStep *steps, size_t count, ImgHeld *held,
                            ImgRunReport *report, ImgError *err);

/* exec_held.c: reports that `done` passes are complete. Fails if the progress callback ends the
 * run. */
ImgStatus img_plan_progress(const ImgPlan *plan, size_t done, ImgError *err);

/* exec.c: fills in backend, device and passes of the report; `cuda` NULL: the run was on the CPU.
 */
void img_exec_describe(const ImgExec *exec, const ImgPlan *plan, const ImgCuda *cuda,
                       ImgRunReport *report);

/* Plans the passes that perform the steps, with their implementations for a backend. Takes
 * constants from `kept` if they fit these steps and this picture, and makes the others. If it
 * succeeds, end the plan with img_plan_free or img_kept_put. IMG_E_USAGE if the requested
 * implementation belongs to another backend, or to different backends in different steps. */
ImgStatus img_plan_make(const ImgExecConfig *config, ImgStep *steps, size_t count, ImgShape src,
                        ImgBackend backend, ImgKept *kept, ImgPlan *plan, ImgError *err);

/* True if the last pass measures, so that the plan must be extended by its table. */
bool img_plan_measures(const ImgPlan *plan);

/* Completes the measured step with the table of the last pass, in host memory, and plans the passes
 * that follow. The first of them reads the same picture as the measuring pass. Limits are checked
 * before anything is allocated for them. After a failure the plan must still be ended. */
ImgStatus img_plan_extend(ImgPlan *plan, const ImgView *table, ImgError *err);
void img_plan_free(ImgPlan *plan);

/* exec_kept.c: whether the kept constants fit these steps on such a picture. */
bool img_kept_are_for(const ImgKept *kept, const ImgStep *steps, size_t count, ImgShape src);
/* Ends the plan, and keeps its constants for the next one. */
void img_kept_put(ImgKept *kept, const ImgStep *steps, size_t count, ImgPlan *plan);
/* Moves the constants of a pass to the caller. Returns the number of steps that the pass performs.
 */
size_t img_kept_take(ImgKept *kept, size_t pass, ImgConstants *constants);
void img_kept_free(ImgKept *kept);

/* A host copy of the constants that were sent to a device last. Start from zeros; ends with
 * img_sent_free. */
typedef struct ImgSent {
    uint8_t *memory; /* owned */
    size_t bytes, capacity;
} ImgSent;

/* exec_sent.c: constants of the passes from `first` on are stored one after another; img_sent_room
 * is the padded size of one, img_sent_bytes the sum. */
size_t img_sent_room(const ImgConstants *constants);
size_t img_sent_bytes(const ImgPlan *plan, size_t first);
/* True if the device already has exactly these constants. */
bool img_sent_holds(const ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_note(ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_free(ImgSent *sent);

/* The requested backend, given by name or by an implementation; AUTO if the executor chooses. */
ImgBackend img_plan_backend(const ImgExecConfig *config, const ImgStep *steps, size_t count);

bool img_pass_does_nothing(const ImgPass *pass);

/* exec_need.c: bytes of an image; its shape was checked before. */
uint64_t img_image_bytes(ImgShape shape);

/* `bytes`: all constants together; `making`: additional memory while they are computed. */
typedef struct ImgConstantsNeed {
    uint64_t bytes, making;
} ImgConstantsNeed;

/* Constants of all steps whose shapes are known: those that grow with pictures, parameters or
 * files. */
ImgConstantsNeed img_steps_constants(const ImgStep *steps, size_t count, ImgShape src);
/* Bytes of constants of the planned passes. */
uint64_t img_plan_constants(const ImgPlan *plan);
/* Peak memory of one step: its scratch memory and `others` (source, result and all constants). */
uint64_t img_step_bytes(const ImgOp *op, ImgShape src, const void *params, uint64_t others,
                        ImgRoom room);
/* Peak memory of bound steps whose shapes are known, together with `others`: img_steps_bytes
 * includes their constants, img_steps_run_bytes does not. */
uint64_t img_steps_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                         ImgRoom room);
uint64_t img_steps_run_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                             ImgRoom room);

/* Runs the passes from `first` on and replaces the held picture by the result. On failure the
 * caller frees the held picture, which is the source or an intermediate result. */
ImgStatus img_run_on_cpu(ImgPlan *plan, size_t first, ImgTeam *team, int threads, ImgHeld *held,
                         ImgRunReport *report, ImgError *err);

/* Takes 190 to 400 ms: creates the context and runs a self-test, as kernels of a build without code
 * for this GPU would not run and leave pictures empty. */
ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err);

/* NULL has no effect. */
void img_cuda_close(ImgCuda *cuda);

const char *img_cuda_name(const ImgCuda *cuda);

/* Frees the device memory that is kept from run to run. No run may use `cuda` meanwhile. */
void img_cuda_free_memory(ImgCuda *cuda);

/* Takes an idle lane (an ImgCuda) of a shared device, and opens it if necessary; waits for one if
 * all are in use. Return it with img_async_device_give if the result is IMG_OK. Starts and waits as
 * img_async_device_wait does. */
ImgStatus img_async_device_take(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
void img_async_device_give(ImgAsyncDevice *async, const ImgCuda *cuda);

/* For a run that lacked device memory: waits until no lane is in use, frees the memory of all, and
 * keeps others from being taken until this one is returned. The caller must not hold a lane: that
 * would deadlock. */
ImgStatus img_async_device_take_alone(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
/* Frees the memory of all lanes that are not in use. */
void img_async_device_free_idle(ImgAsyncDevice *async);

/* A lock for the first run of each lane, which allocates memory and loads kernels: one at a time.
 */
pthread_mutex_t *img_async_device_turn(ImgAsyncDevice *async);

/* True if the device is ready. Waits up to `patience` seconds while it is being opened. If not,
 * *why_not is the reason. */
bool img_async_device_is_ready(ImgAsyncDevice *async, double patience, const char **why_not);

/* Seconds since opening began; 0: it is not being opened. */
double img_async_device_opening(ImgAsyncDevice *async);

/* Admission and measured speeds, shared by all users of the device. */
struct ImgPace *img_async_device_pace(ImgAsyncDevice *async);

/* Marks a device as lost after a failed run, so that it is not used again. */
void img_async_device_lose(ImgAsyncDevice *async, const ImgError *failure);

/* exec_memory.c: capacity for at least `bytes` in a buffer that had `before`. Pictures of a batch
 * differ in size, so buffers grow by half at least, and only a few times. */
size_t img_room_to_grow(size_t bytes, size_t before);

/* Ensures a capacity of at least `bytes`; the old contents are lost if it grows. False: out of
 * memory. */
bool img_host_memory_reserve(ImgHostMemory *memory, size_t bytes);
void img_host_memory_free(ImgHostMemory *memory);

/* Unpins memory. False: the driver still uses it, so it must not be freed. */
bool img_cuda_unpin(int device, void *memory);

/* Layout of a workspace: constants first, one pass after another (img_sent_room). */
typedef struct ImgDeviceLayout {
    size_t image[2], workspace; /* offsets */
    size_t bytes;
} ImgDeviceLayout;

/* Queues the passes of a plan without measuring passes. */
ImgStatus img_cuda_queue(const ImgPlan *plan, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run, ImgError *err);

/* Makes the device the current one of the thread; pass *before to img_cuda_leave. */
ImgStatus img_cuda_enter(int device, int *before, ImgError *err);
void img_cuda_leave(int before);

/* Device memory of a run. `was_kept`: there was memory from earlier runs. `is_wanting`: memory was
 * short; the lane's memory has been freed. */
typedef struct ImgCudaRoom {
    bool was_kept, is_wanting;
} ImgCudaRoom;

/* One run on a GPU, with CPU threads that help. */
typedef struct ImgCudaWork {
    ImgPlan *plan;
    const ImgRunEnds *ends; /* NULL: pixels are copied from and to host memory */
    ImgHostMemory *host;    /* array of IMG_HOST_COUNT */
    ImgTeam *team;
    int threads;
    pthread_mutex_t *turn; /* img_async_device_turn of a shared device; NULL: it is not shared */
    ImgCudaRoom *room;     /* out; starts from zeros */
} ImgCudaWork;

/* Replaces the held picture by the result if there is no sink for it; unchanged on failure. */
ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err);

#endif
