/* Runs a series of steps on a backend: choice of the backend, memory, transfers, timing.
 *
 * On the CPU every step replaces the image, so at most two images are allocated at once. On a GPU
 * the image is uploaded once, stays there between the steps, and is downloaded once. An explicitly
 * requested backend never falls back to another. `auto` compares costs. It creates a CUDA context
 * only if the GPU saves enough time, and does so in a background thread. It uses the CPU if the
 * context is not ready in time.
 *
 * Only one thread at a time may use an ImgExec; it can process any number of images. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_H

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"
#include "kernels/core/row_source.h"

struct ImgStore;
typedef struct ImgExec ImgExec;

typedef struct ImgExecConfig {
    ImgBackend backend;
    /* name of the implementation for every step; NULL for the fastest one; borrowed */
    const char *impl;
    int device;    /* number of the CUDA device */
    int threads;   /* number of CPU threads, at least 1 */
    ImgTeam *team; /* team that provides the threads, borrowed; NULL: the executor creates one */
    /* CUDA device that several executors share, borrowed; NULL: the executor opens `device` for
     * itself */
    struct ImgAsyncDevice *async_device;
} ImgExecConfig;

/* Largest number of steps and of passes in a run. A step may need an extra pass that measures the
 * picture, so there can be two passes per step. */
enum { IMG_STEPS_MAX = 64, IMG_PASSES_MAX = 2 * IMG_STEPS_MAX };
enum { IMG_REASON_SIZE = 160, IMG_RUN_PARTS = 32 };

/* Time of one part of the GPU work of a source or a sink, for example a kernel. */
typedef struct ImgRunPart {
    const char *name; /* name of the part, a static text */
    bool of_sink;
    double seconds;
} ImgRunPart;

/* Backend, device and times of one run. Times are in seconds; 0 for phases that did not happen. */
typedef struct ImgRunReport {
    ImgBackend backend;
    char reason[IMG_REASON_SIZE]; /* why the executor chose this backend; shown with -v */
    char device[64];              /* name of the GPU, or "CPU, N threads, AVX2" */
    double init, upload, kernel, download;
    /* seconds in which source and sink work on the device, without copies to and from it */
    double decode, encode;
    size_t part_count; /* number of entries in `parts`; 0 if they were not requested */
    ImgRunPart parts[IMG_RUN_PARTS];
    size_t count; /* number of passes in the run */
    struct {
        const ImgImpl *impl;
        /* index of the first step of the pass, and number of its steps (several if they are point
         * operations); 0 steps: the pass measures the picture for step `first` */
        size_t first, steps;
        bool in_bands; /* true: the pass ran on bands of rows */
        /* true: not run, because it would not change the picture (ImgOp.effect.does_nothing) */
        bool skipped;
        double seconds;
    } passes[IMG_PASSES_MAX];
} ImgRunReport;

/* A CUDA device that several ImgExecs share. A background thread opens it once. Until it is ready,
 * executors with backend `auto` use the CPU. Device memory is kept from run to run. A run on CUDA
 * (not `auto`) that lacks device memory waits until no other run uses the device. The run then
 * frees the memory kept for other runs and tries again. The run fails only if memory is still
 * short. */
typedef struct ImgAsyncDevice ImgAsyncDevice;

/* Creates the shared state for a device, without opening the device yet. */
ImgStatus img_async_device_create(int device, ImgAsyncDevice **async, ImgError *err);

/* Starts opening the device in the background. Can be called from any thread and more than once;
 * only the first call has an effect. */
void img_async_device_start(ImgAsyncDevice *async);

/* Starts opening the device if necessary, and waits until it is open. Fails with the error of
 * opening. */
ImgStatus img_async_device_wait(ImgAsyncDevice *async, ImgError *err);

/* Returns true if a run failed on the device for any reason other than lack of memory; the device
 * is then not used any more. *message becomes the reason, a text that is valid as long as
 * `async`. */
bool img_async_device_is_lost(ImgAsyncDevice *async, const char **message);

/* Frees the shared device. Call it after the last executor that uses `async` has been destroyed.
 * Waits if the device is still being opened. Does nothing for NULL. */
void img_async_device_destroy(ImgAsyncDevice *async);

/* Creates an executor, without opening a device. Returns IMG_E_UNAVAILABLE for the CUDA backend if
 * this build does not contain it. */
ImgStatus img_exec_create(const ImgExecConfig *config, ImgExec **exec, ImgError *err);
/* Sets the number of CPU threads, at least 1. `team`, which is borrowed, provides them; if it is
 * NULL, the executor creates one. */
void img_exec_set_threads(ImgExec *exec, ImgTeam *team, int threads);

/* Limits of a run. Sizes that depend on a measurement (img_steps_measure) are checked during the
 * run, before the executor allocates anything of that size. */
typedef struct ImgExecLimits {
    uint64_t max_pixels;     /* limit for each result whose size was measured; 0: no limit */
    const char *more_pixels; /* advice that ends the error message; NULL: none */
    uint64_t room_bytes;     /* limit of host memory in bytes, as in ImgRoom; 0: no limit */
    /* limit of host memory in bytes after a measurement, if the remaining steps need more than
     * room_bytes; 0: the same as room_bytes */
    uint64_t most_bytes;
    /* Called after each measurement, on the thread that runs the steps. The remaining steps need at
     * most `bytes` of host memory, constants and pictures included. If `bytes` would exceed
     * most_bytes, the run uses fewer threads as far as that helps. The result has the shape
     * `after`, or is at most as large if a later step measures too. A failure ends the run. NULL:
     * no check. */
    ImgStatus (*admit)(void *context, ImgShape after, uint64_t bytes, ImgError *err);
    void *context;
} ImgExecLimits;

/* Sets the limits for all later runs. A new executor has no limits. */
void img_exec_set_limits(ImgExec *exec, const ImgExecLimits *limits);

/* Puts the pictures of all later runs on the CPU into a store (kernels/core/store.h), which is
 * borrowed. NULL: they are in memory, as at first. */
void img_exec_set_store(ImgExec *exec, struct ImgStore *store);

/* Callback for the progress of a run. It is called before each pass and after the last one, on the
 * thread that started the run. `done` of `total` passes are complete; `total` grows after a
 * measurement. A failure ends the run. If `passed` is NULL, progress is not reported. */
typedef struct ImgExecProgress {
    ImgStatus (*passed)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
} ImgExecProgress;

/* Sets the progress callback for all later runs. */
void img_exec_set_progress(ImgExec *exec, ImgExecProgress progress);

/* Source and sink of a run on a GPU. They work on device memory, instead of an image in host
 * memory. Either may be NULL. */
typedef struct ImgRunEnds {
    const ImgDeviceEnd *source, *sink;
    ImgShape shape; /* shape of the picture that the source produces */
    /* true: the report also gets the time of each part of the GPU work of source and sink
     * (ImgRunReport.parts), at a small cost */
    bool in_parts;
} ImgRunEnds;

/* Estimated seconds for the work of source and sink on the CPU, with the threads of the run, and on
 * a GPU. */
typedef struct ImgEndsCost {
    double cpu, cuda;
    bool
        in_group; /* true: on a GPU the picture is processed in a group, and needs no place alone */
} ImgEndsCost;

/* Returns true if opening a device pays: the GPU saves more time than it takes to create its
 * context. About `pictures` pictures of shape `src` are still to come, which `workers` threads
 * process. `ends` is NULL if pixels are copied from and to host memory. The time on the CPU is
 * estimated, and corrected by the times measured for earlier pictures of this executor
 * (img_exec_note_cpu). */
bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            const ImgEndsCost *ends, size_t pictures, int workers);

/* Destroys the executor. Waits for a context that is still being created, because a thread inside
 * the driver cannot be cancelled. */
void img_exec_destroy(ImgExec *exec);

/* Limits of a run: CPU threads, and bytes of host memory for two successive images and the scratch
 * memory. Each thread has scratch memory of its own. So fewer threads are used, down to one, to
 * stay within `bytes`. */
typedef struct ImgRoom {
    int threads;
    uint64_t bytes;
    bool stores; /* true: pictures are in a store (img_exec_set_store), and do not count */
} ImgRoom;

/* Binds the steps to the facts of the file (in place) and calls `shape` of every step. Sets *dst to
 * the shape of the result. Sets *peak_bytes to the peak of host memory: two successive images and
 * the scratch memory of the CPU implementations, within `room` where possible. No picture is
 * needed, so a step that does not apply to this picture fails before any pixel is decoded.
 *
 * If a step measures the picture, both results are for the largest picture that it may produce.
 * They are then only estimates for the steps after it, and may be too small: scaled to a given
 * width, a narrower image becomes taller. A later step that does not apply to the largest picture
 * may apply to the real one, so it ends the plan without an error. ImgExecLimits checks the real
 * sizes during the run. */
ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgRoom room, ImgShape *dst, uint64_t *peak_bytes, ImgError *err);

/* Returns the bytes of host memory that the loaded files of the steps occupy (ImgStep.held). */
uint64_t img_steps_held(const ImgStep *steps, size_t count);

/* Returns true if some step works on channels. In that case the argument `src` of all functions
 * img_steps_... must be the shape of the picture after its palette has been converted to
 * channels. */
bool img_steps_need_channels(const ImgStep *steps, size_t count);

/* Lets each step with a background colour find that colour in the palette of the source, or add it.
 * Returns true if all steps can work on palette indices. Otherwise no step uses a palette, and
 * colours added to `palette` must be ignored. `palette` is NULL if the source has none. */
bool img_steps_bind_palette(ImgStep *steps, size_t count, ImgShape src, struct ImgPalette *palette);

/* Tells each step that makes a palette the form of its result. It is palette indices if all later
 * steps can work on indices, and if `has_palette`: the caller has a place for the palette of the
 * result. Otherwise it is channels. Call it after img_steps_bind_palette, which decides which steps
 * can work on indices. */
void img_steps_choose_form(ImgStep *steps, size_t count, bool has_palette);

/* Sets *palette to the palette that the steps have made. Call it after the run. Returns false if
 * they have made none, or if the result consists of channels. */
bool img_steps_palette(const ImgStep *steps, size_t count, struct ImgPalette *palette);

/* Returns true if some step measures the picture, because the size of its result depends on
 * pixels. */
bool img_steps_measure(const ImgStep *steps, size_t count);

/* Returns the combined effect of all steps on the picture. If a step measures the picture, call
 * this function after the run. */
ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src);

/* Returns true if img_exec_run would run the steps on a GPU. */
bool img_exec_prefers_cuda(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src);

/* Announces a run while the caller still reads or decodes for about `decode_seconds`. The CUDA
 * context is created meanwhile, if CUDA was requested, or if `auto` expects the GPU to save
 * time. */
void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds);

/* Runs planned steps. `image` is replaced by the result, or freed on failure. The parameters of
 * steps that measure the picture are completed in place. `report` may be NULL. Returns
 * IMG_E_UNAVAILABLE if the requested backend or implementation is unavailable. */
ImgStatus img_exec_run(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err);

/* Runs planned steps on pixels of the caller; `from` is only read. If `to` has pixels, the result
 * is written there; they must not overlap `from`. `to` then gets the size of the result, which may
 * be smaller than planned after a measurement. Otherwise `result` becomes the result. On failure
 * `to` is unchanged except for its pixels, and `result` is IMG_IMAGE_NONE. */
ImgStatus img_exec_run_view(ImgExec *exec, ImgStep *steps, size_t count, const ImgView *from,
                            ImgView *to, ImgImage *result, ImgRunReport *report, ImgError *err);

/* --- In bands ------------------------------------------------------------------------------------
 *
 * Runs steps on the CPU on bands of rows, as far as the steps allow it (ImgOp.bands.part). The
 * picture between two such steps is never in memory as a whole. */

/* Results of img_bands_plan: how far steps run in bands, and the memory for that. */
typedef struct ImgBandsPlan {
    size_t steps; /* number of leading steps that run in bands */
    /* number of steps after these, 0 or 1, that process the rows of the bands as they arrive
     * (ImgImpl.by_rows), while their result is collected */
    size_t taken;
    /* Number of these steps that measure their whole source first. img_bands_measure must be called
     * once for each of them before img_bands_begin. Each call reads the source from its first row
     * on. */
    size_t measures;
    bool all;     /* true: all steps run in bands, so that the result need not be in memory */
    bool windows; /* true: some steps in bands read the pixels around a pixel */
    /* Number of rows of a band of the result, except of the first one. */
    int32_t rows;
    /* Largest number of rows that one call requests from the source. */
    int32_t source_rows;
    /* Average number of rows that a pass computes for each row of its result: more than 1 if rows
     * around bands are computed twice; 0 if no pass runs in bands. */
    double work;
    /* true: some bands need only narrow rectangles of the source; reading these is slow if the
     * source is in a store. Higher bands need wider rectangles. */
    bool is_narrow;
    /* Peak memory in bytes, without the source; includes the result if it is collected in
     * memory. */
    uint64_t peak_bytes;
} ImgBandsPlan;

/* In which order, and how often, the rows of the source of a run in bands can be read. */
typedef enum ImgBandsSource {
    IMG_BANDS_IN_ORDER, /* once, in order */
    /* A picture in memory or in a store (ImgRowSource.image). Steps may measure it first if it is
     * in a store (ImgRoom.stores). */
    IMG_BANDS_IN_MEMORY,
    IMG_BANDS_REPEATED, /* in order, as often as necessary, so that steps may measure it first */
} ImgBandsSource;

/* Plans steps that img_steps_plan has planned. `impl` is the name of the implementation for every
 * step, or NULL for the fastest one on the CPU. plan->peak_bytes does not include a source that is
 * in memory. If heights.first is 0, the plan is for img_bands_collect, which collects the result in
 * memory; returns false if the first step that changes the picture needs the whole picture. With
 * other heights, the plan is for img_bands_run; returns false unless all steps run in bands. */
bool img_bands_plan(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                    ImgRoom room, ImgBandHeights heights, ImgBandsSource source,
                    ImgBandsPlan *plan);

/* Plans how img_exec_run runs planned steps in bands on a picture in a store. Returns false if the
 * first step needs the whole picture. Otherwise sets *bytes to the peak memory in bytes with one
 * thread. Bands become lower if that exceeds `most` bytes, so *bytes is larger than `most` only if
 * all heights need more. These bytes may come out of the memory that the store reserves for mapped
 * pages, because a run in bands maps no pages. */
bool img_bands_plan_stored(const ImgStep *steps, size_t count, ImgShape shape, const char *impl,
                           uint64_t most, uint64_t *bytes);

/* Results of measurements in earlier passes over a source. Initialise it with zeros, and release it
 * with img_measured_free. */
typedef struct ImgMeasured {
    size_t steps;   /* number of leading steps that need no further measurement */
    double seconds; /* time of all measurements and of the steps before them */
    struct {
        const ImgImpl *impl; /* measurement of the step; NULL if the step has none */
        double seconds;
        ImgConstants constants; /* constants of the step (ImgTwoPasses); owned */
    } of[IMG_STEPS_MAX];
} ImgMeasured;

void img_measured_free(ImgMeasured *measured);

/* Reads the whole source, and makes the measurement of the first step that still needs one. The
 * steps before it run in bands. Completes the parameters of the step, or sets the constants in
 * `measured`. `heights` must be the same as for img_bands_plan. */
ImgStatus img_bands_measure(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                            ImgBandHeights heights, ImgMeasured *measured, ImgError *err);

/* A run of steps in bands: img_bands_begin creates it, img_bands_end frees it. */
typedef struct ImgBands ImgBands;

/* Prepares a run of steps for which img_bands_plan returned true with the same `heights`.
 * `measured` has the results of all measurements (ImgBandsPlan.measures); NULL: there are none.
 * `source` and `measured` are borrowed until img_bands_end. Call img_bands_end even if this
 * function fails. */
ImgStatus img_bands_begin(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                          ImgBandHeights heights, const ImgMeasured *measured, ImgBands **bands,
                          ImgError *err);

/* Returns the number of threads that process bands at the same time. */
int img_bands_workers(const ImgBands *bands);

/* A consumer of the bands of a result. */
typedef struct ImgBandSink {
    /* Processes a band of the result. `first` is the index of the first of the `rows`, which are
     * valid only during the call. `worker` is the index of the worker that calls the function.
     * Other workers may call it at the same time, and bands may come in any order. */
    ImgStatus (*take)(void *context, int worker, int32_t first, const ImgView *rows, ImgError *err);
    /* Called when a worker has failed, so that calls of `take` do not wait for its band for ever.
     * Several workers may call it, also at the same time. NULL if `take` never waits for other
     * bands. */
    void (*stop)(void *context);
    void *context;
} ImgBandSink;

/* Computes all bands and passes each one to `sink`. The plan (ImgBandsPlan) must have `all` set,
 * and its heights must be above 0. */
ImgStatus img_bands_run(ImgBands *bands, const ImgBandSink *sink, ImgError *err);

/* Computes the result of all steps in memory. On failure `image` is IMG_IMAGE_NONE. */
ImgStatus img_bands_collect(ImgBands *bands, ImgImage *image, ImgError *err);

/* Frees `bands`, which may be NULL. Sets *report. The times of its passes do not include the time
 * in which the source decoded or read the rows. */
void img_bands_end(ImgBands *bands, ImgRunReport *report);

/* Returns true if a picture of shape `src` should be processed on a GPU together with its source
 * and sink. That is always so if CUDA was requested; `auto` compares costs as img_exec_run does. If
 * the function returns false, the steps alone may still run on a GPU. */
bool img_exec_takes_ends(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                         const ImgEndsCost *cost);

/* Returns host memory of `bytes` bytes for the file of the next picture. It is pinned before the
 * first run on a GPU, which then copies from it without the CPU. The memory is kept from picture to
 * picture and valid until the next call. Returns NULL if memory is short, or if no GPU would read
 * the memory. */
void *img_exec_file_memory(ImgExec *exec, size_t bytes);

/* Frees host buffers that are kept for the next picture, beginning with the buffer of the file,
 * until at most `most` bytes are left. Call it after a picture. */
void img_exec_trim(ImgExec *exec, uint64_t most);

/* Records how fast the CPU is. Call it after a picture for which img_exec_takes_ends returned
 * false. `seconds` is the time that the CPU took for the steps and for the work of source and sink,
 * all of which the GPU would have done; 0 if it is unknown. */
void img_exec_note_cpu(ImgExec *exec, double seconds);

/* Runs planned steps on a GPU, between a source and a sink. Call it after img_exec_takes_ends
 * returned true and so reserved a place on a shared device. If `ends` has no source, `image` is the
 * source; if it has no sink, `image` becomes the result. On failure `image` is unchanged and
 * nothing was written, except into the sink. So the caller can process the picture in another
 * way. */
ImgStatus img_exec_run_between(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                               ImgImage *image, ImgRunReport *report, ImgError *err);

/* Returns true if a picture may be processed in a group (img_exec_run_in_group): source, sink and
 * steps allow it, and the executor shares its device with others. */
bool img_exec_may_group(const ImgExec *exec, const ImgStep *steps, size_t count,
                        const ImgRunEnds *ends);

/* Does the same as img_exec_run_between for a picture for which img_exec_may_group returned true,
 * together with all pictures that wait for the device at the same time. Pictures that arrive while
 * the device is busy form the next group. If the status is IMG_E_MEMORY, the picture may still fit
 * alone. */
ImgStatus img_exec_run_in_group(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                                ImgRunReport *report, ImgError *err);

/* Pixels that are already in memory of the executor's device. Rows must be aligned as for CUDA
 * implementations (ImgCall). */
typedef struct ImgDeviceRun {
    ImgView from, to; /* source and result; `to` must have the shape of the result */
    /* device memory of the size that img_exec_queue_bytes returns, aligned to 256 bytes */
    void *workspace;
    void *stream; /* a cudaStream_t; the steps run in its order */
} ImgDeviceRun;

/* Sets *bytes to the device memory that planned steps need in addition to their two pictures.
 * Returns IMG_E_UNSUPPORTED for steps that measure the picture. */
ImgStatus img_exec_queue_bytes(ImgExec *exec, ImgStep *steps, size_t count, ImgShape src,
                               size_t *bytes, ImgError *err);

/* Queues planned steps on the stream and returns without waiting. The current device of the thread
 * stays the same. An earlier error of the CUDA runtime on this thread (cudaGetLastError) is
 * cleared. Fails in the same cases as img_exec_run and img_exec_queue_bytes. */
ImgStatus img_exec_queue(ImgExec *exec, ImgStep *steps, size_t count, const ImgDeviceRun *run,
                         ImgError *err);

typedef struct ImgRowsCopy {
    const void *from;
    void *to;
    size_t from_stride, to_stride, row_bytes, rows;
} ImgRowsCopy;

/* Makes `device` the current device of the thread. Sets *before to the previous current device, for
 * img_cuda_leave. */
ImgStatus img_cuda_enter(int device, int *before, ImgError *err);
void img_cuda_leave(int before);

/* Allocates device memory for img_exec_queue, aligned to 256 bytes. This function, img_cuda_free,
 * img_cuda_copy and img_cuda_wait leave the current device of the thread unchanged. */
ImgStatus img_cuda_allocate(int device, size_t bytes, void **memory, ImgError *err);
/* Frees device memory, after waiting until the device is idle. Does nothing for NULL. */
void img_cuda_free(int device, void *memory);
/* Copies rows between host memory and devices, in any direction, in the order of the stream. Waits
 * until they are copied. */
ImgStatus img_cuda_copy(int device, const ImgRowsCopy *copy, void *stream, ImgError *err);
ImgStatus img_cuda_wait(int device, void *stream, ImgError *err);

/* Streams (cudaStream_t) for programs without CUDA. A new stream does not wait for the default
 * stream. img_cuda_stream_destroy does not wait either: the stream ends when its work is done. */
ImgStatus img_cuda_stream_create(int device, void **stream, ImgError *err);
void img_cuda_stream_destroy(int device, void *stream);
/* Makes work that is queued on `stream` later wait for what is queued on `other` now. */
ImgStatus img_cuda_stream_follow(int device, void *stream, void *other, ImgError *err);

/* Properties of a CUDA device, for `imgtool devices`. */
typedef struct ImgDeviceInfo {
    int index;
    char name[256];
    int compute_major, compute_minor;
    int multiprocessors;
    uint64_t memory_bytes;
    int memory_khz;                      /* clock rate of the device memory in kHz */
    int driver_version, runtime_version; /* versions as CUDA numbers them: 13000 is 13.0 */
} ImgDeviceInfo;

/* Fills up to `capacity` entries and sets *count to the number of devices. Returns
 * IMG_E_UNAVAILABLE, with the reason, if this build has no CUDA or if the machine has no usable
 * driver. */
ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err);

/* Returns true if this build contains the CUDA backend. */
bool img_cuda_in_build(void);

#endif
