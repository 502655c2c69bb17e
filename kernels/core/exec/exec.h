/* Running a series of steps on a backend: choice, memory, transfers, timing.
 *
 * On the CPU an image is replaced step by step, so no more than two are alive at a time. On a GPU
 * it is uploaded once, stays there between the steps, and is downloaded once. An explicit backend
 * never falls back to another. `auto` counts the cost: it starts a CUDA context in a thread of its
 * own only if the steps are worth one, and takes the CPU where the context is not ready in time.
 *
 * An ImgExec serves one thread at a time; it may be used for any number of images. */
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
    ImgTeam *team;    /* borrowed: where they come from; NULL: from a team of its own */
    struct ImgAsyncDevice *async_device; /* borrowed, of that device; NULL: this exec opens it */
} ImgExecConfig;

/* Each step may be measured for, in a pass of its own. */
enum { IMG_STEPS_MAX = 64, IMG_PASSES_MAX = 2 * IMG_STEPS_MAX };
enum { IMG_REASON_SIZE = 160, IMG_RUN_PARTS = 32 };

/* A part of what a source or a sink works on the device. */
typedef struct ImgRunPart {
    const char *name; /* static */
    bool of_sink;
    double seconds;
} ImgRunPart;

/* Where one run went. Times are seconds; what did not happen is 0. */
typedef struct ImgRunReport {
    ImgBackend backend;
    char reason[IMG_REASON_SIZE]; /* why this backend, for -v */
    char device[64];              /* name of the GPU, or "CPU, N threads, AVX2" */
    double init, upload, kernel, download;
    double taking;         /* of rows as they came: the first pass that did anything */
    double decode, encode; /* what a source and a sink work on the device */
    size_t part_count;     /* 0: not asked for */
    ImgRunPart parts[IMG_RUN_PARTS];
    size_t count; /* of passes */
    struct {
        const ImgImpl *impl;
        size_t first, steps; /* point operations that follow each other are one pass; 0: it
                              * measures for step `first` */
        bool by_rows;        /* it took rows as they came */
        bool skipped;        /* it had nothing to do (ImgOp.does_nothing) */
        double seconds;
    } passes[IMG_PASSES_MAX];
} ImgRunReport;

/* Asynchronous initialisation of a device: a thread opens it once for all ImgExecs that share it.
 * Until it is ready, those with backend `auto` stay on the CPU. Device memory is kept from run to
 * run: where it is wanting, those who ask for CUDA wait for the others, whose memory is given back,
 * and fail only if it is wanting when they are alone. */
typedef struct ImgAsyncDevice ImgAsyncDevice;

/* Opens nothing yet. */
ImgStatus img_async_device_create(int device, ImgAsyncDevice **async, ImgError *err);

/* From any thread, any number of times; the first begins. */
void img_async_device_start(ImgAsyncDevice *async);

/* Starts the initialisation if nobody has, and waits for it. Fails as the initialisation failed. */
ImgStatus img_async_device_wait(ImgAsyncDevice *async, ImgError *err);

/* Has a run failed on it that was not only out of memory? Then nobody uses it any more. The reason
 * goes to *message, which stays as it is. */
bool img_async_device_is_lost(ImgAsyncDevice *async, const char **message);

/* After all that use it. Waits if it is still being opened. Harmless on NULL. */
void img_async_device_destroy(ImgAsyncDevice *async);

/* Touches no device yet. IMG_E_UNAVAILABLE for a CUDA backend that this build does not have. */
ImgStatus img_exec_create(const ImgExecConfig *config, ImgExec **exec, ImgError *err);
/* CPU threads from now on, at least 1, of a team that is borrowed; NULL: of its own. */
void img_exec_set_threads(ImgExec *exec, ImgTeam *team, int threads);

/* What runs are held to. Sizes that only a run can tell (img_steps_measure) are, before anything is
 * made of them. */
typedef struct ImgExecLimits {
    uint64_t max_pixels;     /* of each result whose size was measured; 0: any */
    const char *more_pixels; /* what to do about it, for the end of the message; or NULL */
    uint64_t room_bytes;     /* as ImgRoom.bytes, of all runs; 0: any */
    uint64_t most_bytes;     /* the same where more turns out to be needed; 0: no more */
    /* On the thread that runs: a measurement has shown that the rest takes `bytes` at a time,
     * within most_bytes where it can be, with what there is already, and makes a picture of that
     * shape, or at most of that where another step measures. A failure ends the run. NULL: anything
     * may be. */
    ImgStatus (*admit)(void *context, ImgShape after, uint64_t bytes, ImgError *err);
    void *context;
} ImgExecLimits;

/* From now on; until then there are no limits. */
void img_exec_set_limits(ImgExec *exec, const ImgExecLimits *limits);

/* Asked between the passes of a run, on the thread that called, and after the last: `done` of
 * `total`, which grows where a step measures. A failure ends the run. `passed` NULL: nobody is. */
typedef struct ImgExecProgress {
    ImgStatus (*passed)(void *context, uint64_t done, uint64_t total, ImgError *err);
    void *context;
} ImgExecProgress;

/* Of runs from now on. */
void img_exec_set_progress(ImgExec *exec, ImgExecProgress progress);

/* What stands at the ends of a run on a GPU instead of an image in host memory; either may be NULL.
 */
typedef struct ImgRunEnds {
    const ImgDeviceEnd *source, *sink;
    ImgShape shape; /* of what the source gives */
    bool in_parts;  /* the report says what the parts of their work take; that costs a little */
} ImgRunEnds;

/* What the ends do, about: seconds on the CPU with as many threads, and on a GPU. */
typedef struct ImgEndsCost {
    double cpu, cuda;
} ImgEndsCost;

/* For whoever decides whether to open a device: would a GPU save more time than its context takes,
 * if about `pictures` of that shape are still to come, shared among `workers` threads? `ends` may
 * be NULL: pixels cross the bus. */
bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            const ImgEndsCost *ends, size_t pictures, int workers);

/* Waits for a context that is still being created: a thread inside the driver cannot be left alone.
 */
void img_exec_destroy(ImgExec *exec);

/* What a run may take: CPU threads, and bytes of host memory for two successive images and what is
 * worked with beside them. Where that is more, as each thread has its own, there are fewer threads,
 * down to one. */
typedef struct ImgRoom {
    int threads;
    uint64_t bytes;
} ImgRoom;

/* Binds the steps to the file's facts (in place) and runs every `shape`: the shape that comes out
 * and the most bytes of host memory that two successive images take together with what the CPU's
 * implementations take beside them, within `room` where it can be. Nothing is allocated;
 * a step that does not apply to this picture is found before any pixel is decoded. Where a step
 * measures, both are of the largest result that it may have. That is no more than a guess at what
 * steps after it make, and may be too little: an image that is narrower becomes a higher one of a
 * given width. One that does not apply to the largest may apply to the true one, and ends the plan.
 * ImgExecLimits holds runs to what is true. */
ImgStatus img_steps_plan(ImgStep *steps, size_t count, ImgShape src, const ImgFacts *facts,
                         ImgRoom room, ImgShape *dst, uint64_t *peak_bytes, ImgError *err);

/* Bytes of host memory that steps hold as long as they are there: contents of files. */
uint64_t img_steps_held(const ImgStep *steps, size_t count);

/* Does some step work on channels? Then `src` must be the shape of the expanded picture. */
bool img_steps_need_channels(const ImgStep *steps, size_t count);

/* Lets steps that have a background find it in the palette of the source, to which it is added.
 * True: all of them keep indices then. Else, or where `palette` is NULL as the source has none, no
 * step knows of a palette any more, and what was added to `palette` is of no use. */
bool img_steps_bind_palette(ImgStep *steps, size_t count, ImgShape src, struct ImgPalette *palette);

/* Does the size of the result depend on pixels? */
bool img_steps_measure(const ImgStep *steps, size_t count);

/* What all steps together do to the picture; where they measure, once they have been run. */
ImgEffect img_steps_effect(const ImgStep *steps, size_t count, ImgShape src);

/* Announces a run while the caller still reads or decodes: with a CUDA backend (or `auto`, where it
 * pays) the context is created meanwhile. `decode_seconds` is a guess at how long that takes. */
void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds);

/* Runs planned steps; `image` is replaced by the result, and freed on failure. Steps that measure
 * are completed in place. `report` may be NULL. IMG_E_UNAVAILABLE if the backend or implementation
 * asked for is unavailable. */
ImgStatus img_exec_run(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err);

/* The same where pixels are the caller's: `from` is only read. Where `to` has pixels, which do not
 * overlap `from`, the result goes there, and `to` gets its size: that of the plan, or of a step
 * that measures less than that. Else `result` becomes it. On failure `to` is as it was, but for its
 * pixels, and `result` IMG_IMAGE_NONE. */
ImgStatus img_exec_run_view(ImgExec *exec, ImgStep *steps, size_t count, const ImgView *from,
                            ImgView *to, ImgImage *result, ImgRunReport *report, ImgError *err);

/* Who has the pixels of a picture and gives them row by row, once, from the first to the last. */
typedef struct ImgRowSource {
    ImgShape shape;
    ImgStatus (*give)(void *context, const ImgRowSink *sink, ImgError *err);
    void *context;
} ImgRowSource;

/* Does the first of planned steps that does anything take rows as they come (ImgImpl.by_rows), by
 * the implementation of that name, or by the CPU's fastest where it is NULL? Then *peak_bytes is
 * the most that is alive at a time beside the source, within `room` where it can be. */
bool img_steps_take_rows(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                         ImgRoom room, uint64_t *peak_bytes);

/* Runs such steps on the CPU. `image` becomes the result; on failure, which may be the source's, it
 * is IMG_IMAGE_NONE. In the report `taking` is what the source waited for, not in `kernel`. */
ImgStatus img_exec_run_rows(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                            ImgImage *image, ImgRunReport *report, ImgError *err);

/* Shall a picture of that shape go through a GPU, ends and all? So it does where CUDA was asked
 * for; `auto` weighs it as img_exec_run does. Where not, the steps may still run there. */
bool img_exec_takes_ends(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                         const ImgEndsCost *cost);

/* For the file of the next picture, before it is read: `bytes` of memory from which a GPU takes it
 * by itself, kept from picture to picture, and valid until the next call. NULL: none, or none that
 * would be better than any other. */
void *img_exec_file_memory(ImgExec *exec, size_t bytes);

/* Once a picture is done with: of the host memory that is kept for the next one no more than so
 * many bytes; else none. */
void img_exec_trim(ImgExec *exec, uint64_t most);

/* Where img_exec_takes_ends said no, once the picture is done with: what the CPU took for all that
 * the GPU would have done; 0: not known. */
void img_exec_note_cpu(ImgExec *exec, double seconds);

/* To be called once img_exec_takes_ends has said so: a place on a shared device is kept for it.
 * Runs planned steps on a GPU, between these ends. `image` is the source where `ends` has none, and
 * becomes the result where there is no sink. On failure it is as it was, and another way is open to
 * the caller: nothing was written but what the sink has. */
ImgStatus img_exec_run_between(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                               ImgImage *image, ImgRunReport *report, ImgError *err);

/* Pixels that are memory of the executor's device already: rows of both as ImgCall has them. */
typedef struct ImgDeviceRun {
    ImgView from, to; /* `to` has the shape of the result */
    void *workspace;  /* of as many bytes as img_exec_queue_bytes says, aligned to 256 */
    void *stream;     /* a cudaStream_t */
} ImgDeviceRun;

/* What planned steps take beside their two pictures. IMG_E_UNSUPPORTED for those that measure. */
ImgStatus img_exec_queue_bytes(ImgExec *exec, ImgStep *steps, size_t count, ImgShape src,
                               size_t *bytes, ImgError *err);

/* Puts planned steps into the stream and returns without waiting for it; the thread's current
 * device stays what it was. An error of the CUDA runtime that the caller has left on the thread
 * (cudaGetLastError) is gone then. Fails as img_exec_run does, and as the function above. */
ImgStatus img_exec_queue(ImgExec *exec, ImgStep *steps, size_t count, const ImgDeviceRun *run,
                         ImgError *err);

typedef struct ImgRowsCopy {
    const void *from;
    void *to;
    size_t from_stride, to_stride, row_bytes, rows;
} ImgRowsCopy;

/* Memory of a device for runs as these, aligned to 256 bytes. The thread's current device stays
 * what it was, here and below. */
ImgStatus img_cuda_allocate(int device, size_t bytes, void **memory, ImgError *err);
/* Waits for what the device is doing. Harmless on NULL. */
void img_cuda_free(int device, void *memory);
/* Rows between host memory and devices, in any direction, after what the stream has before. Waits
 * until they are there. */
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
 * the reason, where this build has no CUDA or the machine no usable driver. */
ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err);

/* Was the CUDA backend compiled in? */
bool img_cuda_in_build(void);

#endif
