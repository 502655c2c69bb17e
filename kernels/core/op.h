/* The operation table, with one descriptor per operation. It drives parsing, help, documentation,
 * completion, pipelines, tests and benchmarks. The options, ranges, defaults, help and variants of
 * an operation are defined only in its descriptor. */
#ifndef IMGTOOL_KERNELS_CORE_OP_H
#define IMGTOOL_KERNELS_CORE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"
#include "kernels/core/impl.h"
#include "kernels/core/param_types.h"
#include "kernels/core/part.h"
#include "kernels/core/status.h"
#include "kernels/core/turn.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ImgPalette;
struct ImgPoints;

/* Properties of a file, besides its pixels, on which operations depend. */
typedef struct ImgFacts {
    int orientation; /* EXIF orientation, 1 to 8; 0 if the file has none */
    /* Transfer function of the samples: a value IMG_LIGHT_... or a positive exponent in units of
     * 1/100000, from 100 to 100000000. The light of a sample is its value to the power of the
     * exponent. */
    int32_t light;
} ImgFacts;

/* Special values of ImgFacts.light. IMG_LIGHT_LINEAR is the exponent 1. Negative values are
 * transfer functions that are not supported yet. The values for BT.709, PQ and HLG are negated code
 * points of ITU-T H.273. */
enum {
    IMG_LIGHT_SRGB = 0,
    IMG_LIGHT_LINEAR = 100000,
    IMG_LIGHT_BT709 = -1,
    IMG_LIGHT_PQ = -16,
    IMG_LIGHT_HLG = -18,
    IMG_LIGHT_UNKNOWN = -256,
    /* samples in the narrow range of video: black is above 0, and white below the largest sample */
    IMG_LIGHT_NARROW_RANGE = -257,
};

/* The effect of an operation on the picture as a whole. It determines how the metadata of the file
 * is updated. */
typedef struct ImgEffect {
    ImgTurn turn;
    bool cropped; /* pixels were removed or added at the edges, or all pixels are new */
    /* result pixels per source pixel along each axis of the source, before `turn`; 0 means 1 */
    double scale_x, scale_y;
    bool upright;        /* the picture is now upright, so its EXIF orientation becomes 1 */
    bool reshaped;       /* width and height were scaled by different factors, beyond rounding */
    bool values_changed; /* samples have new values */
    bool looks_changed;  /* the new samples show a different picture; img_op_effect sets this */
    bool to_gray;        /* the source has colour and the result is gray */
    /* the source is gray and the result has colour; img_op_effect sets this for all operations */
    bool to_color;
    bool depth_changed; /* samples have more or fewer bits; img_op_effect sets this */
} ImgEffect;

/* Groups of operations, in the order in which the help lists them. */
typedef enum ImgOpGroup {
    IMG_GROUP_NONE, /* measurements, which the help does not list */
    IMG_GROUP_GEOMETRY,
    IMG_GROUP_TONE,
    IMG_GROUP_FILTERS,
    IMG_GROUP_EDGES,
    IMG_GROUP_CHANNELS,
    IMG_GROUP_COUNT
} ImgOpGroup;

/* --- Groups of members of ImgOp --------------------------------------------------------------- */

/* Each of the following structs is for operations with one special property. For all other
 * operations its members are zero. */

/* A short form of several parameters, which follows the name of the operation. */
typedef struct ImgOpShorthand {
    const char *form; /* form that help shows, such as "WxH+X+Y"; NULL if there is no shorthand */
    /* Sets the parameters. Returns false if `text` is not a shorthand. Call
     * img_params_set_shorthand instead. */
    bool (*set)(const ImgOp *op, const char *text, void *params);
} ImgOpShorthand;

/* Parameters that depend on properties of the source file. */
typedef struct ImgOpFacts {
    /* Completes parameters that depend on properties of the file ("auto"). NULL means that no
     * parameter does. */
    void (*bind)(void *params, const ImgFacts *facts);
    /* Stores ImgFacts.light in the parameters. Before the call, they contain IMG_LIGHT_SRGB. This
     * is not done by `bind`, because operations with `bind` cannot run without a file. NULL means
     * that the operation does not depend on the transfer function. */
    void (*bind_light)(void *params, int32_t light);
} ImgOpFacts;

/* Pictures with a palette. By default an operation works on channels: the caller converts palettes
 * and transparent colours to channels (io/expand.h) before the first step. */
typedef struct ImgOpPalette {
    /* Returns true if, with these parameters, the operation works on palette indices, and `shape`
     * accepts palettes. It then also accepts pictures whose transparent colours (PNG's tRNS) have
     * not been converted to alpha. img_keeps_palette always returns true. NULL means never. Call
     * img_op_needs_channels instead. */
    bool (*keeps)(const void *params);
    /* For operations that copy palette indices but show a background. Finds the index of the
     * background in the palette (kernels/core/color/palette.h), or adds its colour, and stores the
     * index in the parameters. Does nothing if the background is not visible in a picture of shape
     * `src`; it counts as visible if the size is unknown (0). If `palette` is NULL, removes the
     * index. Returns false if the palette is full. NULL means that the operation has no background.
     * Call img_steps_bind_palette instead. */
    bool (*bind)(void *params, ImgShape src, struct ImgPalette *palette);
    /* For operations that make a palette. Selects the form of the result: palette indices, or, if
     * `as_colors`, the colours of the palette as channels. NULL means that the operation makes no
     * palette. Call img_steps_choose_form instead. */
    void (*choose)(void *params, bool as_colors);
    /* Copies the palette that the operation has made, after its measurement (ImgOpMeasured), to
     * *palette. Returns false if the result consists of channels. Set if `choose` is. Call
     * img_steps_palette instead. */
    bool (*get)(const void *params, struct ImgPalette *palette);
} ImgOpPalette;

/* The file that an operation reads. One of the two members is set if the operation has a parameter
 * of type IMG_PARAM_FILE. */
typedef struct ImgOpFile {
    /* Converts the `size` bytes of `text` to a block without pointers, for the implementations.
     * Returns IMG_E_FORMAT if the text is invalid; the message names the line and the mistake. */
    ImgStatus (*read)(const char *text, size_t size, ImgConstants *content, ImgError *err);
    bool is_picture; /* true if the file is a picture; its content is an ImgPicture */
} ImgOpFile;

/* A measurement that runs before the operation, because the size of the result depends on pixels.
 */
typedef struct ImgOpMeasured {
    /* The measurement, which has the same parameters. The code that runs the steps applies it to
     * the source first. NULL means that there is none. */
    const ImgOp *by;
    /* Completes the parameters from the table of the measurement for a picture of shape `src`. If
     * `table` is NULL, resets the parameters that a table sets; `shape` then returns the largest
     * possible result. */
    void (*take)(void *params, ImgShape src, const ImgView *table);
} ImgOpMeasured;

/* Stages of a point operation, which changes each pixel independently. Adjacent point operations of
 * a pipeline become one pass. */
typedef struct ImgOpPoints {
    /* Adds the stages (kernels/point/points.h) to `points`. NULL means that the operation is not a
     * point operation. Call it only if img_op_is_points returns true. */
    ImgStatus (*stages)(const void *params, struct ImgPoints *points, ImgError *err);
    /* Returns true if the operation is a point operation with these parameters. NULL means
     * always. */
    bool (*applies)(const void *params);
} ImgOpPoints;

/* Time and memory of the operation, for plans and for the choice between CPU and GPU. */
typedef struct ImgOpCost {
    /* Nanoseconds per byte of `traffic` that the fastest implementation takes on one CPU core. The
     * backend `auto` compares this with the cost on a GPU. Measured with `checkkernels --bench
     * --backend cpu --threads 1` on one core of an AVX-512 server CPU: 12 megapixels, photo-like,
     * mostly RGB of 8 bits (kernels/MEASUREMENTS.md). */
    double cpu_ns_per_byte;
    /* Nanoseconds per byte of `traffic` on a GPU (H200), if the operation is limited by arithmetic.
     * 0 means that it is limited by memory bandwidth. */
    double cuda_ns_per_byte;
    /* Returns a factor for the CPU cost and the GPU cost, if they depend much on the parameters.
     * NULL means 1. Call img_op_cpu_seconds and img_op_cuda_seconds instead. */
    double (*factor)(ImgShape src, const void *params);
    /* Returns the number of bytes that any implementation must read and write; benchmarks compute
     * GB/s from it. `shape` must accept `src`. NULL means the bytes of source and result, once
     * each. Call img_op_traffic instead. */
    uint64_t (*traffic)(ImgShape src, const void *params);
    /* Returns the most host memory, in bytes, that CPU implementations need besides source and
     * result with `threads` threads. Memory of the reference implementation does not count.
     * Constants count, unless ImgOp.constants.bytes returns them. Needed only if this memory can
     * exceed some 100 KiB, depending on picture, parameters or threads. NULL means 0. Call
     * img_op_scratch instead. */
    uint64_t (*scratch)(ImgShape src, const void *params, int threads);
} ImgOpCost;

/* The effect on the picture as a whole, which determines how the metadata of the file is updated.
 */
typedef struct ImgOpEffect {
    /* Returns the effect. NULL means that values change, and that colour is lost if the result is
     * gray. Call img_op_effect instead. */
    ImgEffect (*get)(ImgShape src, const void *params);
    /* Returns true if the result shows the same picture as the source, except for rounding. NULL
     * means never. Call img_op_effect instead. */
    bool (*looks_alike)(ImgShape src, const void *params);
    /* Returns true if the result equals the source byte for byte. The CPU then skips the copy. NULL
     * means never. */
    bool (*does_nothing)(ImgShape src, const void *params);
} ImgOpEffect;

/* Constants: tables, weights and matrices that all implementations read (ImgCall.constants). */
typedef struct ImgOpConstants {
    /* Computes the constants. They depend only on the parameters and on the format of `src`, unless
     * `need_size`. NULL means that the operation has none. Call img_op_prepare instead. */
    ImgStatus (*prepare)(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
    /* Returns the bytes of the constants if they grow with the picture or with a file. Memory plans
     * need the number, because the constants of all steps of a run exist at the same time. NULL
     * means that they do not grow, or that the stages of a point operation determine them
     * (img_points_packed_bytes). Call img_op_constants_bytes instead. */
    uint64_t (*bytes)(ImgShape src, const void *params);
    bool need_size; /* true if the constants depend on the size of the picture too */
} ImgOpConstants;

/* --- The descriptor --------------------------------------------------------------------------- */

/* Descriptor of an operation or a measurement. Its functions get parameters of `params_size` bytes
 * that img_params_set has accepted.
 *
 * Operations return pictures. Measurements return a table of counts (IMG_COLOR_COUNTS), but are
 * run, checked and timed in the same way.
 *
 * Every operation has a name, texts, parameters, a shape, a cost and implementations. All other
 * groups are optional. */
struct ImgOp {
    const char *name; /* name such as "rotate" */
    ImgOpGroup group;
    const char *synopsis; /* one line that starts with a verb, without a full stop */
    const char *help;     /* text for `help OP` and the manual; "\n\n" separates paragraphs */
    const char *example;  /* options of an example command, such as "--angle 270" */
    const ImgParam *params;
    size_t params_size; /* bytes of the parameter struct, at most IMG_PARAMS_SIZE */
    /* True if a user must give at least one parameter, because the operation changes nothing with
     * its defaults. */
    bool needs_param;
    ImgOpShorthand shorthand;
    /* Computes the shape of the result. Rejects everything that the operation does not support, so
     * all limits of the operation are in this function. */
    ImgStatus (*shape)(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
    ImgOpFacts facts;
    ImgOpPalette palette;
    ImgOpFile file;
    ImgOpMeasured measured;
    ImgOpPoints points;
    ImgOpCost cost;
    ImgOpEffect effect;
    ImgOpConstants constants;
    ImgOpBands bands;
    /* List of the implementations. impls[0] is the plain C reference. The others follow by backend,
     * from slowest to fastest. */
    const ImgImpl *impls;
};

/* One operation with its parameters: a step of a pipeline. */
typedef struct ImgStep {
    const ImgOp *op;
    /* true if private metadata must be removed when the result is written, unless an option keeps
     * it */
    bool strips;
    ImgParams params;
    /* bytes that the loaded files of this step occupy; peak memory in bytes while they were read */
    uint64_t held, loading;
    /* total size of the files' contents in bytes; for a picture, the bytes of its pixels */
    uint64_t content_bytes;
    /* CRC-32 of the files' contents; if also content_bytes is equal, two steps give equal
     * results */
    uint32_t content_crc;
} ImgStep;

/* Implements ImgOp.shape for operations that copy pixels without interpreting them. *dst becomes
 * the shape of the source; tables of counts are rejected. */
ImgStatus img_pixels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape for operations that work on channels. *dst becomes the shape of the
 * source; palettes and tables of counts are rejected. */
ImgStatus img_channels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape for operations that give samples new values. Works like
 * img_channels_shape, but samples of fewer than 8 bits become 8 bits, because the new values need
 * the finer steps. */
ImgStatus img_values_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Returns IMG_E_USAGE if parameters contradict each other or a required one is missing. ImgOp.shape
 * returns IMG_E_USAGE only for these mistakes, which do not depend on the picture. */
ImgStatus img_op_check_params(const ImgOp *op, const void *params, ImgError *err);

/* Implements ImgOp.palette.keeps for operations that copy pixels without interpreting them. Returns
 * true. */
bool img_keeps_palette(const void *params);

/* Returns true if, with these parameters, the operation works on channels and rejects palettes. */
bool img_op_needs_channels(const ImgOp *op, const void *params);

/* Returns the estimated seconds of the operation on one CPU core. */
double img_op_cpu_seconds(const ImgOp *op, ImgShape src, const void *params);
/* Returns the estimated seconds of the operation's kernels on a GPU. The estimate is rough and
 * favours the CPU. */
double img_op_cuda_seconds(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_traffic(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);
uint64_t img_op_constants_bytes(const ImgOp *op, ImgShape src, const void *params);

/* Returns the largest number of threads, from 1 to `threads`, with which the operation needs at
 * most `bytes` bytes of scratch memory. Returns 1 if even one thread needs more. */
int img_op_threads_within(const ImgOp *op, ImgShape src, const void *params, int threads,
                          uint64_t bytes);

/* Returns how many of `threads` threads get work if `rows` rows are divided among them. Returns 1
 * if the picture is too small for several threads. Used by implementations of ImgOp.cost.scratch.
 */
int img_op_band_threads(ImgShape src, int64_t rows, int threads);
ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params);

/* Returns true if, with these parameters, the operation changes each pixel independently
 * (ImgOpPoints). */
bool img_op_is_points(const ImgOp *op, const void *params);

/* Computes the constants of the operation. The caller releases them with img_constants_free, which
 * does nothing for zeros. */
ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
void img_constants_free(ImgConstants *constants);

/* Sets *constants to a copy of `size` bytes. Used by implementations of ImgOp.constants.prepare. */
ImgStatus img_constants_copy(const void *bytes, size_t size, ImgConstants *constants,
                             ImgError *err);

/* --- Functions that the descriptors of all measurements share --------------------------------- */

/* Computes the shape of a table of `width` x `height` counts. Returns IMG_E_UNSUPPORTED, with
 * `name` of the measurement in the message, if `src` is itself such a table. */
ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err);

/* Returns the bytes that a measurement reads: the bytes of all pixels. The table that it writes is
 * too small to count. */
uint64_t img_measure_traffic(ImgShape src, const void *params);

/* Returns an empty effect, because a measurement returns a table and not a picture. */
ImgEffect img_measure_effect(ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
