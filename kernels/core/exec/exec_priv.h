/* Private to the executor: plans, their costs, and the functions of the CPU and CUDA backends that
 * exec.c calls. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/exec/exec_cost.h"

/* A stream of an open CUDA device, with staging and device buffers that are kept from image to
 * image. */
typedef struct ImgCuda ImgCuda;

/* Host memory that is pinned at most once, before the first run that copies to or from it.
 * Initialise it with zeros. */
typedef struct ImgHostMemory {
    void *memory;
    size_t bytes;
    /* `offered`: pinning was tried; `pinned`: it succeeded, so that the GPU copies without the CPU,
     * at the full speed of the bus */
    bool offered, pinned;
    int device; /* number of the device for which the memory was pinned */
} ImgHostMemory;

/* Indices of the blocks of host memory of a run (ImgHostMemory): for the file that is read, and for
 * the encoded bytes of the source and of the sink. */
enum { IMG_HOST_OF_FILE, IMG_HOST_OF_SOURCE, IMG_HOST_OF_SINK, IMG_HOST_COUNT };

/* The constants of the passes of the latest plan. They are kept for the next picture of the same
 * format, and of the same size if constants depend on it. Initialise with zeros and release with
 * img_kept_free. */
typedef struct ImgKept {
    ImgStep *steps; /* copy of the steps, owned; NULL if nothing is kept */
    size_t count;
    ImgShape src;
    struct {
        size_t steps; /* number of steps that the pass performs */
        ImgConstants constants;
    } pass[IMG_PASSES_MAX];
    size_t passes;
} ImgKept;

struct ImgExec {
    ImgExecConfig config;
    ImgKept kept;
    ImgTeam *own_team;
    ImgHostMemory host[IMG_HOST_COUNT];
    /* the executor's own device; NULL before it is open, and always if the device is shared */
    ImgCuda *cuda;

    /* Thread that opens the device in the background. img_exec_start_opening creates it, and
     * img_exec_collect_device joins it. */
    pthread_t init_thread;
    bool opening;
    atomic_bool opened;
    ImgCuda *init_cuda;
    ImgError init_error;
    double init_start;

    /* Results of the latest call of img_exec_takes_ends: reason, expected costs and has_place. */
    char reason[IMG_REASON_SIZE];
    /* true: the GPU failed on the present picture, or could not be opened; `reason` says why */
    bool has_failed;
    ImgCost expected;
    /* Measured and expected seconds of pictures on the CPU, summed over all calls of
     * img_exec_note_cpu. */
    double cpu_seconds, cpu_expected;
    bool has_place; /* true: a place on the shared device is reserved for this executor */

    ImgExecLimits limits;
    ImgExecProgress progress;
    struct ImgStore *store; /* store for the pictures of runs on the CPU; NULL: memory */
    /* true: the progress callback ended the run, so the run must be tried neither again nor on the
     * CPU */
    bool stopped;
};

/* In exec.c. img_exec_start_opening starts to open the device in another thread.
 * img_exec_collect_device waits until the device is open, or opens it if img_exec_start_opening was
 * not called. If the device is not shared, it then becomes exec->cuda. */
void img_exec_start_opening(ImgExec *exec);
ImgStatus img_exec_collect_device(ImgExec *exec, ImgError *err);

/* In exec_choose.c: img_exec_cost returns the estimated cost of steps. img_exec_long_patience
 * returns how many seconds a run of this cost waits for a device that is being opened. */
ImgCost img_exec_cost(const ImgStep *steps, size_t count, ImgShape src, int threads);
double img_exec_long_patience(const ImgCost *cost);
/* Chooses the backend under `auto`. Waits up to `patience` seconds for a shared device that is
 * being opened. Writes the reason to `reason`, for the report. */
ImgBackend img_exec_choose(ImgExec *exec, const ImgCost *cost, double patience, char *reason);
void img_exec_note_failure(ImgExec *exec, const ImgError *failure, char *reason);

/* A pass reads one picture and writes one. It performs a step, or several adjacent point operations
 * together. A measuring pass instead writes a table for the next step. */
typedef struct ImgPass {
    const ImgOp *op;
    const void *params; /* parameters of the first step, borrowed */
    const ImgImpl *impl;
    ImgShape src, dst;
    /* first step and number of steps that the pass performs; 0 steps: it measures for step
     * `first` */
    size_t first, steps;
    bool is_points; /* true: the steps are point operations */
    ImgConstants constants;
} ImgPass;

/* The passes of a run, as far as sizes are known. If the last pass measures, its table determines
 * the passes that follow. */
typedef struct ImgPlan {
    ImgPass passes[IMG_PASSES_MAX];
    size_t count;
    /* Data for planning further passes; all pointers are borrowed. */
    const ImgExecConfig *config;
    ImgStep *steps;
    size_t step_count, next; /* number of steps, and first step that is not planned yet */
    ImgBackend backend;
    ImgExecLimits limits; /* limits that are checked after each measurement */
    uint64_t held_bytes;  /* bytes of pictures in host memory while img_plan_extend runs */
    /* results of earlier passes over the source, borrowed; NULL: there were none */
    const ImgMeasured *measured;
    ImgExec *exec;          /* executor whose progress callback is called; NULL: none */
    struct ImgStore *store; /* store for pictures; NULL: memory */
} ImgPlan;

/* The picture of a run: at first the source, at the end the result. */
typedef struct ImgHeld {
    ImgImage image;
    /* true: the pixels belong to the caller, so the run must not free or change them */
    bool is_borrowed;
    const ImgView *to; /* memory of the caller for the result; NULL: the run allocates memory */
} ImgHeld;

/* In exec_held.c: replaces the held picture by `result`. `is_in_to` is true if the result is in the
 * caller's memory (held->to), and false if the run allocated its memory. */
void img_held_put(ImgHeld *held, const ImgImage *result, bool is_in_to);
/* Sets *result to a picture of this shape in the caller's memory (held->to). Returns IMG_E_USAGE if
 * that memory is too small or for another format. */
ImgStatus img_held_place(const ImgHeld *held, ImgShape shape, ImgImage *result, ImgError *err);

/* In exec.c: works like img_exec_run. On failure `held` contains the source or an intermediate
 * picture, which the caller must free. */
ImgStatus img_exec_run_held(ImgExec *exec, ImgStep *steps, size_t count, ImgHeld *held,
                            ImgRunReport *report, ImgError *err);

/* In bands/measure.c: runs the leading steps that can run in bands on a picture in a store, and
 * collects the result in the store. So no page of the store is mapped, and only some rows are in
 * memory. *ran becomes the number of these steps. It is 0, and nothing changes, if the first step
 * needs the whole picture, or if bands would need more memory than is available: the larger of
 * ImgExecLimits.room_bytes and the memory that mapped pages of the store may take. Otherwise
 * `image` is replaced by the result, or freed on failure. */
ImgStatus img_bands_run_stored(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                               ImgRunReport *report, size_t *ran, ImgError *err);

/* In bands/device_bands.c: runs the first steps on a GPU in bands, as far as they allow it, and
 * replaces the held picture by their result. *done becomes the number of these steps. It is 0, and
 * nothing changes, if the first step needs the whole picture, or if `only_all` is true and not all
 * steps run in bands. On failure the held picture is unchanged. No other run may use `cuda`, whose
 * device memory is freed at the end. */
ImgStatus img_bands_run_on_device(ImgExec *exec, ImgCuda *cuda, ImgStep *steps, size_t count,
                                  bool only_all, ImgHeld *held, size_t *done, ImgRunReport *report,
                                  ImgError *err);

/* In exec_held.c: reports to the progress callback that `done` passes are complete. Fails if the
 * callback ends the run. */
ImgStatus img_plan_progress(const ImgPlan *plan, size_t done, ImgError *err);

/* In exec.c: sets backend, device and passes of the report. `cuda` is NULL if the run was on the
 * CPU. */
void img_exec_describe(const ImgExec *exec, const ImgPlan *plan, const ImgCuda *cuda,
                       ImgRunReport *report);

/* Plans the passes that perform the steps, with their implementations for a backend. Takes
 * constants from `kept` if they fit these steps and this picture; otherwise computes them.
 * `measured` has the results of earlier passes over the source; NULL: there were none. If it
 * succeeds, end the plan with img_plan_free or img_kept_put. Returns IMG_E_USAGE if the requested
 * implementation belongs to another backend, or to different backends in different steps. */
ImgStatus img_plan_make(const ImgExecConfig *config, ImgStep *steps, size_t count, ImgShape src,
                        ImgBackend backend, const ImgMeasured *measured, ImgKept *kept,
                        ImgPlan *plan, ImgError *err);

/* Returns true if the last planned pass is a measuring pass, which writes a table about its source
 * (ImgPass). After it has run, img_plan_extend must plan the passes that depend on the table. */
bool img_plan_measures(const ImgPlan *plan);

/* Completes the parameters of the step that the last pass measured for. `table` is the result of
 * that pass, in host memory. Then plans the passes that follow. The first of them reads the same
 * picture as the measuring pass. Limits are checked before anything is allocated. After a failure
 * the plan must still be ended. */
ImgStatus img_plan_extend(ImgPlan *plan, const ImgView *table, ImgError *err);
void img_plan_free(ImgPlan *plan);

/* In exec_kept.c: returns true if the operations and parameters of two lists of steps are equal. */
bool img_steps_equal(const ImgStep *a, const ImgStep *b, size_t count);
/* In exec_kept.c: returns true if the kept constants fit these steps on a picture of shape
 * `src`. */
bool img_kept_are_for(const ImgKept *kept, const ImgStep *steps, size_t count, ImgShape src);
/* Ends the plan and keeps its constants for the next plan. */
void img_kept_put(ImgKept *kept, const ImgStep *steps, size_t count, ImgPlan *plan);
/* Moves the kept constants of pass number `pass` to the caller. Returns the number of steps that
 * the pass performs. */
size_t img_kept_take(ImgKept *kept, size_t pass, ImgConstants *constants);
void img_kept_free(ImgKept *kept);

/* A host copy of the constants that were last sent to a device. Initialise with zeros and release
 * with img_sent_free. */
typedef struct ImgSent {
    uint8_t *memory; /* owned copy, in the layout of the device */
    size_t bytes, capacity;
} ImgSent;

/* In exec_sent.c: the constants of the passes from `first` on are stored one after another.
 * img_sent_room returns the padded bytes of one pass, img_sent_bytes the sum for all passes from
 * `first` on. */
size_t img_sent_room(const ImgConstants *constants);
size_t img_sent_bytes(const ImgPlan *plan, size_t first);
/* Returns true if the device already has exactly the constants of the plan. */
bool img_sent_holds(const ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_note(ImgSent *sent, const ImgPlan *plan, size_t first);
void img_sent_free(ImgSent *sent);

/* Returns the backend that was requested by name or by an implementation; IMG_BACKEND_AUTO if the
 * executor may choose. */
ImgBackend img_plan_backend(const ImgExecConfig *config, const ImgStep *steps, size_t count);

bool img_pass_does_nothing(const ImgPass *pass);

/* In exec_need.c: returns img_image_bytes, or 0 if pictures are in a store. */
uint64_t img_room_image_bytes(ImgShape shape, ImgRoom room);

/* Memory for the constants of several steps. `bytes`: memory for all constants together. `making`:
 * additional bytes, needed only while the constants of one step are computed. */
typedef struct ImgConstantsNeed {
    uint64_t bytes, making;
} ImgConstantsNeed;

/* The next pass of a series of steps, as far as it is known before the pass is planned. */
typedef struct ImgAhead {
    const ImgOp *op;
    size_t steps; /* number of steps that the pass performs */
    ImgShape dst;
    ImgConstantsNeed constants;
    bool is_known; /* true: the shapes of the results of all steps of the pass are known */
} ImgAhead;

ImgAhead img_steps_look_ahead(const ImgStep *steps, size_t count, ImgShape src);

/* Returns the memory for the constants of all steps whose shapes are known. Only constants that
 * grow with pictures, parameters or files count. */
ImgConstantsNeed img_steps_constants(const ImgStep *steps, size_t count, ImgShape src);
/* Returns the bytes of the constants of all planned passes. */
uint64_t img_plan_constants(const ImgPlan *plan);
/* Returns the peak memory of one step in bytes: its scratch memory and `others`, which are source,
 * result and all constants. */
uint64_t img_step_bytes(const ImgOp *op, ImgShape src, const void *params, uint64_t others,
                        ImgRoom room);
/* Return the peak memory, in bytes, of running steps that are bound (ImgOp.facts.bind), plus
 * `others`. Both functions stop at the first step whose shape is not known. img_steps_bytes
 * includes the constants, img_steps_run_bytes does not. */
uint64_t img_steps_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                         ImgRoom room);
uint64_t img_steps_run_bytes(const ImgStep *steps, size_t count, ImgShape src, uint64_t others,
                             ImgRoom room);

/* Runs the passes from index `first` on and replaces the held picture by the result. On failure the
 * held picture is the source or an intermediate result; the caller frees it. */
ImgStatus img_run_on_cpu(ImgPlan *plan, size_t first, ImgTeam *team, int threads, ImgHeld *held,
                         ImgRunReport *report, ImgError *err);

/* Creates the context of a device and runs a self-test, which takes 190 to 400 ms in all. The
 * self-test detects a build without code for this GPU, whose kernels would not run and would leave
 * pictures empty. */
ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err);

/* Closes the device and frees its buffers. Does nothing for NULL. */
void img_cuda_close(ImgCuda *cuda);

const char *img_cuda_name(const ImgCuda *cuda);

/* Frees the device memory that is kept from run to run. No run may use `cuda` at the same time. */
void img_cuda_free_memory(ImgCuda *cuda);

/* Takes an idle lane (an ImgCuda) of a shared device, and opens the lane if necessary. Waits for a
 * lane if all are in use. If the result is IMG_OK, return the lane with img_async_device_give.
 * Opens the device and waits for it as img_async_device_wait does. */
ImgStatus img_async_device_take(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
void img_async_device_give(ImgAsyncDevice *async, const ImgCuda *cuda);

/* Takes a lane (an ImgCuda) for a run that lacked device memory. Waits until no lane is in use, and
 * frees the memory of all. No other lane can be taken until this one is returned. The caller must
 * not already have a lane: that would deadlock. */
ImgStatus img_async_device_take_alone(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err);
/* Frees the memory of all lanes (ImgCuda) that are not in use. */
void img_async_device_free_idle(ImgAsyncDevice *async);

/* Returns the lock that the first run of each lane (an ImgCuda) must hold. Such a run allocates
 * memory and loads kernels, which the driver does for one thread at a time. */
pthread_mutex_t *img_async_device_turn(ImgAsyncDevice *async);

/* Returns true if the device is ready. Waits up to `patience` seconds while it is being opened.
 * Sets *why_not to the reason if it is not ready. */
bool img_async_device_is_ready(ImgAsyncDevice *async, double patience, const char **why_not);

/* Returns the seconds since opening of the device began; 0 if it is not being opened. */
double img_async_device_opening(ImgAsyncDevice *async);

/* Returns the ImgPace of the device, which all its users share: admission of pictures and measured
 * speeds (exec_pace.h). */
struct ImgPace *img_async_device_pace(ImgAsyncDevice *async);

/* Marks a device as lost after a failed run, so that no run uses it again. */
void img_async_device_lose(ImgAsyncDevice *async, const ImgError *failure);

/* In exec_memory.c: returns the capacity for a buffer that needs `bytes` bytes and had `before`.
 * Pictures of a batch differ in size, so a buffer grows by at least half, and therefore only a few
 * times. */
size_t img_room_to_grow(size_t bytes, size_t before);

/* Ensures a capacity of at least `bytes` bytes; the contents are lost if the memory grows. Returns
 * false when memory is short. */
bool img_host_memory_reserve(ImgHostMemory *memory, size_t bytes);
void img_host_memory_free(ImgHostMemory *memory);

/* Unpins host memory. Returns false if the driver still uses the memory, which must then not be
 * freed. */
bool img_cuda_unpin(int device, void *memory);

/* Layout of the device memory of a run. The constants of the passes come first, one pass after
 * another (img_sent_room). */
typedef struct ImgDeviceLayout {
    /* offsets in bytes of the two images and of the workspace of passes */
    size_t image[2], workspace;
    size_t bytes;
} ImgDeviceLayout;

/* Queues the passes of a plan, which must not contain measuring passes. */
ImgStatus img_cuda_queue(const ImgPlan *plan, const ImgDeviceLayout *layout,
                         const ImgDeviceRun *run, ImgError *err);

/* Facts about the device memory of a run, from which the caller decides whether to try again.
 * was_kept: the ImgCuda had memory from earlier runs. is_wanting: memory was short, and the memory
 * of the ImgCuda has been freed. */
typedef struct ImgCudaRoom {
    bool was_kept, is_wanting;
} ImgCudaRoom;

/* Input and output of a run on a GPU, with CPU threads that help. */
typedef struct ImgCudaWork {
    ImgPlan *plan;
    const ImgRunEnds *ends; /* source and sink; NULL if pixels are copied from and to host memory */
    /* For each pass, the rectangle of the previous result that it reads. One more entry for the
     * rectangle of the last result that is wanted. NULL: all are whole pictures. */
    const ImgRect *reads;
    ImgHostMemory *host; /* array of IMG_HOST_COUNT entries */
    ImgTeam *team;
    int threads;
    /* lock that img_async_device_turn returns; NULL if the device is not shared */
    pthread_mutex_t *turn;
    /* what the run reports about device memory; the caller initialises it with zeros */
    ImgCudaRoom *room;
} ImgCudaWork;

/* Runs the passes on a GPU. Replaces the held picture by the result if there is no sink. On failure
 * the held picture is unchanged. */
ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err);

/* --- Groups of small pictures ----------------------------------------------------------------- */

/* A picture of a group (img_exec_run_in_group). */
typedef struct ImgGroupPicture {
    ImgExec *exec; /* executor of the picture, whose host memory is used */
    ImgStep *steps;
    size_t count;
    const ImgRunEnds *ends;
    ImgRunReport *report;
    /* Set by img_group_run: places of source and sink, valid until the lane is given back. */
    ImgDevicePlace source, sink;
} ImgGroupPicture;

/* The queue of the pictures that wait for a shared device. img_groups_create returns NULL when
 * memory is short. img_groups_free accepts NULL. */
typedef struct ImgGroups ImgGroups;
ImgGroups *img_groups_create(void);
void img_groups_free(ImgGroups *groups);
ImgGroups *img_async_device_groups(ImgAsyncDevice *async);

/* Largest number of pictures of a group, and of their bytes in device memory (img_group_bytes). */
enum { IMG_GROUP_MOST = 512 };
#define IMG_GROUP_BYTES_MOST ((uint64_t)1 << 30)

/* Returns the device memory in bytes for source, sink and pixels of a picture of a group. */
uint64_t img_group_bytes(const ImgGroupPicture *picture);

/* In cuda/run_group.c: moves, decodes, changes and encodes all pictures, of which there are at most
 * IMG_GROUP_MOST, and waits. On success the
 * caller calls ImgDeviceEnd.end of each source and sink with their places. `turn` as in
 * ImgCudaWork. */
ImgStatus img_group_run(ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count,
                        pthread_mutex_t *turn, ImgError *err);
/* Makes the device the current one of the thread, for the functions `end`. */
ImgStatus img_group_enter(const ImgCuda *cuda, ImgError *err);

#endif
