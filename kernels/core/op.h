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
    IMG_PARAM_COLOR,   /* "#ff0000", "red", "transparent"; stored as ImgRgba */
    IMG_PARAM_NUMBERS, /* "0.299,0.587,0.114"; stored as ImgNumbers */
    IMG_PARAM_SIZE,    /* "800x600", "800", "x600", "50%"; stored as ImgSize */
    IMG_PARAM_RATIO,   /* "16:9"; stored as ImgRatio */
    IMG_PARAM_FILE,    /* "look.cube"; stored as ImgFile */
} ImgParamType;

/* A colour of 16 bits per component with straight (not premultiplied) alpha. A component v of 8
 * bits is stored as v * 257. */
typedef struct ImgRgba {
    uint16_t red, green, blue, alpha;
} ImgRgba;

enum { IMG_NUMBERS_MAX = 25 };

typedef struct ImgNumbers {
    int32_t count;                   /* 0 only as a default */
    int32_t zero;                    /* explicit padding, because values are compared as bytes */
    int64_t values[IMG_NUMBERS_MAX]; /* in millionths; 0 past `count` */
} ImgNumbers;

/* A size. A value from a user sets `share` alone, or `width`, `height` or both. */
typedef struct ImgSize {
    int32_t width, height; /* in pixels; 0: not given */
    int32_t share;         /* of the picture's width and height, in thousandths of a per cent; 0:
                            * not given */
} ImgSize;

/* A ratio of a width to a height. */
typedef struct ImgRatio {
    int32_t width, height; /* in thousandths, above 0; both 0: not given */
} ImgRatio;

enum { IMG_PATH_SIZE = 1024 };

/* A file that an operation reads. The code that runs the steps loads it before and sets the content
 * with img_params_set_content. Copies of the parameters share the content. */
typedef struct ImgFile {
    const void *content;      /* borrowed result of ImgOp.read_file; NULL: not loaded */
    char path[IMG_PATH_SIZE]; /* as the user gave it; zeros after the end; "" only as a default */
} ImgFile;

/* The content of a file that is a picture. Palettes and transparent colours are expanded to
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
    const char *name; /* "angle": --angle 90 and angle=90; NULL ends the list */
    ImgParamType type;
    /* omitted when steps are printed as text, if it has its default value */
    bool is_detail;
    size_t offset; /* of the value in the parameter struct of the operation */
    /* as a user would type it; "" stands for none where numbers, sizes, ratios and files have no
     * default */
    const char *default_value;
    /* range, both ends included: of numbers; in thousandths for IMG_PARAM_DECIMAL; in millionths
     * for each of IMG_PARAM_NUMBERS; in pixels for a size */
    int64_t min, max;
    /* values of IMG_PARAM_CHOICE. Words that IMG_PARAM_INT, IMG_PARAM_DECIMAL and IMG_PARAM_COLOR
     * also accept, or NULL. NULL for other types. The word for a colour is stored with its value, 1
     * to 256, as red and with zeros elsewhere: no colour of 8 bits has that form. */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* further words that are accepted but not shown in help; or NULL */
    /* for IMG_PARAM_CHOICE: words that set a value by themselves, such as "only-shrink" for
     * only=shrink; or NULL. The name of the parameter may be a flag too, and may still take a
     * value. */
    const ImgChoice *flags;
    const char *help; /* one line, no full stop */
} ImgParam;

/* Facts from the file, other than pixels, that operations depend on. */
typedef struct ImgFacts {
    int orientation; /* EXIF orientation 1 to 8; 0: the file has none */
    /* transfer function of the samples: IMG_LIGHT_SRGB, or an exponent in 1/100000 from 100 to
     * 100000000: a sample is light to that power */
    int32_t light;
} ImgFacts;

/* Values of ImgFacts.light. Those below 0 are transfer functions that are not supported yet; their
 * numbers are code points of ITU-T H.273, negated. */
enum {
    IMG_LIGHT_SRGB = 0,
    IMG_LIGHT_LINEAR = 100000,
    IMG_LIGHT_BT709 = -1,
    IMG_LIGHT_PQ = -16,
    IMG_LIGHT_HLG = -18,
    IMG_LIGHT_UNKNOWN = -256,
    IMG_LIGHT_NARROW_RANGE = -257, /* samples that do not use their full range */
};

/* The effect of an operation on the picture as a whole. Metadata is updated by it. */
typedef struct ImgEffect {
    ImgTurn turn;
    bool cropped;            /* pixels were removed or added at the edges, or all pixels are new */
    double scale_x, scale_y; /* new pixels per old pixel, before the turn; 0 stands for 1 */
    bool upright;            /* the picture is now upright, so its orientation becomes 1 */
    bool reshaped;       /* width and height were scaled by different factors, beyond rounding */
    bool values_changed; /* samples have new values */
    bool looks_changed;  /* the new values show a different picture; set by img_op_effect */
    bool to_gray;        /* the source has colour and the result is gray */
    /* the source is gray and the result has colour; set by img_op_effect for all operations */
    bool to_color;
    bool depth_changed; /* samples have more or fewer bits; set by img_op_effect */
} ImgEffect;

typedef struct ImgOp ImgOp;
struct ImgPalette;
struct ImgPoints;

/* Data that implementations need besides the parameters: tables, weights, matrices. They are
 * computed once for all pictures of a format or of a shape, in integers, so that CPU and GPU agree.
 * The block contains no pointers, so it can be copied to a device as it is. Owned; start from
 * zeros. */
typedef struct ImgConstants {
    void *bytes; /* released with free(); NULL: none */
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

/* Waking threads takes longer than one thread needs to move this many bytes. */
enum { IMG_BYTES_WORTH_THREADS = 512 << 10 };

/* Returns the stride that the executor gives to rows on a device. */
size_t img_device_pitch(ImgShape shape);

typedef struct ImgCall {
    const ImgOp *op;
    ImgView src, dst;
    const void *params;
    ImgConstants constants;       /* borrowed result of ImgOp.prepare; zeros if there is none */
    const void *device_constants; /* CUDA: a copy of the constants, aligned to 256 bytes */
    int threads;                  /* CPU: at least 1 */
    ImgTeam *team;                /* CPU: team that provides the threads; may be NULL */
    void *stream;                 /* CUDA: a cudaStream_t; launches return without waiting */
    /* CUDA: device memory of the size that ImgImpl.workspace returned, with undefined content. The
     * executor has initialised its first 8 bytes at some time. */
    void *workspace;
} ImgCall;

typedef ImgStatus ImgRunFunction(const ImgCall *call, ImgError *err);

/* A CPU implementation that takes the rows of the source one after another, as from a decoder. The
 * source is then never in memory as a whole. */
typedef struct ImgByRows {
    /* Returns the approximate memory in bytes, besides source and result. */
    uint64_t (*bytes)(ImgShape src, const void *params);
    /* Starts a run. `call` is as for ImgImpl.run, but its source has no data. Everything that
     * `call` borrows must stay valid until `end`. The caller must call `end` on *state. Fails with
     * IMG_E_MEMORY. */
    ImgStatus (*begin)(const ImgCall *call, void **state, ImgError *err);
    /* Processes the next rows of the source, which begin with row `first`. They are read only
     * during the call. After the last row the result is complete. */
    void (*take)(void *state, const ImgView *rows, int32_t first);
    /* Releases the state. May be called before all rows have been taken. */
    void (*end)(void *state);
} ImgByRows;

typedef struct ImgImpl {
    const char *name; /* "cpu-avx2", "cuda-padded": words, never numbers; NULL ends the list */
    ImgBackend backend;
    ImgCpuLevel cpu_level; /* required level of the processor; IMG_CPU_PORTABLE for CUDA */
    const char *note;      /* how this variant differs, one line */
    ImgRunFunction *run;   /* NULL if this build does not contain it */
    /* Returns true if this variant supports these parameters. NULL: it supports everything that the
     * operation does. */
    bool (*applies)(const ImgOp *op, ImgShape src, const void *params);
    /* Returns the number of bytes of device memory that a CUDA implementation needs besides source
     * and destination. NULL: none. */
    size_t (*workspace)(const ImgOp *op, ImgShape src, const void *params);
    /* Row-by-row form of a CPU implementation. NULL: it needs the whole source. */
    const ImgByRows *by_rows;
} ImgImpl;

/* Groups of operations in the help, in its order. */
typedef enum ImgOpGroup {
    IMG_GROUP_NONE, /* measurements, which the help does not list */
    IMG_GROUP_GEOMETRY,
    IMG_GROUP_TONE,
    IMG_GROUP_FILTERS,
    IMG_GROUP_EDGES,
    IMG_GROUP_CHANNELS,
    IMG_GROUP_COUNT
} ImgOpGroup;

/* The functions below get parameters of `params_size` bytes that img_params_set has accepted.
 *
 * Operations return pictures. Measurements return a table of counts (IMG_COLOR_COUNTS), and are
 * run, checked and timed in the same way. */
struct ImgOp {
    const char *name; /* "rotate" */
    ImgOpGroup group;
    const char *synopsis; /* one line, starts with a verb, no full stop */
    const char *help;     /* for `help OP` and the manual; "\n\n" separates paragraphs */
    const char *example;  /* the options of an example command: "--angle 270" */
    const ImgParam *params;
    size_t params_size; /* at most IMG_PARAMS_SIZE */

    /* Shorthand after the name, such as "WxH+X+Y", that sets several parameters at once.
     * `set_shorthand` returns false if the text is not a shorthand. Both are NULL if there is none.
     * Call img_params_set_shorthand instead. */
    const char *shorthand;
    bool (*set_shorthand)(const ImgOp *op, const char *text, void *params);

    /* The defaults change nothing: a user must give at least one parameter. */
    bool needs_param;
    /* The operation works on channels. The caller expands palettes and transparent colours
     * (io/expand.h) before the first step. `shape` rejects palettes. */
    bool needs_channels;
    /* The file that the operation reads is a picture, and its content an ImgPicture. */
    bool reads_picture;
    /* Constants depend on the size of the picture, not only on its format. */
    bool constants_need_size;
    /* For an operation that works on channels: returns true if it also works on palette indices
     * with these parameters, and then on the transparent colours of the file. NULL: never. Call
     * img_op_needs_channels instead. */
    bool (*keeps_palette)(const void *params);
    /* For operations that copy indices but show a background. Finds the index of the background in
     * the palette (kernels/core/color/palette.h) and stores it in the parameters. A missing colour
     * is added to the palette. A background that cannot be seen beside a picture of shape `src` is
     * skipped; with an unknown size (0) it counts as visible. `palette` NULL removes the index.
     * Returns false if the palette is full. NULL: the operation has no background. Call
     * img_steps_bind_palette instead. */
    bool (*bind_palette)(void *params, ImgShape src, struct ImgPalette *palette);

    /* Completes parameters that depend on the file ("auto"). NULL: none depends on it. */
    void (*bind)(void *params, const ImgFacts *facts);
    /* Sets ImgFacts.light. It is separate from `bind`, which is for operations that cannot run
     * without a file. NULL: the operation does not depend on it. Without a call IMG_LIGHT_SRGB
     * holds. */
    void (*bind_light)(void *params, int32_t light);
    /* For an operation with a file: converts `size` bytes of text to the data that the
     * implementations need, a block without pointers. IMG_E_FORMAT names the line and the error.
     * NULL: the operation has no file. */
    ImgStatus (*read_file)(const char *text, size_t size, ImgConstants *content, ImgError *err);
    /* For an operation whose result size depends on pixels: a measurement with the same parameters.
     * The code that runs the steps applies it to the source first. NULL: there is none. */
    const ImgOp *measure;
    /* Completes the parameters from the table of `measure` for a picture of that shape. `table`
     * NULL resets them, and `shape` then returns the largest possible result. */
    void (*take_measured)(void *params, ImgShape src, const ImgView *table);
    /* Computes the shape of the result. It rejects everything that the operation does not support,
     * so limits are code. */
    ImgStatus (*shape)(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
    /* Returns the number of bytes that any implementation has to read and write, for GB/s. `src`
     * has passed `shape`. NULL: source and result once each. Call img_op_traffic instead. */
    uint64_t (*traffic)(ImgShape src, const void *params);
    /* Nanoseconds per byte of `traffic` that the fastest implementation takes on one CPU core.
     * `auto` compares it with the cost on a GPU. Measured with `checkkernels --bench --backend cpu
     * --threads 1` on one core of an AVX-512 server CPU: 12 megapixels, photo-like, mostly RGB of 8
     * bits (kernels/MEASUREMENTS.md). */
    double cpu_ns_per_byte;
    /* The same for a GPU (an H200), if it is limited by arithmetic. 0: it is limited by memory
     * bandwidth. */
    double cuda_ns_per_byte;
    /* Returns a factor for both costs, if they depend much on the parameters. NULL: 1. Call
     * img_op_cpu_seconds and img_op_cuda_seconds instead. */
    double (*cost_factor)(ImgShape src, const void *params);
    /* Returns the most host memory in bytes that CPU implementations need besides source and result
     * with `threads` threads. The reference does not count. Constants count unless constants_bytes
     * returns them. Needed only if the memory grows beyond some 100 KiB with picture, parameters or
     * threads, so that it is planned like the workspace of CUDA. NULL: none. Call img_op_scratch
     * instead. */
    uint64_t (*scratch)(ImgShape src, const void *params, int threads);
    /* Returns the rows of the source that the rows `wanted` of the result need. A picture of only
     * those rows gives the right result in the wanted rows, so a pipeline can process a picture
     * band by band. NULL: all rows, or for a point operation the same rows. Call img_op_rows_needed
     * instead. */
    ImgRows (*rows_needed)(ImgShape src, const void *params, ImgRows wanted);
    /* Returns true if the result equals the source byte for byte. The CPU then skips the copy.
     * NULL: never. */
    bool (*does_nothing)(ImgShape src, const void *params);
    /* Returns the effect. NULL: values change, and colour is lost if the result has none. Call
     * img_op_effect instead. */
    ImgEffect (*effect)(ImgShape src, const void *params);

    /* Returns true if the new values show the same picture, except for rounding. NULL: never. Call
     * img_op_effect instead. */
    bool (*looks_alike)(ImgShape src, const void *params);

    /* Computes the `constants` that all implementations get. Only the format of `src` counts,
     * unless constants_need_size. NULL: they need none. Call img_op_prepare instead. */
    ImgStatus (*prepare)(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
    /* Returns the number of bytes of the constants if they grow with the picture or with a file.
     * The constants of all steps of a run exist at the same time. NULL: they do not grow, or
     * `points` determines them (img_points_packed_bytes). Call img_op_constants_bytes instead. */
    uint64_t (*constants_bytes)(ImgShape src, const void *params);
    /* Adds the stages of a point operation (kernels/core/point/points.h). Neighbouring point
     * operations of a pipeline become one pass. NULL: not a point operation. Call only where
     * img_op_is_points. */
    ImgStatus (*points)(const void *params, struct ImgPoints *points, ImgError *err);
    /* Returns true if it is a point operation with these parameters. NULL: always. */
    bool (*is_points)(const void *params);

    /* impls[0] is the plain C reference. The others follow by backend, from slowest to fastest. */
    const ImgImpl *impls;
};

/* Parameters of any operation. Large enough and aligned for each of them. */
enum { IMG_PARAMS_SIZE = sizeof(ImgFile) + 2 * sizeof(ImgNumbers) };
typedef union ImgParams {
    max_align_t align;
    unsigned char bytes[IMG_PARAMS_SIZE];
} ImgParams;

/* One operation with its parameters: a step of a pipeline. */
typedef struct ImgStep {
    const ImgOp *op;
    /* the writer of the result removes private metadata, unless an option says otherwise */
    bool strips;
    ImgParams params;
    /* bytes of the contents of its files; and the peak of memory while they were read
     * (img_step_files_load) */
    uint64_t held, loading;
    /* bytes of the contents of its files; for pictures the bytes of the pixels */
    uint64_t content_bytes;
    uint32_t content_crc; /* CRC-32 of those contents; if both are equal, results are equal */
} ImgStep;

/* Implements ImgOp.shape where pixels are copied, whatever they stand for. Returns the shape of the
 * source; rejects tables of counts. */
ImgStatus img_pixels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape. Returns the shape of the source; rejects palettes and tables of
 * counts. */
ImgStatus img_channels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Implements ImgOp.shape where samples get new values. As img_channels_shape, but samples of fewer
 * than 8 bits become 8 bits, to make room for values in between. */
ImgStatus img_values_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* Returns IMG_E_USAGE if parameters contradict each other or one is missing, whatever the picture.
 * These are the errors that `shape` returns as IMG_E_USAGE. */
ImgStatus img_op_check_params(const ImgOp *op, const void *params, ImgError *err);

/* Returns true if the operation works on channels with these parameters. */
bool img_op_needs_channels(const ImgOp *op, const void *params);

/* Returns the estimated seconds on one CPU core. */
double img_op_cpu_seconds(const ImgOp *op, ImgShape src, const void *params);
/* Returns the estimated seconds of the kernels on a GPU: rough, and in favour of the CPU. */
double img_op_cuda_seconds(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_traffic(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);
uint64_t img_op_constants_bytes(const ImgOp *op, ImgShape src, const void *params);

/* Returns `threads`, or the largest smaller number that needs at most `bytes` of scratch memory. At
 * least 1. */
int img_op_threads_within(const ImgOp *op, ImgShape src, const void *params, int threads,
                          uint64_t bytes);

/* Returns how many of `threads` threads work when each takes bands of `rows` rows. It is 1 if
 * waking threads is not worth it. For ImgOp.scratch. */
int img_op_band_threads(ImgShape src, int64_t rows, int threads);
ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params);

/* Returns ImgOp.rows_needed with the first row rounded to a multiple of IMG_ROWS_STEP, so that
 * patterns that repeat with rows do not shift. */
enum { IMG_ROWS_STEP = 8 };
ImgRows img_op_rows_needed(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted);

/* Returns true if the operation changes each pixel by itself (ImgOp.points). */
bool img_op_is_points(const ImgOp *op, const void *params);

/* Computes the constants. The caller releases them with img_constants_free, which is harmless on
 * zeros. */
ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
void img_constants_free(ImgConstants *constants);

/* Function pointers that a build may lack. Their implementations stay in the table, so that help is
 * the same in every build and an error can say "not in this build". */
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
