/* The operation table: one descriptor per operation, from which parsing, help, documentation,
 * completion, pipelines, tests and benchmarks are all driven. Nothing about an operation (its
 * options, ranges, defaults, help, variants) is written down anywhere else. */
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

/* 16 bits per component, alpha straight (not premultiplied): v of 8 bits is v * 257. */
typedef struct ImgRgba {
    uint16_t red, green, blue, alpha;
} ImgRgba;

enum { IMG_NUMBERS_MAX = 25 };

typedef struct ImgNumbers {
    int32_t count;                   /* 0 only as a default */
    int32_t zero;                    /* in the place of padding: values are compared as bytes */
    int64_t values[IMG_NUMBERS_MAX]; /* in millionths; 0 past `count` */
} ImgNumbers;

/* Any value that a user gives has `share` alone, or `width`, `height` or both. */
typedef struct ImgSize {
    int32_t width, height; /* pixels; 0: not given */
    int32_t share;         /* of the picture's width and height, in thousandths of a per cent; 0:
                            * not given */
} ImgSize;

/* Of a width to a height. */
typedef struct ImgRatio {
    int32_t width, height; /* in thousandths, above 0; both 0: not given */
} ImgRatio;

enum { IMG_PATH_SIZE = 1024 };

/* A file that an operation reads. Whoever runs steps loads it before, and tells by
 * img_params_set_content; copies of the parameters share what was loaded. */
typedef struct ImgFile {
    const void *content;      /* borrowed: what ImgOp.read_file made of it; NULL: not loaded */
    char path[IMG_PATH_SIZE]; /* as the user gave it; zeros past its end; "" only as a default */
} ImgFile;

/* A picture as the content of a file: palettes and transparent colours are expanded to channels.
 * Pixels follow without gaps. */
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
    bool is_detail;            /* of steps as text left out where it is the default */
    size_t offset;             /* of the value inside the operation's parameter struct */
    const char *default_value; /* as a user would type it; of numbers, sizes, ratios and files ""
                                * for none */
    int64_t min, max;          /* of numbers, both included; of IMG_PARAM_DECIMAL in thousandths, of
                                * each of IMG_PARAM_NUMBERS in millionths; of the pixels of a size */
    const ImgChoice *choices;  /* of IMG_PARAM_CHOICE; of IMG_PARAM_INT, IMG_PARAM_DECIMAL and
                                * IMG_PARAM_COLOR the words that they take too, or NULL; of others
                                * NULL. A colour's word is stored as a red of its value, of 1 to
                                * 256, and zeros: that is no colour of 8 bits */
    const ImgChoice *synonyms; /* other words, understood but not advertised; or NULL */
    const ImgChoice *flags;    /* of IMG_PARAM_CHOICE: words that stand for a value by themselves:
                                * "only-shrink" is only=shrink. The parameter's own name may be one,
                                * and then a value may follow all the same; or NULL */
    const char *help;          /* one line, no full stop */
} ImgParam;

/* What a file says about its picture beside the pixels, as far as operations care. */
typedef struct ImgFacts {
    int orientation; /* EXIF orientation 1 to 8; 0 where the file does not say */
    int32_t light;   /* how samples hold light: as the curve of sRGB does, or as light to the power
                      * of this by 100000, 100 to 100000000 */
} ImgFacts;

enum { IMG_LIGHT_SRGB = 0, IMG_LIGHT_LINEAR = 100000 };

/* What an operation does to the picture as a whole, so that metadata can follow. */
typedef struct ImgEffect {
    ImgTurn turn;
    bool cropped;            /* pixels were cut away or added at edges, or made anew */
    double scale_x, scale_y; /* new pixels for one, before the turn; 0 stands for 1 */
    bool upright;            /* the picture is now upright: its orientation is to read 1 */
    bool reshaped;       /* the sides were scaled by factors of their own, by more than rounding */
    bool values_changed; /* samples have other values than before */
    bool looks_changed;  /* and those show something else; img_op_effect sets it */
    bool to_gray;        /* colour was there before and is gray now */
    bool to_color;       /* the other way round; img_op_effect sets it of all operations */
    bool depth_changed;  /* samples have more or fewer bits; img_op_effect sets it */
} ImgEffect;

typedef struct ImgOp ImgOp;
struct ImgPalette;
struct ImgPoints;

/* What implementations need to know beside the parameters: tables, weights, matrices. Worked out
 * once for all pictures of a format, or of a shape, in whole numbers, so that CPU and GPU cannot
 * disagree. A block without pointers: a copy of it on a device is as good. Start from zeros; owned.
 */
typedef struct ImgConstants {
    void *bytes; /* for free(); NULL: none */
    size_t size;
} ImgConstants;

/* Rows of a picture: from the first to before the end. */
typedef struct ImgRows {
    int32_t first, end;
} ImgRows;

/* One run of one implementation. Views are host memory for CPU implementations, of any stride; for
 * CUDA ones device memory whose rows start at multiples of IMG_DEVICE_ALIGNMENT bytes, and whose
 * last row is followed by readable memory up to such a multiple, so that whole vectors can be read;
 * never written. Source and destination never overlap. `dst` has the shape that `shape` gave. */
enum { IMG_DEVICE_ALIGNMENT = 16 };

/* Waking threads takes longer than moving this many bytes with one. */
enum { IMG_BYTES_WORTH_THREADS = 512 << 10 };

/* The stride that the executor gives rows on a device. */
size_t img_device_pitch(ImgShape shape);

typedef struct ImgCall {
    const ImgOp *op;
    ImgView src, dst;
    const void *params;
    ImgConstants constants;       /* borrowed: what `prepare` made; zeros where it makes none */
    const void *device_constants; /* CUDA: a copy of them, aligned to 256 bytes */
    int threads;                  /* CPU: at least 1 */
    ImgTeam *team;                /* CPU: where threads come from; may be NULL */
    void *stream;    /* CUDA: a cudaStream_t; the launch returns without waiting for it */
    void *workspace; /* CUDA: device memory of the size that the implementation asks for,
                      * undefined content; its first 8 bytes were written at some time */
} ImgCall;

typedef ImgStatus ImgRunFunction(const ImgCall *call, ImgError *err);

/* How a CPU implementation takes a source whose rows come one after another, as from a decoder, so
 * that it is never in memory as a whole. */
typedef struct ImgByRows {
    /* Memory beside source and result, about, in bytes. */
    uint64_t (*bytes)(ImgShape src, const void *params);
    /* `call` is as for a run, but its source has no data; what it borrows stays to the end. *state
     * is to be ended. IMG_E_MEMORY. */
    ImgStatus (*begin)(const ImgCall *call, void **state, ImgError *err);
    /* Rows of the source from number `first` on, which follow those that came before; read during
     * the call only. With the last of them the result is complete. */
    void (*take)(void *state, const ImgView *rows, int32_t first);
    /* Also before all rows have come. */
    void (*end)(void *state);
} ImgByRows;

typedef struct ImgImpl {
    const char *name; /* "cpu-avx2", "cuda-padded": words, never numbers; NULL ends the list */
    ImgBackend backend;
    ImgCpuLevel cpu_level; /* what the processor must offer; IMG_CPU_PORTABLE for CUDA */
    const char *note;      /* what this variant does differently, one line */
    ImgRunFunction *run;   /* NULL where this build does not contain it */
    /* Does this variant do what these parameters ask for? NULL: it does all that the operation
     * does. */
    bool (*applies)(const ImgOp *op, ImgShape src, const void *params);
    /* Bytes of device memory that a CUDA implementation needs beside source and destination. NULL:
     * none. */
    size_t (*workspace)(const ImgOp *op, ImgShape src, const void *params);
    /* CPU: NULL: the source must be there as a whole. */
    const ImgByRows *by_rows;
} ImgImpl;

/* Functions below get parameters that img_params_set has accepted, of `params_size` bytes.
 *
 * Operations give pictures; measurements give a table of counts (IMG_COLOR_COUNTS), and are run,
 * checked and timed in the same way. */
struct ImgOp {
    const char *name;     /* "rotate" */
    const char *synopsis; /* one line, starts with a verb, no full stop */
    const char *help;     /* a paragraph for `help OP` and the manual; may hold newlines */
    const char *example;  /* the options of an example command: "--angle 270" */
    const ImgParam *params;
    size_t params_size; /* at most IMG_PARAMS_SIZE */

    /* A word after the name, "WxH+X+Y", that sets several parameters at once. False: the text is no
     * such word. To be called by img_params_set_shorthand. NULL, both: there is none. */
    const char *shorthand;
    bool (*set_shorthand)(const ImgOp *op, const char *text, void *params);

    /* Its defaults change nothing: a user must give at least one parameter. */
    bool needs_param;
    /* Works on channels: the caller expands palettes, and colours that stand for transparency
     * (io/expand.h), before the first step. `shape` rejects palettes. */
    bool needs_channels;
    /* The file that it reads is a picture, and the content an ImgPicture. */
    bool reads_picture;
    /* Constants are one size's: those of a picture are not another's of its format. */
    bool constants_need_size;
    /* Of those that work on channels: does it with these parameters work on indices, too, and on
     * what a file says of transparent colours? NULL: with none. To be called by
     * img_op_needs_channels. */
    bool (*keeps_palette)(const void *params);
    /* For operations that copy indices but show a background. Finds the background's index in the
     * palette (kernels/core/color/palette.h), adds it if it is missing, and stores it in the
     * parameters. A background that is not seen beside a picture of that shape is not looked for;
     * of an unknown size (0) it may be seen. `palette` NULL: removes the index. False: the palette
     * has no room. NULL: the operation has no background. Call img_steps_bind_palette instead. */
    bool (*bind_palette)(void *params, ImgShape src, struct ImgPalette *palette);

    /* Completes parameters that depend on the file ("auto"). NULL: none does. */
    void (*bind)(void *params, const ImgFacts *facts);
    /* Tells ImgFacts.light, beside `bind`, which is for operations that are nothing without a file.
     * NULL: of no concern. Not called: IMG_LIGHT_SRGB. */
    void (*bind_light)(void *params, int32_t light);
    /* Of an operation with a file: makes of `size` bytes of text what its implementations need, a
     * block without pointers. IMG_E_FORMAT says in which line what is wrong. NULL: it has no file.
     */
    ImgStatus (*read_file)(const char *text, size_t size, ImgConstants *content, ImgError *err);
    /* Of an operation whose result's size depends on pixels: a measurement with the same
     * parameters, which whoever runs steps takes of the source before. NULL: there is none. */
    const ImgOp *measure;
    /* Completes parameters by its table for a picture of that shape. NULL: nothing is known any
     * more, and `shape` gives the largest result that there can be. */
    void (*take_measured)(void *params, ImgShape src, const ImgView *table);
    /* The shape of the result; rejects what the operation does not do, so limits are code. */
    ImgStatus (*shape)(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
    /* Bytes that any implementation has to read and write, for GB/s. Shapes `shape` accepted. NULL:
     * the source and the result once each. To be called by img_op_traffic. */
    uint64_t (*traffic)(ImgShape src, const void *params);
    /* Nanoseconds that one CPU core takes per byte of `traffic`, in its fastest implementation:
     * what `auto` weighs against a GPU. Measured: `checkkernels --bench --backend cpu --threads 1`,
     * one core of an AVX-512 server CPU, 12 megapixels, photo-like, mostly RGB of 8 bits
     * (README.md, "What the CPU takes"). */
    double cpu_ns_per_byte;
    /* The same of a GPU (an H200), where it computes rather than moves bytes; 0: it moves them. */
    double cuda_ns_per_byte;
    /* How many times that both are with these parameters, where they matter much. NULL: once. To be
     * called by img_op_cpu_seconds and img_op_cuda_seconds. */
    double (*cost_factor)(ImgShape src, const void *params);
    /* Host memory, in bytes, that CPU implementations, but for the reference, take at most besides
     * source and result on so many threads, constants among them unless constants_bytes counts
     * those, where it grows with the picture, with parameters or with threads beyond some 100 KiB;
     * so that it is planned, like the workspace of CUDA ones. NULL: none. To be called by
     * img_op_scratch. */
    uint64_t (*scratch)(ImgShape src, const void *params, int threads);
    /* Which rows of the source make the rows `wanted` of the result: a picture of just those rows
     * becomes one that is right in the wanted ones, so that pictures can go through a pipeline band
     * by band. NULL: all, or of a point operation the same. To be called by img_op_rows_needed. */
    ImgRows (*rows_needed)(ImgShape src, const void *params, ImgRows wanted);
    /* Is the result the source, byte for byte? The CPU is then spared the copy. NULL: never. */
    bool (*does_nothing)(ImgShape src, const void *params);
    /* NULL: values change, and colour goes where the result has none. To be called by
     * img_op_effect. */
    ImgEffect (*effect)(ImgShape src, const void *params);

    /* Do other values show the same picture, but for rounding? NULL: never. To be called by
     * img_op_effect. */
    bool (*looks_alike)(ImgShape src, const void *params);

    /* Makes what all implementations are given as `constants`. NULL: they need nothing. Of the
     * shape only the format counts, unless constants_need_size. To be called by img_op_prepare. */
    ImgStatus (*prepare)(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
    /* Bytes that this takes where they grow with the picture or with a file: those of all steps of
     * a run are there at once. NULL: they do not, or `points` tells (img_points_packed_bytes). To
     * be called by img_op_constants_bytes. */
    uint64_t (*constants_bytes)(ImgShape src, const void *params);
    /* A point operation: what it does to a pixel (kernels/core/point/points.h). Neighbours in a
     * pipeline then become one pass. NULL: not one. To be called where img_op_is_points. */
    ImgStatus (*points)(const void *params, struct ImgPoints *points, ImgError *err);
    /* Is it one with these parameters? NULL: with all. */
    bool (*is_points)(const void *params);

    /* impls[0] is the plain C reference; then, by backend, from slowest to fastest. */
    const ImgImpl *impls;
};

/* Parameters of any operation: large enough and aligned for each of them. */
enum { IMG_PARAMS_SIZE = sizeof(ImgFile) + 2 * sizeof(ImgNumbers) };
typedef union ImgParams {
    max_align_t align;
    unsigned char bytes[IMG_PARAMS_SIZE];
} ImgParams;

/* One operation with its parameters: a step of a pipeline. */
typedef struct ImgStep {
    const ImgOp *op;
    bool strips; /* whoever writes the result leaves out what is private, unless told otherwise */
    ImgParams params;
    uint64_t held, loading; /* bytes of the contents of files that it names, and the most that was
                             * alive while they were read (img_step_files_load) */
    uint64_t content_bytes; /* how many there are of what those files say, of pictures of pixels */
    uint32_t content_crc;   /* and their CRC-32: where both are equal, so are results */
} ImgStep;

/* For ImgOp.shape where pixels are copied, whatever they stand for: as the source; rejects tables
 * of counts. */
ImgStatus img_pixels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* For ImgOp.shape: as the source; rejects palettes and tables of counts. */
ImgStatus img_channels_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* For ImgOp.shape where samples get new values: as img_channels_shape, but samples of fewer than 8
 * bits become ones of 8, so that new values between theirs have a place. */
ImgStatus img_values_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);

/* IMG_E_USAGE for parameters that contradict each other, or of which one is missing, whatever the
 * picture: what `shape` refuses so. */
ImgStatus img_op_check_params(const ImgOp *op, const void *params, ImgError *err);

/* Does it with these parameters? */
bool img_op_needs_channels(const ImgOp *op, const void *params);

/* What one CPU core takes. */
double img_op_cpu_seconds(const ImgOp *op, ImgShape src, const void *params);
/* What a GPU's kernels take, rough, and in favour of the CPU. */
double img_op_cuda_seconds(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_traffic(const ImgOp *op, ImgShape src, const void *params);
uint64_t img_op_scratch(const ImgOp *op, ImgShape src, const void *params, int threads);
uint64_t img_op_constants_bytes(const ImgOp *op, ImgShape src, const void *params);

/* So many threads, or as many fewer as take no more than `bytes` of scratch memory; at least 1. */
int img_op_threads_within(const ImgOp *op, ImgShape src, const void *params, int threads,
                          uint64_t bytes);

/* For ImgOp.scratch of operations whose threads take bands of so many rows, or one thread all of
 * them where waking others is not worth it: how many there are, of so many threads. */
int img_op_band_threads(ImgShape src, int64_t rows, int threads);
ImgEffect img_op_effect(const ImgOp *op, ImgShape src, const void *params);

/* As ImgOp.rows_needed; the first is a multiple of IMG_ROWS_STEP, so that patterns that repeat with
 * rows do not shift. */
enum { IMG_ROWS_STEP = 8 };
ImgRows img_op_rows_needed(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted);

/* Does it change each pixel by itself, by ImgOp.points? */
bool img_op_is_points(const ImgOp *op, const void *params);

/* `constants` is freed by the caller with img_constants_free, which is harmless on zeros. */
ImgStatus img_op_prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err);
void img_constants_free(ImgConstants *constants);

/* Implementations that a build may lack: they stay in the table, so that help is the same
 * everywhere and an error can say "not in this build". */
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
