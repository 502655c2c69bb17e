/* Implementations of operations. One operation has several, for different processors. All of them
 * compute the same bytes. */
#ifndef IMGTOOL_KERNELS_CORE_IMPL_H
#define IMGTOOL_KERNELS_CORE_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgBackend { IMG_BACKEND_AUTO, IMG_BACKEND_CPU, IMG_BACKEND_CUDA } ImgBackend;

typedef struct ImgOp ImgOp;

/* Data that implementations need besides the parameters: tables, weights, matrices. They are
 * computed once for all pictures of the same format, or of the same shape. Integer arithmetic makes
 * them equal on CPU and GPU. The block contains no pointers, so it can be copied to a device as it
 * is. The owner must initialise the struct with zeros. */
typedef struct ImgConstants {
    void *bytes; /* memory to release with free(); NULL if there are no constants */
    size_t size;
} ImgConstants;

/* Alignment of rows in device memory, in bytes. */
enum { IMG_DEVICE_ALIGNMENT = 16 };

/* Bytes that an operation must move before several threads pay off. Below that, waking threads
 * takes longer than the work on one thread. */
enum { IMG_BYTES_WORTH_THREADS = 512 << 10 };

/* Returns the distance in bytes between successive rows of a picture that the executor keeps in
 * device memory. */
size_t img_device_pitch(ImgShape shape);

/* One call of one implementation. For CPU implementations the views are host memory with any
 * stride. For CUDA implementations they are device memory, and rows start at multiples of
 * IMG_DEVICE_ALIGNMENT bytes. Kernels may read past the last row up to the next multiple, so that
 * they can load whole vectors, but never write there. Source and destination never overlap. `dst`
 * has the shape that ImgOp.shape returned. */
typedef struct ImgCall {
    const ImgOp *op;
    ImgView src, dst;
    const void *params;
    /* borrowed result of ImgOp.constants.prepare; zeros if the operation has no constants */
    ImgConstants constants;
    /* for CUDA: a copy of `constants` in device memory, aligned to 256 bytes */
    const void *device_constants;
    int threads;   /* for the CPU: number of threads, at least 1 */
    ImgTeam *team; /* for the CPU: team that provides the threads; NULL if there is none */
    /* for CUDA: a cudaStream_t; implementations launch kernels into it and return without
     * waiting */
    void *stream;
    /* For CUDA: device memory of the size that ImgImpl.workspace returned. Its content is
     * undefined. Only its first 8 bytes have been initialised, to 0, once, when it was allocated.
     */
    void *workspace;
} ImgCall;

typedef ImgStatus ImgRunFunction(const ImgCall *call, ImgError *err);

/* A CPU implementation that gets the rows of the source one after another, for example from a
 * decoder. The source is then never in memory as a whole. */
typedef struct ImgByRows {
    /* Returns the approximate memory of a run in bytes, without source and result. */
    uint64_t (*bytes)(ImgShape src, const void *params);
    /* Starts a run and sets *state. `call` is the same as for ImgImpl.run, but its source has no
     * data. Everything to which `call` points must stay valid until `end`. The caller must call
     * `end` with *state. Returns IMG_E_MEMORY when memory is short. */
    ImgStatus (*begin)(const ImgCall *call, void **state, ImgError *err);
    /* Processes the next rows of the source; `first` is the index of the first one in the source.
     * `rows` is read only during the call. After the last row of the source the result is
     * complete. */
    void (*take)(void *state, const ImgView *rows, int32_t first);
    /* Releases the state. May be called before `take` has processed all rows. */
    void (*end)(void *state);
} ImgByRows;

/* The form of a CPU implementation of an operation that measures its whole source before it
 * computes a pixel. It serves sources that can be read twice, and of which only some rows are in
 * memory. In the first pass, a measurement takes all rows. In the second pass, ImgImpl.run computes
 * some rows of the result from the same rows of the source. ImgCall.constants is then the result of
 * `constants`, or, if the operation has ImgOp.bands.part_constants, the part of it that these rows
 * need. */
typedef struct ImgTwoPasses {
    /* The measurement. The implementation of it that is fastest on the processor must have
     * ImgImpl.by_rows, because it gets the rows of the source one after another. */
    const ImgOp *measure;
    /* Sets `measured`, the parameters of the measurement, from `params`, the parameters of the
     * operation `op`. */
    void (*set_params)(const ImgOp *op, ImgFormat src, const void *params, void *measured);
    /* Computes the constants from the table of the measurement. */
    ImgStatus (*constants)(const ImgOp *op, ImgShape src, const void *params, const ImgView *table,
                           ImgConstants *constants, ImgError *err);
    /* Returns the peak memory in bytes of a call of `constants`, including the constants that it
     * returns. */
    uint64_t (*constants_bytes)(const ImgOp *op, ImgShape src, const void *params);
} ImgTwoPasses;

/* Largest number of calls of ImgManyRun: a grid has at most 65535 rows, and each call takes one. */
enum { IMG_MANY_MOST = 32768 };

/* Memory for the descriptions of the calls of ImgManyRun: pinned host memory and device memory,
 * both aligned to 256 bytes and of ImgManyRun.call_bytes for each call. They are in use until the
 * stream has finished. */
typedef struct ImgManyRoom {
    void *host, *device;
} ImgManyRoom;

/* The form of a CUDA implementation that processes many pictures with one or two launches, so that
 * small pictures fill a GPU. */
typedef struct ImgManyRun {
    size_t call_bytes; /* multiple of 16 */
    /* Does the same as ImgImpl.run for each call, of which there are at most IMG_MANY_MOST. All
     * calls have the same operation and stream; their shapes, parameters and constants may differ.
     * ImgCall.workspace is not used. */
    ImgStatus (*run)(const ImgCall *calls, size_t count, const ImgManyRoom *room, ImgError *err);
} ImgManyRun;

typedef struct ImgImpl {
    /* descriptive name such as "cpu-avx2" or "cuda-padded", never just a number; NULL ends the
     * list */
    const char *name;
    ImgBackend backend;
    ImgCpuLevel cpu_level; /* required level of the processor; IMG_CPU_PORTABLE for CUDA */
    const char *note;      /* difference from the other variants of the operation, in one line */
    ImgRunFunction *run;   /* the function; NULL if this build does not contain it */
    /* Returns true if this variant supports the parameters. NULL means that it supports all
     * parameters and formats of the operation. */
    bool (*applies)(const ImgOp *op, ImgShape src, const void *params);
    /* Returns the bytes of device memory that a CUDA implementation needs besides source and
     * destination. NULL means 0. */
    size_t (*workspace)(const ImgOp *op, ImgShape src, const void *params);
    /* The row-by-row form of a CPU implementation. NULL means that the implementation needs the
     * whole source. */
    const ImgByRows *by_rows;
    /* The form of a CPU implementation for a source that is read twice. NULL means that there is
     * none. Not used with parameters for which the operation is a point operation. */
    const ImgTwoPasses *two_passes;
    /* The form of a CUDA implementation for many pictures. NULL means that there is none. */
    const ImgManyRun *many;
} ImgImpl;

/* Pointers to implementations that a build may not contain; they are then NULL. The implementations
 * stay in the table, so that help is the same in every build and an error can say "not in this
 * build". */
#ifdef IMGTOOL_CUDA
#define IMG_CUDA_RUN(function) (function)
#else
#define IMG_CUDA_RUN(function) NULL
#endif
#ifdef IMGTOOL_X86
#define IMG_X86_RUN(function) (function)
#else
#define IMG_X86_RUN(function) NULL
#endif

/* An implementation for each level of processors: `name`, and on x86-64 `name`_avx2 and
 * `name`_avx512. IMG_CPU_RUNS declares the three functions. IMG_DEFINE_CPU_RUNS defines them: each
 * calls `run` with its call, with the variant of its level (core/parallel/cpu.h), and with its
 * error. IMG_X86_IMPLS lists the last two in a descriptor. */
#define IMG_CPU_RUNS(name) ImgRunFunction name, name##_avx2, name##_avx512

#define IMG_DEFINE_CPU_RUN(name, run, variant)                                                     \
    ImgStatus name(const ImgCall *call, ImgError *err)                                             \
    {                                                                                              \
        return run(call, variant, err);                                                            \
    }
#ifdef IMGTOOL_X86
#define IMG_DEFINE_CPU_RUNS(name, run, variant)                                                    \
    IMG_DEFINE_CPU_RUN(name, run, variant##_portable)                                              \
    IMG_DEFINE_CPU_RUN(name##_avx2, run, variant##_avx2)                                           \
    IMG_DEFINE_CPU_RUN(name##_avx512, run, variant##_avx512)
#else
#define IMG_DEFINE_CPU_RUNS(name, run, variant) IMG_DEFINE_CPU_RUN(name, run, variant##_portable)
#endif

#define IMG_X86_IMPLS(function)                                                                    \
    {.name = "cpu-avx2",                                                                           \
     .backend = IMG_BACKEND_CPU,                                                                   \
     .cpu_level = IMG_CPU_AVX2,                                                                    \
     .note = "as cpu, in vectors of 32 bytes",                                                     \
     .run = IMG_X86_RUN(function##_avx2)},                                                         \
    {                                                                                              \
        .name = "cpu-avx512", .backend = IMG_BACKEND_CPU, .cpu_level = IMG_CPU_AVX512,             \
        .note = "as cpu, in vectors of 64 bytes", .run = IMG_X86_RUN(function##_avx512)            \
    }

#ifdef __cplusplus
}
#endif
#endif
