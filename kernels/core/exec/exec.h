/* Runs a series of steps on a backend: choice of the backend, memory, transfers, timing.
 *
 * On the CPU every step replaces the image, so at most two images are allocated at once. On a GPU
 * the image is uploaded once, stays there between the steps, and is downloaded once. An explicitly
 * requested backend never falls back to another. `auto` compares costs: it creates a CUDA context
 * in a background thread only if the steps are worth one, and uses the CPU if the context is not
 * ready in time.
 *
 * An ImgExec serves one thread at a time; it can be used for any number of images. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_EXEC_H
#define IMGTOOL_KERNELS_CORE_EXEC_EXEC_H

#include "kernels/core/cuda/device_end.h"
#include "kernels/core/op.h"
#include "kernels/core/row_sink.h"

typedef struct ImgExec ImgExec;

typedef struct ImgExecConfig {
    ImgBackend backend;
    const char *impl; /* an implementation's name, for every step; NULL: the fastest. Borrowed */
    int device;       /* CUDA device number */
    int threads;      /* CPU threads, at least 1 */
    ImgTeam *team;    /* borrowed: provides the threads; NULL: the executor creates its own */
    struct ImgAsyncDevice *async_device; /* borrowed, for `device`; NULL: opens one of its own */
} ImgExecConfig;

/* A step may need an extra pass that measures the picture, so there can be two passes per step. */
enum { IMG_STEPS_MAX = 64, IMG_PASSES_MAX = 2 * IMG_STEPS_MAX };
enum { IMG_REASON_SIZE = 160, IMG_RUN_PARTS = 32 };

/* Time of one part of the work that a source or a sink does on the device. */
typedef struct ImgRunPart {
    const char *name; /* static */
    bool of_sink;
    double seconds;
} ImgRunPart;

/* Backend, device and times of one run. Times are seconds; 0 for phases that did not happen. */
typedef struct ImgRunReport {
    ImgBackend backend;
    char reason[IMG_REASON_SIZE]; /* why this backend, for -v */
    char device[64];              /* name of the GPU, or "CPU, N threads, AVX2" */
    double init, upload, kernel, download;
    double taking;         /* the first active pass, if it took rows as they arrived */
    double decode, encode; /* work of the source and of the sink on the device */
    size_t part_count;     /* 0: not requested */
    ImgRunPart parts[IMG_RUN_PARTS];
    size_t count; /* passes of the run */
    struct {
        const ImgImpl *impl;
        size_t first, steps; /* adjacent point operations are one pass; 0: the pass measures for
                                step `first` */
        bool by_rows;        /* it took rows as they arrived */
        bool skipped;        /* it would not have changed the picture (ImgOp.does_nothing) */
        double seconds;
    } passes[IMG_PASSES_MAX];
} ImgRunReport;

/* Asynchronous initialisation of a device, shared by several ImgExecs: a background thread opens it
 * once. Until it is ready, executors with backend `auto` stay on the CPU. Device memory is kept
 * from run to run. If a run on CUDA (not `auto`) lacks device memory, it waits until no other run
 * uses the device, frees their memory, and tries again; it fails only if memory is short even then.
 */
typedef struct ImgAsyncDevice ImgAsyncDevice;

/* Does not open the device yet. */
ImgStatus img_async_device_create(int device, ImgAsyncDevice **async, ImgError *err);

/* Starts the initialisation. Can be called from any thread and more than once; only the first call
 * has an effect. */
void img_async_device_start(ImgAsyncDevice *async);

/* Starts the initialisation if necessary, and waits until it ends. Fails with the error of the
 * initialisation. */
ImgStatus img_async_device_wait(ImgAsyncDevice *async, ImgError *err);

/* True if a run failed on the device for another reason than lack of memory; the device is not used
 * any more. *message is the reason, valid as long as `async`. */
bool img_async_device_is_lost(ImgAsyncDevice *async, const char **message);

/* Call it after the last executor that uses `async` has ended. Waits if the device is still being
 * opened. NULL has no effect. */
void img_async_device_destroy(ImgAsyncDevice *async);

/* Does not open a device. IMG_E_UNAVAILABLE for a CUDA backend that this build does not have. */
ImgStatus img_exec_create(const ImgExecConfig *config, ImgExec **exec, ImgError *err);
/* Sets the number of CPU threads, at least 1. `team` is borrowed and provides them; NULL: the
 * executor creates its own. */
void img_exec_set_threads(ImgExec *exec, ImgTeam *team, int threads);

/* Limits of a run. Sizes that depend on a measurement (img_steps_measure) are checked during the
 * run, before anything of that size is allocated. */
typedef struct ImgExecLimits {
    uint64_t max_pixels;     /* of each result whose size was measured; 0: no limit */
    const char *more_pixels; /* advice for the end of the error message, or NULL */
    uint64_t room_bytes;     /* as ImgRoom.bytes, for all runs; 0: no limit */
    uint64_t
        most_bytes; /* the limit if a measurement shows that more is needed; 0: as room_bytes */
    /* Called on the thread that runs the steps, after each measurement. The remaining steps need
     * `bytes` of host memory at their peak, constants and pictures included; with fewer threads
     * that stays within most_bytes where possible. The result has the shape `after`, or is at most
     * as large if a later step measures too. A failure ends the run. NULL: no check. */
    ImgStatus (*admit)(void *context, ImgShape after, uint64_t bytes, ImgError *err);
    void *context;
} ImgExecLimits;

/* Sets the limits of all later runs. At first there are none. */
void img_exec_set_limits(ImgExec *exec, const ImgExecLimits *limits);

/* Called before each pass of a run and after the last one, on the thread that started the run.
 * `done` of `total` passes are complete; `total` grows after a measurement. A failure ends the run.
 * `passed` NULL: no calls. */
typedef struct ImgExecProgress {
    ImgStatus (*passed)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
} ImgExecProgress;

/* Sets the callback for all later runs. */
void img_exec_set_progress(ImgExec *exec, ImgExecProgress progress);

/* Source and sink of a run on a GPU that work on device memory, instead of an image in host memory.
 * Either may be NULL. */
typedef struct ImgRunEnds {
    const ImgDeviceEnd *source, *sink;
    ImgShape shape; /* shape of the source's picture */
    bool in_parts;  /* the report gets the times of their parts, at a small cost */
} ImgRunEnds;

/* Estimated seconds for the work of source and sink: on the CPU with the run's threads, and on a
 * GPU. */
typedef struct ImgEndsCost {
    double cpu, cuda;
} ImgEndsCost;

/* Decides whether opening a device pays: whether a GPU would save more time than its context takes
 * to create. About `pictures` of that shape are still to come, shared among `workers` threads.
 * `ends` NULL: pixels are copied from and to host memory. */
bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            const ImgEndsCost *ends, size_t pictures, int workers);

/* Waits for a context that is still being created, as a thread inside the driver cannot be
 * cancelled. */
void img_exec_destroy(ImgExec *exec);

/* Limits of a run: CPU threads, and bytes of host memory for two successive images and the scratch
 * memory beside them. Each thread has scratch memory of its own, so fewer threads are used, down to
 * one, to stay within `bytes`. */
typedef struct ImgRoom {
    int threads;
    uint64_t bytes;
} ImgRoom;

/* Binds the steps to the facts of the file (in place) and calls `shape` of every step. *dst is the
 * shape of the result. *peak_bytes is the peak of host memory: two successive images and the
 * scratch memory of the CPU implementations, within `room` where possible. No picture is needed, so
 * a step that does not apply to this picture fails before any pixel is decoded.
 *
 * If a step measures the picture, both results are for the largest picture that it may produce.
 * They are then only estimates for the steps after it, and may be too small: scaled to a given
 * width, a narrower image becomes taller. A later step that does not apply to the largest picture
 * may apply to the real one, so it ends the plan without an error. ImgExecLimits checks the real
 * sizes during the run. */
ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgRoom room, ImgShape *dst, uint64_t *peak_bytes, ImgError *err);

/* Bytes of host memory that the steps hold during their lifetime: contents of files. */
uint64_t img_steps_held(const ImgStep *steps, size_t count);

/* True if some step works on channels. If so, `src` must be the shape of the picture without
 * palette. */
bool img_steps_need_channels(const ImgStep *steps, size_t count);

/* Lets steps that have a background colour find it in the palette of the source, or add it there.
 * Returns true if all steps can work on palette indices. Otherwise, or if `palette` is NULL as the
 * source has none, no step uses a palette, and colours added to `palette` must be ignored. */
bool img_steps_bind_palette(ImgStep *steps, size_t count, ImgShape src, struct ImgPalette *palette);

/* True if some step measures the picture: the size of its result depends on pixels. */
bool img_steps_measure(const ImgStep *steps, size_t count);

/* The combined effect of all steps on the picture. If steps measure, call it after the run. */
ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src);

/* Announces a run while the caller still reads or decodes. The CUDA context is created meanwhile,
 * if CUDA was requested or if it pays under `auto`. `decode_seconds` estimates how long the caller
 * still needs. */
void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds);

/* Runs planned steps; `image` is replaced by the result, and freed on failure. Steps that measure
 * are completed in place. `report` may be NULL. IMG_E_UNAVAILABLE if the requested backend or
 * implementation is unavailable. */
ImgStatus img_exec_run(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err);

/* As img_exec_run, on pixels of the caller. `from` is only read. If `to` has pixels, which must not
 * overlap `from`, the result is written there and `to` gets its size: that of the plan, or less
 * after a step that measures. Otherwise `result` gets it. On failure `to` is unchanged except for
 * its pixels, and `result` is IMG_IMAGE_NONE. */
ImgStatus img_exec_run_view(ImgExec *exec, ImgStep *steps, size_t count, const ImgView *from,
                            ImgView *to, ImgImage *result, ImgRunReport *report, ImgError *err);

/* A picture that is delivered row by row, once, from the first row to the last. */
typedef struct ImgRowSource {
    ImgShape shape;
    ImgStatus (*give)(void *context, const ImgRowSink *sink, ImgError *err);
    void *context;
} ImgRowSource;

/* True if the first of the planned steps that changes the picture can take rows as they arrive
 * (ImgImpl.by_rows). `impl` names its implementation; NULL: the CPU's fastest. If so, *peak_bytes
 * is the peak of memory beside the source, within `room` where possible. */
bool img_steps_take_rows(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                         ImgRoom room, uint64_t *peak_bytes);

/* Runs such steps on the CPU. `image` becomes the result, or IMG_IMAGE_NONE if the steps or the
 * source fail. In the report `taking` is the time that the source waited for the first pass;
 * `kernel` does not contain it. */
ImgStatus img_exec_run_rows(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                            ImgImage *image, ImgRunReport *report, ImgError *err);

/* True if a picture of that shape should go through a GPU together with its source and sink. Always
 * so if CUDA was requested; `auto` compares costs as img_exec_run does. If not, the steps alone may
 * still run on a GPU. */
bool img_exec_takes_ends(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                         const ImgEndsCost *cost);

/* Memory of `bytes` for the file of the next picture, from which a GPU can copy by itself. It is
 * kept from picture to picture and valid until the next call. NULL: no such memory, or no GPU that
 * would use it. */
void *img_exec_file_memory(ImgExec *exec, size_t bytes);

/* Call it after a picture: frees the host memory that is kept for the next one if that is more than
 * `most` bytes. */
void img_exec_trim(ImgExec *exec, uint64_t most);

/* Call it after a picture for which img_exec_takes_ends returned false. `seconds` is the time that
 * the CPU needed for everything that the GPU would have done; 0: unknown. */
void img_exec_note_cpu(ImgExec *exec, double seconds);

/* Runs planned steps on a GPU, between a source and a sink. Call it after img_exec_takes_ends
 * returned true, which has reserved a place on a shared device. `image` is the source if `ends` has
 * none, and becomes the result if there is no sink. On failure it is unchanged and nothing was
 * written, except into the sink, so the caller can process the picture in another way. */
ImgStatus img_exec_run_between(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                               ImgImage *image, ImgRunReport *report, ImgError *err);

/* Pixels that already are in memory of the executor's device; rows as ImgCall describes them. */
typedef struct ImgDeviceRun {
    ImgView from, to; /* `to` has the shape of the result */
    void *workspace;  /* img_exec_queue_bytes bytes, aligned to 256 */
    void *stream;     /* a cudaStream_t */
} ImgDeviceRun;

/* Bytes of workspace that planned steps need beside their two pictures. IMG_E_UNSUPPORTED for steps
 * that measure. */
ImgStatus img_exec_queue_bytes(ImgExec *exec, ImgStep *steps, size_t count, ImgShape src,
                               size_t *bytes, ImgError *err);

/* Queues planned steps on the stream and returns without waiting; the current device of the thread
 * stays the same. An earlier error of the CUDA runtime on this thread (cudaGetLastError) is
 * cleared. Fails as img_exec_run and img_exec_queue_bytes do. */
ImgStatus img_exec_queue(ImgExec *exec, ImgStep *steps, size_t count, const ImgDeviceRun *run,
                         ImgError *err);

typedef struct ImgRowsCopy {
    const void *from;
    void *to;
    size_t from_stride, to_stride, row_bytes, rows;
} ImgRowsCopy;

/* Allocates device memory for img_exec_queue, aligned to 256 bytes. The current device of the
 * thread stays the same, here and below. */
ImgStatus img_cuda_allocate(int device, size_t bytes, void **memory, ImgError *err);
/* Waits until the device is idle. NULL has no effect. */
void img_cuda_free(int device, void *memory);
/* Copies rows between host memory and devices, in any direction, in the order of the stream. Waits
 * until they are copied. */
ImgStatus img_cuda_copy(int device, const ImgRowsCopy *copy, void *stream, ImgError *err);
ImgStatus img_cuda_wait(int device, void *stream, ImgError *err);

/* CUDA devices, for `imgtool devices`. */
typedef struct ImgDeviceInfo {
    int index;
    char name[256];
    int compute_major, compute_minor;
    int multiprocessors;
    uint64_t memory_bytes;
    int memory_khz;                      /* clock of the memory */
    int driver_version, runtime_version; /* CUDA's numbers: 13000 is 13.0 */
} ImgDeviceInfo;

/* Fills up to `capacity` entries and sets *count to the number of devices. IMG_E_UNAVAILABLE, with
 * the reason, if this build has no CUDA or the machine no usable driver. */
ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err);

/* True if the CUDA backend was compiled in. */
bool img_cuda_in_build(void);

#endif
