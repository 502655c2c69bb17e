/* The operation table, with one descriptor per operation. It drives parsing, help, documentation,
 * completion, pipelines, tests and benchmarks. The options, ranges, defaults, help and variants of
 * an operation are defined only in its descriptor. */
#ifndef IMGTOOL_KERNELS_CORE_OP_H
#define IMGTOOL_KERNELS_CORE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/status.h"
#include "kernels/core/turn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgBackend { IMG_BACKEND_AUTO, IMG_BACKEND_CPU, IMG_BACKEND_CUDA } ImgBackend;

typedef enum ImgParamType {
    IMG_PARAM_INT, /* integer; stored as int32_t */
    /* number with up to three decimal places; stored as int32_t, in thousandths */
    IMG_PARAM_DECIMAL,
    IMG_PARAM_CHOICE,  /* one of a list of words; stored as int32_t, the value of that ImgChoice */
    IMG_PARAM_COLOR,   /* colour such as "#ff0000", "red" or "transparent"; stored as ImgRgba */
    IMG_PARAM_NUMBERS, /* list of numbers such as "0.299,0.587,0.114"; stored as ImgNumbers */
    IMG_PARAM_SIZE,    /* size such as "800x600", "800", "x600" or "50%"; stored as ImgSize */
    IMG_PARAM_RATIO,   /* ratio such as "16:9"; stored as ImgRatio */
    IMG_PARAM_FILE,    /* path of a file such as "look.cube"; stored as ImgFile */
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

/* A size from a user: either `share`, or `width`, `height` or both. */
typedef struct ImgSize {
    int32_t width, height; /* size in pixels; 0 if not given */
    /* fraction of the picture's width and height, in thousandths of a per cent; 0 if not given */
    int32_t share;
} ImgSize;

/* A ratio of a width to a height. */
typedef struct ImgRatio {
    /* the two sides of the ratio, in thousandths, at least 1; both are 0 if not given */
    int32_t width, height;
} ImgRatio;

enum { IMG_PATH_SIZE = 1024 };

/* A file that an operation reads. The code that runs the steps loads the file first and sets
 * `content` with img_params_set_content. Copies of the parameters share the content. */
typedef struct ImgFile {
    const void *content; /* borrowed result of ImgOp.read_file; NULL if not loaded yet */
    /* path as the user typed it, followed by zeros; "" only in a default */
    char path[IMG_PATH_SIZE];
} ImgFile;

/* The content (ImgFile.content) of a file that is a picture. Palettes and transparent colours have
 * been converted to colour and alpha channels. The pixels have no gaps between rows. */
typedef struct ImgPicture {
    ImgShape shape;
    uint8_t pixels[];
} ImgPicture;

typedef struct ImgChoice {
    const char *name; /* the word that a user types; NULL ends the list */
    int32_t value;
} ImgChoice;

typedef struct ImgParam {
    const char *name; /* name such as "angle", for --angle 90 and angle=90; NULL ends the list */
    ImgParamType type;
    /* true: when a step is written as text, the parameter is left out if it has its default value
     */
    bool is_detail;
    /* For IMG_PARAM_SIZE: true if ImgOp.shape rejects a percentage. Help and messages then offer
     * only pixels. */
    bool in_pixels;
    size_t offset; /* offset of the value in the parameter struct of the operation */
    /* default as a user would type it; for a list of numbers, a size, a ratio or a file, "" means
     * that there is no default */
    const char *default_value;
    /* Smallest and largest value. Units: 1 for IMG_PARAM_INT, thousandths for IMG_PARAM_DECIMAL,
     * millionths for each number of IMG_PARAM_NUMBERS, pixels for each side of IMG_PARAM_SIZE. Not
     * used for other types. */
    int64_t min, max;
    /* Words of IMG_PARAM_CHOICE. For IMG_PARAM_INT, IMG_PARAM_DECIMAL and IMG_PARAM_COLOR, words
     * that are accepted besides other values, or NULL. NULL for other types. A word for a colour
     * has a value from 1 to 256. The value is stored as red, with zeros for the other components.
     * No 8-bit colour is stored in that form: its red is 0 or at least 257. */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* further words that are accepted but not shown in help, or NULL */
    /* For IMG_PARAM_CHOICE: words that set a value without the parameter's name, or NULL. For
     * example, "only-shrink" stands for only=shrink. The name of the parameter itself may be a
     * flag, and may still be followed by a value. */
    const ImgChoice *flags;
    const char *help; /* description in one line, without a full stop */
} ImgParam;

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
    /* as in video: black is above 0, and white below the largest sample */
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

typedef struct ImgOp ImgOp;
struct ImgPalette;
struct ImgPart;
struct ImgPoints;

/* Data that implementations need besides the parameters: tables, weights, matrices. They are
 * computed once for all pictures of the same format, or of the same shape. Integer arithmetic makes
 * them equal on CPU and GPU. The block contains no pointers, so it can be copied to a device as it
 * is. The owner must initialise the struct with zeros. */
typedef struct ImgConstants {
    void *bytes; /* memory to release with free(); NULL if there are no constants */
    size_t size;
} ImgConstants;

/* A range of rows of a picture, from `first` up to but not including `end`. */
typedef struct ImgRows {
    int32_t first, end;
} ImgRows;

/* A rectangle of pixels. (`x`, `y`) is its upper left corner. */
typedef struct ImgRect {
    int32_t x, y, width, height;
} ImgRect;

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
    /* borrowed result of ImgOp.prepare; zeros if the operation has no constants */
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
 * `constants`, or, if the operation has ImgOp.part_constants, the part of it that these rows
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
    /* Returns the peak memory of `constants` in bytes, with its result. */
    uint64_t (*constants_bytes)(const ImgOp *op, ImgShape src, const void *params);
} ImgTwoPasses;

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
} ImgImpl;

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

/* Descriptor of an operation or a measurement. The functions below get parameters of `params_size`
 * bytes that img_params_set has accepted.
 *
 * Operations return pictures. Measurements return a table of counts (IMG_COLOR_COUNTS), but are
 * run, checked and timed in the same way. */
struct ImgOp {
    const char *name; /* name such as "rotate" */
    ImgOpGroup group;
    const char *synopsis; /* one line that starts with a verb, without a full stop */
    const char *help;     /* text for `help OP` and the manual; "\n\n" separates paragraphs */
    const char *example;  /* options of an example command, such as "--angle 270" */
    const ImgParam *params;
    size_t params_size; /* bytes of the parameter struct, at most IMG_PARAMS_SIZE */

    /* Form of a shorthand such as "WxH+X+Y", which follows the name of the operation and sets
     * several parameters at once. `set_shorthand` returns false if `text` is not a shorthand. Both
     * members are NULL if the operation has no shorthand. Call img_params_set_shorthand instead. */
    const char *shorthand;
    bool (*set_shorthand)(const ImgOp *op, const char *text, void *params);

    /* True if the operation with its defaults changes nothing; a user must then give at least one
     * parameter. */
    bool needs_param;
    /* True if the operation works on channels. The caller then converts palettes and transparent
     * colours to channels (io/expand.h) before the first step. `shape` rejects palettes. */
    bool needs_channels;
    /* True if the file that the operation reads is a picture; its content is an ImgPicture. */
    bool reads_picture;
    /* True if the constants depend on the size of the picture, not only on its format. */
    bool constants_need_size;
    /* For an operation that works on channels: returns true if, with these parameters, it also
     * works on palette indices. It then also accepts pictures whose transparent colours (PNG's
     * tRNS) have not been converted to alpha. NULL means never. Call img_op_needs_channels instead.
     */
    bool (*keeps_palette)(const void *params);
    /* For operations that copy palette indices but show a background. Finds the index of the
     * background in the palette (kernels/core/color/palette.h), or adds its colour, and stores the
     * index in the parameters. Does nothing if the background is not visible in a picture of shape
     * `src`; it counts as visible if the size is unknown (0). If `palette` is NULL, removes the
     * index. Returns false if the palette is full. NULL means that the operation has no background.
     * Call img_steps_bind_palette instead. */
    bool (*bind_palette)(void *params, ImgShape src, struct ImgPalette *palette);

    /* Completes parameters that depend on properties of the file ("auto"). NULL means that no
     * parameter does. */
    void (*bind)(void *params, const ImgFacts *facts);
    /* Stores ImgFacts.light in the parameters. Before the call, they contain IMG_LIGHT_SRGB. It is
     * a separate function, because operations with `bind` cannot run without a file. NULL means
     * that the operation does not depend on the transfer function. */
    void (*bind_light)(void *params, int32_t light);
    /* For an operation with a file: converts the `size` bytes of `text` to a block without
     * pointers, for the implementations. Returns IMG_E_FORMAT if the text is invalid; the message
     * names the line and the mistake. NULL means that the operation has no file. */
    ImgStatus (*read_file)(const char *text, size_t size, ImgConstants *content, ImgError *err);
    /* For an operation whose result size depends on pixels: a measurement with the same parameters.
     * The code that runs the steps applies it to the source first. NULL means that there is
     * none. */
    const ImgOp *measure;
    /* Completes the parameters from the table of `measure` for a picture of shape `src`. If `table`
     * is NULL, resets the parameters that a table sets; `shape` then returns the largest possible
     * result. */
    void (*take_measured)(void *params, ImgShape src, const ImgView *table);
    /* Computes the shape of the result. Rejects everything that the operation does not support, so
     * all limits of the operation are in this function. */
    ImgStatus (*shape)(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
    /* Returns the number of bytes that any implementation must read and write; benchmarks compute
     * GB/s from it. `shape` must accept `src`. NULL means the bytes of source and result, once
     * each. Call img_op_traffic instead. */
    uint64_t (*traffic)(ImgShape src, const void *params);
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
    double (*cost_factor)(ImgShape src, const void *params);
    /* Returns the most host memory, in bytes, that CPU implementations need besides source and
     * result with `threads` threads. Memory of the reference implementation does not count.
     * Constants count, unless constants_bytes returns them. Needed only if this memory can exceed
     * some 100 KiB, depending on picture, parameters or threads. NULL means 0. Call img_op_scratch
     * instead. */
    uint64_t (*scratch)(ImgShape src, const void *params, int threads);
    /* Describes in *part how to compute the rows `wanted` of the result from a rectangle of the
     * source. With it, a picture can be processed band by band. Before the call, *part describes
     * the computation of the whole result with `params`; the function changes what differs for the
     * part. The rectangle is as small as possible, but never empty. `shape` must accept it with the
     * parameters of the part. The result of the part must contain the wanted rows, and have the
     * width and the format of the whole result. The constants of the whole picture must be right
     * for the part too, unless there is `part_constants`. Returns false if these rows cannot be
     * computed from a part. NULL means that a point operation reads the rows `wanted` of the
     * source, and that any other operation has no parts. Call img_op_part instead. */
    bool (*part)(ImgShape src, const void *params, ImgRows wanted, struct ImgPart *part);
    /* Like `part`, but for a rectangle `wanted` of the result (a tile), which becomes the whole
     * result of the part. Needed by operations in which a long row depends on a slanted strip of
     * the source, which only a large rectangle contains. A small tile depends on a small rectangle.
     * Returns false if whole rows depend on small rectangles too. NULL means always false. Call
     * img_op_tile instead. */
    bool (*tile)(ImgShape src, const void *params, ImgRect wanted, struct ImgPart *part);
    /* Computes the constants of a part from the constants `whole` of the whole picture, which has
     * the shape `src`. NULL means that all parts use the constants of the whole picture. Call
     * img_op_part_constants instead. */
    ImgStatus (*part_constants)(ImgShape src, const struct ImgPart *part, const ImgConstants *whole,
                                ImgConstants *constants, ImgError *err);
    /* Returns true if the result equals the source byte for byte. The CPU then skips the copy. NULL
     * means never. */
    bool (*does_nothing)(ImgShape src, const void *params);
    /* Returns the effect of the operation on the picture. NULL means that values change, and that
     * colour is lost if the result is gray. Call img_op_effect instead. */
    ImgEffect (*effect)(ImgShape src, const void *params);

    /* Returns true if the result shows the same picture as the source, except for rounding. NULL
     * means never. Call img_op_effect instead. */
    bool (*looks_alike)(ImgShape src, const void *params);

    /* Computes the `constants` for all implementations. They depend only on the format of `src`,
     * unless constants_need_size. NULL means that the operation has none. Call img_op_prepare
     * instead. */
    ImgStatus (*prepare)(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
    /* Returns the bytes of the constants if they grow with the picture or with a file. Memory plans
     * need the number, because the constants of all steps of a run exist at the same time. NULL
     * means that they do not grow, or that `points` determines them (img_points_packed_bytes). Call
     * img_op_constants_bytes instead. */
    uint64_t (*constants_bytes)(ImgShape src, const void *params);
    /* Adds the stages of a point operation (kernels/point/points.h) to `points`. Adjacent
     * point operations of a pipeline become one pass. NULL means that the operation is not a point
     * operation. Call it only if img_op_is_points returns true. */
    ImgStatus (*points)(const void *params, struct ImgPoints *points, ImgError *err);
    /* Returns true if the operation is a point operation with these parameters. NULL means
     * always. */
    bool (*is_points)(const void *params);

    /* List of the implementations. impls[0] is the plain C reference. The others follow by backend,
     * from slowest to fastest. */
    const ImgImpl *impls;
};

/* Number of bytes that suffices for the parameters of any operation. */
enum { IMG_PARAMS_SIZE = sizeof(ImgFile) + 2 * sizeof(ImgNumbers) };
/* Parameters of any operation, aligned for each of them. */
typedef union ImgParams {
    max_align_t align;
    unsigned char bytes[IMG_PARAMS_SIZE];
} ImgParams;

/* The computation of some rows of a result from a part of the source. The operation runs with
 * `params` on the rectangle `src` of the source, with the function `run` of any implementation. Its
 * result contains the wanted rows from row `skip` on; rows before and after them are not used. */
typedef struct ImgPart {
    ImgRect src;
    int32_t skip;
    ImgParams params;
} ImgPart;

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
 * if the picture is too small for several threads. Used by implementations of ImgOp.scratch. */
int img_op_band_threads(ImgShape src, int64_t rows, int threads);
ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params);

/* Operations that keep the position of pixels have parts that start at a multiple of this number of
 * rows. So patterns that repeat every few rows, such as dithering, do not shift. */
enum { IMG_ROWS_STEP = 8 };

/* Describes in *part how to compute the rows `wanted` of the result from a rectangle of the source.
 * The constants of the part come from img_op_part_constants. Returns false if these rows cannot be
 * computed from a part. Before the files of a step are loaded, the rectangle is right, but the
 * parameters of the part may be wrong. */
bool img_op_part(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted, ImgPart *part);

/* Like img_op_part, but for the rectangle `wanted` of the result (a tile). The result of the part
 * is only this rectangle, and `skip` is 0. Returns false if the operation has no tiles with these
 * parameters; img_op_part may succeed then. */
bool img_op_tile(const ImgOp *op, ImgShape src, const void *params, ImgRect wanted, ImgPart *part);

/* Sets *constants to the constants of a part or a tile, which the caller releases. If it sets them
 * to zeros, the part needs the constants of the whole picture. `whole` must come from
 * img_op_prepare with the whole picture's shape `src` and parameters. */
ImgStatus img_op_part_constants(const ImgOp *op, ImgShape src, const ImgPart *part,
                                const ImgConstants *whole, ImgConstants *constants, ImgError *err);

/* Implements ImgOp.part for operations that keep the position of pixels: the rows `wanted` of the
 * result depend on the rows `needed` of the source, which contain them. Rounds the first row down
 * to a multiple of IMG_ROWS_STEP. Returns true. */
bool img_part_of_rows(ImgRows needed, ImgRows wanted, ImgPart *part);

/* Returns true if, with these parameters, the operation changes each pixel independently
 * (ImgOp.points). */
bool img_op_is_points(const ImgOp *op, const void *params);

/* Computes the constants of the operation. The caller releases them with img_constants_free, which
 * does nothing for zeros. */
ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
void img_constants_free(ImgConstants *constants);

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

#ifdef __cplusplus
}
#endif
#endif
