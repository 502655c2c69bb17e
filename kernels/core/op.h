/* The operation table: one descriptor per operation. It drives parsing, help, documentation,
 * completion, pipelines, tests and benchmarks. The options, ranges, defaults, help and variants of
 * an operation are defined only here. */
#ifndef IMGTOOL_KERNELS_CORE_OP_H
#define IMGTOOL_KERNELS_CORE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/cpu.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/status.h"
#include "kernels/core/turn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgBackend { IMG_BACKEND_AUTO, IMG_BACKEND_CPU, IMG_BACKEND_CUDA } ImgBackend;

typedef enum ImgParamType {
    IMG_PARAM_INT,     /* stored as int32_t */
    IMG_PARAM_DECIMAL, /* up to three decimal places; stored as int32_t, in thousandths */
    IMG_PARAM_CHOICE,  /* stored as int32_t, the value of the choice */
    IMG_PARAM_COLOR,   /* such as "#ff0000", "red" or "transparent"; stored as ImgRgba */
    IMG_PARAM_NUMBERS, /* such as "0.299,0.587,0.114"; stored as ImgNumbers */
    IMG_PARAM_SIZE,    /* such as "800x600", "800", "x600" or "50%"; stored as ImgSize */
    IMG_PARAM_RATIO,   /* such as "16:9"; stored as ImgRatio */
    IMG_PARAM_FILE,    /* such as "look.cube"; stored as ImgFile */
} ImgParamType;

/* A colour of 16 bits per component, with straight (not premultiplied) alpha. An 8-bit component v
 * is stored as v * 257. */
typedef struct ImgRgba {
    uint16_t red, green, blue, alpha;
} ImgRgba;

enum { IMG_NUMBERS_MAX = 25 };

typedef struct ImgNumbers {
    int32_t count;                   /* number of values; 0 only in a default */
    int32_t zero;                    /* explicit padding, because values are compared as bytes */
    int64_t values[IMG_NUMBERS_MAX]; /* the numbers, in millionths; unused ones are 0 */
} ImgNumbers;

/* A size. A value from a user sets only `share`, or `width`, `height` or both. */
typedef struct ImgSize {
    int32_t width, height; /* size in pixels; 0 if not given */
    /* part of the picture's width and height, in thousandths of a per cent; 0 if not given */
    int32_t share;
} ImgSize;

/* A ratio of a width to a height. */
typedef struct ImgRatio {
    /* the two parts of the ratio, in thousandths, above 0; both are 0 if not given */
    int32_t width, height;
} ImgRatio;

enum { IMG_PATH_SIZE = 1024 };

/* A file that an operation reads. The code that runs the steps loads it first and sets the content
 * with img_params_set_content. Copies of the parameters share the content. */
typedef struct ImgFile {
    const void *content; /* borrowed result of ImgOp.read_file; NULL if not loaded yet */
    /* path as the user gave it, followed by zeros; "" only in a default */
    char path[IMG_PATH_SIZE];
} ImgFile;

/* The content of a file that is a picture. Palettes and transparent colours are converted to
 * channels. Pixels follow without gaps. */
typedef struct ImgPicture {
    ImgShape shape;
    uint8_t pixels[];
} ImgPicture;

typedef struct ImgChoice {
    const char *name; /* NULL ends the list */
    int32_t value;
} ImgChoice;

typedef struct ImgParam {
    const char *name; /* such as "angle", for --angle 90 and angle=90; NULL ends the list */
    ImgParamType type;
    /* when steps are printed as text, leave it out if it has its default value */
    bool is_detail;
    size_t offset; /* offset of the value in the parameter struct of the operation */
    /* default as a user would type it; "" means none, for numbers, sizes, ratios and files without
     * a default */
    const char *default_value;
    /* Range, including both ends: of an integer; in thousandths for IMG_PARAM_DECIMAL; in
     * millionths for each number of IMG_PARAM_NUMBERS; in pixels for a size. */
    int64_t min, max;
    /* Values of IMG_PARAM_CHOICE. For IMG_PARAM_INT, IMG_PARAM_DECIMAL and IMG_PARAM_COLOR, words
     * that are also accepted, or NULL. NULL for other types. A word for a colour has a value from 1
     * to 256, which is stored as red, with zeros for the other components. No 8-bit colour is
     * stored in that form. */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* more words that are accepted but not shown in help, or NULL */
    /* For IMG_PARAM_CHOICE: words that set a value without the parameter's name, such as
     * "only-shrink" for only=shrink; or NULL. The name of the parameter may be a flag too, and may
     * still take a value. */
    const ImgChoice *flags;
    const char *help; /* one line, without a full stop */
} ImgParam;

/* Facts from the file, other than pixels, that operations depend on. */
typedef struct ImgFacts {
    int orientation; /* EXIF orientation, 1 to 8; 0 if the file has none */
    /* Transfer function of the samples: IMG_LIGHT_SRGB or an exponent. The light of a sample is its
     * value to the power of the exponent, which is in 1/100000, from 100 to 100000000. */
    int32_t light;
} ImgFacts;

/* Values of ImgFacts.light. Negative values are transfer functions that are not supported yet:
 * negated code points of ITU-T H.273. */
enum {
    IMG_LIGHT_SRGB = 0,
    IMG_LIGHT_LINEAR = 100000,
    IMG_LIGHT_BT709 = -1,
    IMG_LIGHT_PQ = -16,
    IMG_LIGHT_HLG = -18,
    IMG_LIGHT_UNKNOWN = -256,
    IMG_LIGHT_NARROW_RANGE = -257, /* samples that do not use their full range */
};

/* The effect of an operation on the picture as a whole. It determines how metadata is updated. */
typedef struct ImgEffect {
    ImgTurn turn;
    bool cropped;            /* pixels were removed or added at the edges, or all pixels are new */
    double scale_x, scale_y; /* new pixels per old pixel, before the turn; 0 stands for 1 */
    bool upright;            /* the picture is now upright, so its orientation becomes 1 */
    bool reshaped;       /* width and height were scaled by different factors, beyond rounding */
    bool values_changed; /* samples have new values */
    bool looks_changed;  /* the new values show a different picture; img_op_effect sets this */
    bool to_gray;        /* the source has colour and the result is gray */
    /* the source is gray and the result has colour; img_op_effect sets this for all operations */
    bool to_color;
    bool depth_changed; /* samples have more or fewer bits; img_op_effect sets this */
} ImgEffect;

typedef struct ImgOp ImgOp;
struct ImgPalette;
struct ImgPoints;

/* Data that implementations need besides the parameters: tables, weights, matrices. They are
 * computed once for all pictures of a format or of a shape. They are computed in integers, so that
 * CPU and GPU agree. The block contains no pointers, so it can be copied to a device as it is. The
 * owner must initialise the struct with zeros. */
typedef struct ImgConstants {
    void *bytes; /* released with free(); NULL if there are none */
    size_t size;
} ImgConstants;

/* A range of rows of a picture; `end` is not included. */
typedef struct ImgRows {
    int32_t first, end;
} ImgRows;

/* One call of one implementation. For CPU implementations the views are host memory with any
 * stride. For CUDA implementations they are device memory, and rows start at multiples of
 * IMG_DEVICE_ALIGNMENT bytes. Memory after the last row is readable, but never written, up to such
 * a multiple, so that kernels can read whole vectors. Source and destination never overlap. `dst`
 * has the shape that ImgOp.shape returned. */
enum { IMG_DEVICE_ALIGNMENT = 16 };

/* Bytes to move from which several threads pay off. For fewer bytes, waking threads takes longer
 * than one thread needs. */
enum { IMG_BYTES_WORTH_THREADS = 512 << 10 };

/* Returns the stride that the executor uses for rows in device memory. */
size_t img_device_pitch(ImgShape shape);

typedef struct ImgCall {
    const ImgOp *op;
    ImgView src, dst;
    const void *params;
    /* borrowed result of ImgOp.prepare; zeros if the operation has no constants */
    ImgConstants constants;
    /* for CUDA: a copy of the constants in device memory, aligned to 256 bytes */
    const void *device_constants;
    int threads;   /* for the CPU: number of threads, at least 1 */
    ImgTeam *team; /* for the CPU: team that provides the threads; may be NULL */
    void *stream;  /* for CUDA: a cudaStream_t; launches return without waiting */
    /* For CUDA: device memory of the size that ImgImpl.workspace returned. Its content is
     * undefined, but the executor has initialised its first 8 bytes at some time. */
    void *workspace;
} ImgCall;

typedef ImgStatus ImgRunFunction(const ImgCall *call, ImgError *err);

/* A CPU implementation that takes the rows of the source one after another, as from a decoder. The
 * source is then never in memory as a whole. */
typedef struct ImgByRows {
    /* Returns the approximate memory in bytes, besides source and result. */
    uint64_t (*bytes)(ImgShape src, const void *params);
    /* Starts a run. `call` is the same as for ImgImpl.run, but its source has no data. Everything
     * that `call` borrows must stay valid until `end`. The caller must call `end` on *state.
     * Returns IMG_E_MEMORY when memory is short. */
    ImgStatus (*begin)(const ImgCall *call, void **state, ImgError *err);
    /* Processes the next rows of the source, which begin with row `first`. They are read only
     * during the call. After the last row the result is complete. */
    void (*take)(void *state, const ImgView *rows, int32_t first);
    /* Releases the state. May be called before all rows have been taken. */
    void (*end)(void *state);
} ImgByRows;

typedef struct ImgImpl {
    /* such as "cpu-avx2" or "cuda-padded": words, never numbers; NULL ends the list */
    const char *name;
    ImgBackend backend;
    ImgCpuLevel cpu_level; /* required level of the processor; IMG_CPU_PORTABLE for CUDA */
    const char *note;      /* difference from the other variants, in one line */
    ImgRunFunction *run;   /* NULL if this build does not contain it */
    /* Returns true if this variant supports these parameters. NULL means that it supports
     * everything that the operation does. */
    bool (*applies)(const ImgOp *op, ImgShape src, const void *params);
    /* Returns the bytes of device memory that a CUDA implementation needs besides source and
     * destination. NULL means none. */
    size_t (*workspace)(const ImgOp *op, ImgShape src, const void *params);
    /* The row-by-row form of a CPU implementation. NULL means that it needs the whole source. */
    const ImgByRows *by_rows;
} ImgImpl;

/* Groups of operations in the help, in this order. */
typedef enum ImgOpGroup {
    IMG_GROUP_NONE, /* measurements, which the help does not list */
    IMG_GROUP_GEOMETRY,
    IMG_GROUP_TONE,
    IMG_GROUP_FILTERS,
    IMG_GROUP_EDGES,
    IMG_GROUP_CHANNELS,
    IMG_GROUP_COUNT
} ImgOpGroup;

/* An operation or a measurement. The functions below get parameters of `params_size` bytes that
 * img_params_set has accepted.
 *
 * Operations return pictures. Measurements return a table of counts (IMG_COLOR_COUNTS), and are
 * run, checked and timed in the same way. */
struct ImgOp {
    const char *name; /* such as "rotate" */
    ImgOpGroup group;
    const char *synopsis; /* one line that starts with a verb, without a full stop */
    const char *help;     /* text for `help OP` and the manual; "\n\n" separates paragraphs */
    const char *example;  /* options of an example command, such as "--angle 270" */
    const ImgParam *params;
    size_t params_size; /* bytes of the parameter struct, at most IMG_PARAMS_SIZE */

    /* Form of a shorthand after the name, such as "WxH+X+Y", that sets several parameters at once.
     * `set_shorthand` returns false if the text is not a shorthand. Both are NULL if there is none.
     * Call img_params_set_shorthand instead. */
    const char *shorthand;
    bool (*set_shorthand)(const ImgOp *op, const char *text, void *params);

    /* The defaults change nothing, so a user must give at least one parameter. */
    bool needs_param;
    /* The operation works on channels. The caller converts palettes and transparent colours to
     * channels (io/expand.h) before the first step. `shape` rejects palettes. */
    bool needs_channels;
    /* The file that the operation reads is a picture, and its content is an ImgPicture. */
    bool reads_picture;
    /* Constants depend on the size of the picture, not only on its format. */
    bool constants_need_size;
    /* For an operation that works on channels: returns true if, with these parameters, it can also
     * work on palette indices, and so on pictures with the transparent colours of a file. NULL
     * means never. Call img_op_needs_channels instead. */
    bool (*keeps_palette)(const void *params);
    /* For operations that copy indices but show a background. Finds the index of the background in
     * the palette (kernels/core/color/palette.h) and stores it in the parameters. If no entry has
     * the colour, one is added. If a picture of shape `src` leaves no part of the background
     * visible, nothing is done; with an unknown size (0) it counts as visible. If `palette` is
     * NULL, the index is removed. Returns false if the palette is full. NULL means that the
     * operation has no background. Call img_steps_bind_palette instead. */
    bool (*bind_palette)(void *params, ImgShape src, struct ImgPalette *palette);

    /* Completes parameters that depend on the file ("auto"). NULL means that none does. */
    void (*bind)(void *params, const ImgFacts *facts);
    /* Sets ImgFacts.light in the parameters. It is separate from `bind`, which is for operations
     * that cannot run without a file. NULL means that the operation does not depend on it. Without
     * a call the value is IMG_LIGHT_SRGB. */
    void (*bind_light)(void *params, int32_t light);
    /* For an operation with a file: converts `size` bytes of text to the data that the
     * implementations need, a block without pointers. Returns IMG_E_FORMAT if the text is wrong;
     * the message names the line and the mistake. NULL means that the operation has no file. */
    ImgStatus (*read_file)(const char *text, size_t size, ImgConstants *content, ImgError *err);
    /* For an operation whose result size depends on pixels: a measurement with the same parameters,
     * which the code that runs the steps applies to the source first. NULL means that there is
     * none. */
    const ImgOp *measure;
    /* Completes the parameters from the table of `measure` for a picture of that shape. If `table`
     * is NULL, resets them; then `shape` returns the largest possible result. */
    void (*take_measured)(void *params, ImgShape src, const ImgView *table);
    /* Computes the shape of the result. It rejects everything that the operation does not support.
     * So all limits are in this function. */
    ImgStatus (*shape)(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
    /* Returns the number of bytes that any implementation must read and write; benchmarks compute
     * GB/s from it. `shape` must have accepted `src`. NULL means source and result once each. Call
     * img_op_traffic instead. */
    uint64_t (*traffic)(ImgShape src, const void *params);
    /* Nanoseconds per byte of `traffic` that the fastest implementation takes on one CPU core.
     * `auto` compares it with the cost on a GPU. Measured with `checkkernels --bench --backend cpu
     * --threads 1` on one core of an AVX-512 server CPU: 12 megapixels, photo-like, mostly RGB of 8
     * bits (kernels/MEASUREMENTS.md). */
    double cpu_ns_per_byte;
    /* The same for a GPU (an H200), if the operation is limited by arithmetic. 0 means that it is
     * limited by memory bandwidth. */
    double cuda_ns_per_byte;
    /* Returns a factor for both costs, if they depend much on the parameters. NULL means 1. Call
     * img_op_cpu_seconds and img_op_cuda_seconds instead. */
    double (*cost_factor)(ImgShape src, const void *params);
    /* Returns the most host memory, in bytes, that CPU implementations need besides source and
     * result with `threads` threads. The reference does not count. Constants count, unless
     * constants_bytes returns them. The function is needed only if the memory grows beyond some 100
     * KiB with picture, parameters or threads; it is then planned like the workspace of CUDA. NULL
     * means none. Call img_op_scratch instead. */
    uint64_t (*scratch)(ImgShape src, const void *params, int threads);
    /* Returns the rows of the source that the rows `wanted` of the result need. A picture of only
     * those rows gives the correct result in the wanted rows, so a pipeline can process a picture
     * band by band. NULL means all rows, or for a point operation the same rows. Call
     * img_op_rows_needed instead. */
    ImgRows (*rows_needed)(ImgShape src, const void *params, ImgRows wanted);
    /* Returns true if the result equals the source byte for byte. The CPU then skips the copy. NULL
     * means never. */
    bool (*does_nothing)(ImgShape src, const void *params);
    /* Returns the effect. NULL means that values change, and that colour is lost if the result has
     * none. Call img_op_effect instead. */
    ImgEffect (*effect)(ImgShape src, const void *params);

    /* Returns true if the new values show the same picture, except for rounding. NULL means never.
     * Call img_op_effect instead. */
    bool (*looks_alike)(ImgShape src, const void *params);

    /* Computes the `constants` for all implementations. They depend only on the format of `src`,
     * unless constants_need_size. NULL means that there are none. Call img_op_prepare instead. */
    ImgStatus (*prepare)(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
    /* Returns the bytes of the constants if they grow with the picture or with a file. The
     * constants of all steps of a run exist at the same time. NULL means that they do not grow, or
     * that `points` determines them (img_points_packed_bytes). Call img_op_constants_bytes
     * instead. */
    uint64_t (*constants_bytes)(ImgShape src, const void *params);
    /* Adds the stages of a point operation (kernels/core/point/points.h). Neighbouring point
     * operations of a pipeline become one pass. NULL means that this is not a point operation. Call
     * it only if img_op_is_points returns true. */
    ImgStatus (*points)(const void *params, struct ImgPoints *points, ImgError *err);
    /* Returns true if this is a point operation with these parameters. NULL means always. */
    bool (*is_points)(const void *params);

    /* impls[0] is the plain C reference. The others follow by backend, from slowest to fastest. */
    const ImgImpl *impls;
};

/* Parameters of any operation, large enough and aligned for each of them. */
enum { IMG_PARAMS_SIZE = sizeof(ImgFile) + 2 * sizeof(ImgNumbers) };
typedef union ImgParams {
    max_align_t align;
    unsigned char bytes[IMG_PARAMS_SIZE];
} ImgParams;

/* One operation with its parameters: a step of a pipeline. */
typedef struct ImgStep {
    const ImgOp *op;
    /* true if the writer of the result must remove private metadata, unless an option says
     * otherwise */
    bool strips;
    ImgParams params;
    /* bytes of the contents of its files; peak of memory while these were read
     * (img_step_files_load) */
    uint64_t held, loading;
    /* bytes of the contents of its files; for a picture, the bytes of its pixels */
    uint64_t content_bytes;
    /* CRC-32 of these contents; if both numbers are equal, results are equal */
    uint32_t content_crc;
} ImgStep;

/* Implements ImgOp.shape for operations that copy pixels without interpreting them. Returns the
 * shape of the source; rejects tables of counts. */
ImgStatus img_pixels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape. Returns the shape of the source; rejects palettes and tables of
 * counts. */
ImgStatus img_channels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape for operations that give samples new values. Does the same as
 * img_channels_shape, but samples of fewer than 8 bits become 8 bits, to make room for values in
 * between. */
ImgStatus img_values_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Returns IMG_E_USAGE if parameters contradict each other or one is missing, for any picture. These
 * are the errors for which `shape` returns IMG_E_USAGE. */
ImgStatus img_op_check_params(const ImgOp *op, const void *params, ImgError *err);

/* Returns true if the operation works on channels with these parameters. */
bool img_op_needs_channels(const ImgOp *op, const void *params);

/* Returns the estimated seconds on one CPU core. */
double img_op_cpu_seconds(const ImgOp *op, ImgShape src, const void *params);
/* Returns the estimated seconds of the kernels on a GPU. The estimate is rough, and in favour of
 * the CPU. */
double img_op_cuda_seconds(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_traffic(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);
uint64_t img_op_constants_bytes(const ImgOp *op, ImgShape src, const void *params);

/* Returns the largest number of threads, at most `threads`, whose scratch memory is at most
 * `bytes`; at least 1. */
int img_op_threads_within(const ImgOp *op, ImgShape src, const void *params, int threads,
                          uint64_t bytes);

/* Returns how many of `threads` threads have work if each takes bands of `rows` rows. Returns 1 if
 * waking threads does not pay. For ImgOp.scratch. */
int img_op_band_threads(ImgShape src, int64_t rows, int threads);
ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params);

/* Returns ImgOp.rows_needed, with the first row rounded down to a multiple of IMG_ROWS_STEP. So
 * patterns that repeat with rows do not shift. */
enum { IMG_ROWS_STEP = 8 };
ImgRows img_op_rows_needed(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted);

/* Returns true if the operation changes each pixel by itself (ImgOp.points). */
bool img_op_is_points(const ImgOp *op, const void *params);

/* Computes the constants. The caller releases them with img_constants_free, which does nothing for
 * zeros. */
ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
void img_constants_free(ImgConstants *constants);

/* Function pointers of implementations that a build may not contain. The implementations stay in
 * the table, so that help is the same in every build and an error can say "not in this build". */
#ifdef IMGTOOL_CUDA
#define IMG_CUDA_RUN(function) (function)
#else
#define IMG_CUDA_RUN(function) NULL
#endif
#ifdef IMGTOOL_NEON
#define IMG_NEON_RUN(function) (function)
#else
#define IMG_NEON_RUN(function) NULL
#endif
#ifdef IMGTOOL_X86
#define IMG_X86_RUN(function) (function)
#else
#define IMG_X86_RUN(function) NULL
#endif

#ifdef __cplusplus
}
#endif
#endif
