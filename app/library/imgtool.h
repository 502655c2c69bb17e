/* libimgtool: the codec, the operations and the executor of imgtool for other programs.
 *
 * A context holds what work takes: threads, memory, a GPU. It serves one thread at a time; several
 * contexts know nothing of each other. Nothing here prints, ends the process, handles signals,
 * reads the environment or keeps state outside contexts.
 *
 * After fork() a context and its readers belong to the parent alone, as the child has none of their
 * threads: in the child their functions return IMGTOOL_E_USAGE, except those that destroy and free.
 * The child creates a context of its own. Pictures, metadata and pipelines live on in both. Where
 * the parent has used a GPU, the child can use only the CPU: CUDA does not survive fork().
 *
 * Every struct that may grow begins with its size: set it by the initialiser that stands beside
 * it. Functions that can fail return a status and, where `error` is not NULL, fill it with a
 * message of one line. Numbers of pixels are int32_t, bytes are size_t, strides are bytes from one
 * row to the next. Text is UTF-8.
 *
 *     imgtool_context *context = NULL;
 *     imgtool_picture picture = IMGTOOL_PICTURE_INIT;
 *     imgtool_error error = IMGTOOL_ERROR_INIT;
 *     picture.format.color = IMGTOOL_RGBA; // whatever the file has
 *     if (imgtool_context_create(NULL, &context, &error) == IMGTOOL_OK &&
 *         imgtool_read_file(context, "in.png", &picture, NULL, &error) == IMGTOOL_OK &&
 *         imgtool_run_text(context, "resize 50% | sharpen", &picture, &error) == IMGTOOL_OK)
 *         imgtool_write_file(context, &picture, NULL, "out.png", &error);
 *     imgtool_picture_free(context, &picture);
 *     imgtool_context_destroy(context);
 */
#ifndef IMGTOOL_H
#define IMGTOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define IMGTOOL_API __attribute__((visibility("default")))
#else
#define IMGTOOL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Version ---------------------------------------------------------------------------------- */

/* Of this header. The soname has the first number: programs run with any later library of it. */
#define IMGTOOL_VERSION_MAJOR 0
#define IMGTOOL_VERSION_MINOR 2
#define IMGTOOL_VERSION_PATCH 0

/* Of the library that runs, as "0.2.0". Static. */
IMGTOOL_API const char *imgtool_version(void);

/* --- Errors ----------------------------------------------------------------------------------- */

typedef enum imgtool_status {
    IMGTOOL_OK = 0,
    IMGTOOL_E_USAGE,       /* an argument is invalid: an unknown name, a value out of range */
    IMGTOOL_E_IO,          /* a file could not be opened, read, written or renamed */
    IMGTOOL_E_FORMAT,      /* a file is damaged or of a kind that is not supported */
    IMGTOOL_E_LIMIT,       /* over a limit of the context */
    IMGTOOL_E_MEMORY,      /* there is no memory left */
    IMGTOOL_E_UNSUPPORTED, /* the operation cannot do this with this picture */
    IMGTOOL_E_UNAVAILABLE, /* backend, device or implementation is not in this build or machine */
    IMGTOOL_E_DEVICE,      /* a GPU failed while it was working */
    IMGTOOL_E_CANCELLED    /* the progress callback said so */
} imgtool_status;

typedef struct imgtool_error {
    size_t size;
    imgtool_status status;
    char message[1024]; /* one line without a newline; empty where all went well */
} imgtool_error;
#define IMGTOOL_ERROR_INIT                                                                         \
    {                                                                                              \
        sizeof(imgtool_error), IMGTOOL_OK, ""                                                      \
    }

/* "damaged or unsupported file", for programs that kept the status only. Static. */
IMGTOOL_API const char *imgtool_status_text(imgtool_status status);

/* --- Contexts --------------------------------------------------------------------------------- */

typedef struct imgtool_context imgtool_context;

typedef enum imgtool_backend {
    IMGTOOL_BACKEND_AUTO, /* a GPU where that is faster, its start included; else the CPU */
    IMGTOOL_BACKEND_CPU,
    IMGTOOL_BACKEND_CUDA /* never anything else: fails where there is none */
} imgtool_backend;

/* Memory of pixels and files that the library hands out. As malloc and free; both or neither. */
typedef struct imgtool_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} imgtool_allocator;

/* Called between the parts of long work, on the thread that called the library: `done` of `total`
 * steps. False: stop; the call then fails with IMGTOOL_E_CANCELLED, and nothing is left behind. It
 * is 0 of 1 where a signal, of a handler without SA_RESTART, ends a wait for a pipe. */
typedef bool imgtool_progress(void *user, uint64_t done, uint64_t total);

typedef struct imgtool_config {
    size_t size;
    int32_t threads; /* CPU threads, at most; 0: as many as the process may use */
    imgtool_backend backend;
    int32_t device;              /* number of the GPU, from 0; work there makes it the thread's */
    uint64_t max_pixels;         /* of any picture; 0: 500 megapixels */
    uint64_t max_memory;         /* bytes of the file, all pictures alive at a time and what a call
                                  * works with; 0: any */
    imgtool_allocator allocator; /* all NULL: malloc and free */
    imgtool_progress *progress;  /* NULL: none */
    void *progress_user;
} imgtool_config;
#define IMGTOOL_CONFIG_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_config), 0, IMGTOOL_BACKEND_AUTO, 0, 0, 0, {NULL, NULL, NULL}, NULL, NULL   \
    }

/* `config` is copied; NULL: IMGTOOL_CONFIG_INIT. Starts no thread and opens no device: the first
 * work that needs them does. *context is NULL on failure. USAGE, MEMORY, UNAVAILABLE for a backend
 * that this build does not have. */
IMGTOOL_API imgtool_status imgtool_context_create(const imgtool_config *config,
                                                  imgtool_context **context, imgtool_error *error);

/* After all that came from it. Harmless on NULL. In a forked child it waits for no thread, and
 * leaves the memory of threads and devices to the end of the process. */
IMGTOOL_API void imgtool_context_destroy(imgtool_context *context);

/* --- Pictures --------------------------------------------------------------------------------- */

/* Channels are interleaved in the order of the name. Alpha is straight, not premultiplied. */
typedef enum imgtool_color {
    IMGTOOL_AS_IT_IS, /* in requests: what the file has */
    IMGTOOL_GRAY,
    IMGTOOL_GRAY_ALPHA,
    IMGTOOL_RGB,
    IMGTOOL_RGBA,
    IMGTOOL_BGRA,   /* 8 bits only: what windows and video want */
    IMGTOOL_PALETTE /* indices; the colours are metadata ("PLTE", "tRNS") */
} imgtool_color;

/* `bits` of a sample: 8 (a byte) or 16 (native byte order); of pictures as they are in a file also
 * 1, 2 and 4, one sample to a byte and unscaled, so that 4-bit gray runs from 0 to 15 (more is
 * USAGE); and 32, a float from 0 to 1, for what is decoded. */
typedef struct imgtool_format {
    imgtool_color color;
    int32_t bits;
} imgtool_format;

/* Pixels in host memory, which no other thread may change during a call. Where `pixels` is the
 * caller's, so are its bytes between rows: they are neither read nor written. */
typedef struct imgtool_picture {
    size_t size;
    int32_t width, height; /* at least 1 */
    imgtool_format format;
    void *pixels;
    size_t stride; /* at least width times imgtool_pixel_size */
    bool owned;    /* `pixels` are of the context's allocator: imgtool_picture_free frees them */
} imgtool_picture;
#define IMGTOOL_PICTURE_INIT                                                                       \
    {                                                                                              \
        sizeof(imgtool_picture), 0, 0, {IMGTOOL_AS_IT_IS, 0}, NULL, 0, false                       \
    }

/* Bytes of a pixel: 1 to 16. 0 for a format that there is not. */
IMGTOOL_API size_t imgtool_pixel_size(imgtool_format format);

/* Pixels for a picture whose width, height and format are set, of the context's allocator; their
 * content is undefined. LIMIT, MEMORY, USAGE for a shape that is none. */
IMGTOOL_API imgtool_status imgtool_picture_allocate(imgtool_context *context,
                                                    imgtool_picture *picture, imgtool_error *error);

/* Frees pixels that are owned and makes the picture IMGTOOL_PICTURE_INIT. Harmless on that. */
IMGTOOL_API void imgtool_picture_free(imgtool_context *context, imgtool_picture *picture);

/* Copies `from` into the pixels of `to`, which has its size and any format with channels: gray of
 * colours is BT.709's luma of the stored samples, 16 bits become 8 by rounding, 8 become 16 without
 * loss, alpha that is not there is opaque and alpha that is not asked for is dropped. Palettes are
 * not converted here but by imgtool_reader_decode. USAGE, UNSUPPORTED. */
IMGTOOL_API imgtool_status imgtool_convert(imgtool_context *context, const imgtool_picture *from,
                                           imgtool_picture *to, imgtool_error *error);

/* --- Metadata --------------------------------------------------------------------------------- */

/* What a PNG says beside its pixels: ancillary chunks and the palette, as the file has them. */
typedef struct imgtool_metadata imgtool_metadata;

typedef struct imgtool_chunk {
    size_t size;
    char type[5];     /* "iCCP", ends with a zero */
    const void *data; /* without length, type and CRC; borrowed until the metadata changes */
    size_t bytes;
} imgtool_chunk;
#define IMGTOOL_CHUNK_INIT                                                                         \
    {                                                                                              \
        sizeof(imgtool_chunk), "", NULL, 0                                                         \
    }

IMGTOOL_API imgtool_status imgtool_metadata_create(imgtool_context *context,
                                                   imgtool_metadata **metadata,
                                                   imgtool_error *error);
IMGTOOL_API imgtool_status imgtool_metadata_copy(imgtool_context *context,
                                                 const imgtool_metadata *from,
                                                 imgtool_metadata **metadata, imgtool_error *error);
IMGTOOL_API void imgtool_metadata_destroy(imgtool_metadata *metadata);

/* Number of chunks, and chunk number `index` in the order of the file. False: there is none. */
IMGTOOL_API size_t imgtool_metadata_count(const imgtool_metadata *metadata);
IMGTOOL_API bool imgtool_metadata_chunk(const imgtool_metadata *metadata, size_t index,
                                        imgtool_chunk *chunk);

/* Sets the chunks of that type to this one (PLTE too: 3 bytes an entry), which is copied; `data`
 * NULL removes them. The place in the file follows from the type; whether the bytes are what it
 * asks for is looked at for PLTE only. USAGE for a type that is none, for critical ones, and where
 * there is data, for those that PNG reserves (a small third letter); MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_set(imgtool_metadata *metadata, const char *type,
                                                const void *data, size_t bytes,
                                                imgtool_error *error);

/* Appends a text (iTXt). `keyword`, UTF-8 too, is 1 to 79 characters of those that Latin-1 has,
 * without spaces at its ends or side by side. USAGE, MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_add_text(imgtool_metadata *metadata,
                                                     const char *keyword, const char *text,
                                                     imgtool_error *error);

/* Makes the metadata of pixels in the format `before`, as imgtool_reader_info gives it, true of the
 * same pixels in the format `after`: the palette and tRNS go where channels say the same. A colour
 * that tRNS calls transparent, and that of bKGD, get the bits of samples that have more now; where
 * samples have fewer, or other channels, tRNS is dropped: decode with alpha to keep what it says.
 * The reader's metadata are to be copied before. USAGE, MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_convert(imgtool_metadata *metadata,
                                                    imgtool_format before, imgtool_format after,
                                                    imgtool_error *error);

/* The EXIF orientation 1 to 8, wherever the file says it; 0 where it does not. */
IMGTOOL_API int32_t imgtool_metadata_orientation(const imgtool_metadata *metadata);

/* --- Reading ---------------------------------------------------------------------------------- */

/* A PNG that is being read: opened (its header is known, nothing of the picture's size is
 * allocated), loaded (the rest of it and its metadata), decoded (its pixels, once). */
typedef struct imgtool_reader imgtool_reader;

/* Fills up to `bytes` bytes and sets *got, 0 at the end. False: it failed. */
typedef bool imgtool_read_function(void *user, void *data, size_t bytes, size_t *got);

/* A file; never "-" or another name with a meaning of its own. IO, FORMAT for what is not a PNG
 * (other formats are named), LIMIT. *reader is NULL on failure. */
IMGTOOL_API imgtool_status imgtool_open_file(imgtool_context *context, const char *path,
                                             imgtool_reader **reader, imgtool_error *error);
/* A file in memory, which is borrowed until the reader is destroyed. If another thread or process
 * changes its bytes meanwhile, the result is FORMAT or a mixture, and never a memory error. A
 * mapped file that becomes shorter raises SIGBUS: open what others may truncate by its path. */
IMGTOOL_API imgtool_status imgtool_open_memory(imgtool_context *context, const void *data,
                                               size_t bytes, imgtool_reader **reader,
                                               imgtool_error *error);
/* Whatever else has bytes; read to its end when the pixels or the metadata are asked for. */
IMGTOOL_API imgtool_status imgtool_open_callback(imgtool_context *context,
                                                 imgtool_read_function *read, void *user,
                                                 imgtool_reader **reader, imgtool_error *error);
IMGTOOL_API void imgtool_reader_destroy(imgtool_reader *reader);

typedef struct imgtool_info {
    size_t size;
    int32_t width, height;
    imgtool_format format; /* as it is in the file */
    bool interlaced;
    bool has_alpha; /* a channel, or transparent entries or colours: RGBA shows all there is */
    bool animated;  /* an APNG, of which only the still picture is read */
    size_t file_bytes;
} imgtool_info;
#define IMGTOOL_INFO_INIT                                                                          \
    {                                                                                              \
        sizeof(imgtool_info), 0, 0, {IMGTOOL_AS_IT_IS, 0}, false, false, false, 0                  \
    }

/* What the header says; has_alpha, animated and file_bytes once the file is loaded. */
IMGTOOL_API imgtool_status imgtool_reader_info(imgtool_reader *reader, imgtool_info *info,
                                               imgtool_error *error);

/* Loads the file, if it is not yet. Chunks are checked as libpng checks them. FORMAT, IO, LIMIT. */
IMGTOOL_API imgtool_status imgtool_reader_load(imgtool_reader *reader, imgtool_error *error);

/* Loads if need be; borrowed until the reader is destroyed. NULL: it could not be loaded. */
IMGTOOL_API const imgtool_metadata *imgtool_reader_metadata(imgtool_reader *reader,
                                                            imgtool_error *error);

/* What this reader does not carry over, or what is wrong and harmless, one line each; NULL past the
 * last one. Complete after decoding; borrowed until the reader is destroyed. */
IMGTOOL_API const char *imgtool_reader_warning(const imgtool_reader *reader, size_t index);

/* Decodes the pixels, once, in `picture->format`; IMGTOOL_AS_IT_IS keeps colours, and 0 bits their
 * depth. Where `picture->pixels` is NULL they are allocated, else width and height are those of the
 * file and the pixels go there. Palettes and transparent colours become channels where channels
 * are asked for. Damage is FORMAT, as libpng judges it: truncation, wrong checksums, too little or
 * too much image data. On failure the caller's pixels are undefined, and none are allocated.
 * USAGE, where they were decoded before, and for a picture that does not fit; UNSUPPORTED for a
 * format that this file cannot have; FORMAT, IO, LIMIT, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_reader_decode(imgtool_reader *reader, imgtool_picture *picture,
                                                 imgtool_error *error);

/* Some rows, from number `first` on, in order from the first to the last; borrowed during the call.
 * False: stop (CANCELLED). Calls come one after another, from the thread that called. */
typedef bool imgtool_rows_function(void *user, const imgtool_picture *rows, int32_t first);

/* The same in rows: no more than some of them are in memory, but of interlaced pictures, and of
 * files that are read although something is wrong past their last row. What was handed out before a
 * failure is not proved. Threads are fewer where buffers of several would be beyond max_memory. */
IMGTOOL_API imgtool_status imgtool_reader_rows(imgtool_reader *reader, imgtool_format format,
                                               imgtool_rows_function *take, void *user,
                                               imgtool_error *error);

/* Opens, decodes and closes. `metadata` may be NULL; else it is the caller's to destroy, and true
 * of the pixels, as imgtool_metadata_convert makes it: without palette where there are channels,
 * without tRNS where there is alpha. */
IMGTOOL_API imgtool_status imgtool_read_file(imgtool_context *context, const char *path,
                                             imgtool_picture *picture, imgtool_metadata **metadata,
                                             imgtool_error *error);
IMGTOOL_API imgtool_status imgtool_read_memory(imgtool_context *context, const void *data,
                                               size_t bytes, imgtool_picture *picture,
                                               imgtool_metadata **metadata, imgtool_error *error);

/* --- Writing ---------------------------------------------------------------------------------- */

typedef enum imgtool_file_format {
    IMGTOOL_PNG,
    IMGTOOL_JPEG,
    IMGTOOL_BMP,
    IMGTOOL_TGA
} imgtool_file_format;

typedef struct imgtool_encoding {
    size_t size;
    imgtool_file_format format;
    int32_t level;   /* PNG: 0 stored, 1 fastest to 9 smallest */
    bool index;      /* PNG: say where the file can be decoded in parallel; some bytes */
    bool interlaced; /* PNG: Adam7 */
    int32_t quality; /* JPEG: 1 to 100 */
    const imgtool_metadata *metadata; /* borrowed; NULL: none. Chunks that such a picture cannot
                                       * have (tRNS beside alpha, a profile of RGB
                                       * beside gray) are left out */
} imgtool_encoding;
#define IMGTOOL_ENCODING_INIT                                                                      \
    {                                                                                              \
        sizeof(imgtool_encoding), IMGTOOL_PNG, 4, true, false, 90, NULL                            \
    }

/* `encoding` may be NULL: IMGTOOL_ENCODING_INIT. Pictures of channels with 8 or 16 bits, and those
 * of 1, 2 and 4 bits and palettes as they are read. The same picture gives the same bytes, with any
 * number of threads. A file appears whole or not at all, and what had its name is untouched until
 * then: it is written to a hidden file beside it, ".NAME.XXXXXX.tmp", which a process that is
 * killed in between leaves behind. One that replaces a file has its permissions, group, list of
 * rights (POSIX ACL) and user attributes, as far as the system allows. Pipes and devices are
 * written in place; where a pipe's reader is gone, the system sends SIGPIPE, unless the program
 * ignores that. USAGE, UNSUPPORTED, IO, LIMIT, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_write_file(imgtool_context *context,
                                              const imgtool_picture *picture,
                                              const imgtool_encoding *encoding, const char *path,
                                              imgtool_error *error);
/* *data is of the context's allocator: imgtool_free frees it. It counts as memory, and as it grows
 * so does what it was before. */
IMGTOOL_API imgtool_status imgtool_write_memory(imgtool_context *context,
                                                const imgtool_picture *picture,
                                                const imgtool_encoding *encoding, void **data,
                                                size_t *bytes, imgtool_error *error);
/* Takes all the bytes. False: it failed (IO). Calls come one after another, but perhaps from other
 * threads than the one that called: from those of the context that encode. */
typedef bool imgtool_write_function(void *user, const void *data, size_t bytes);
IMGTOOL_API imgtool_status imgtool_write_callback(imgtool_context *context,
                                                  const imgtool_picture *picture,
                                                  const imgtool_encoding *encoding,
                                                  imgtool_write_function *write, void *user,
                                                  imgtool_error *error);
IMGTOOL_API void imgtool_free(imgtool_context *context, void *memory);

/* --- Operations ------------------------------------------------------------------------------- */

typedef enum imgtool_value {
    IMGTOOL_VALUE_INTEGER,
    IMGTOOL_VALUE_DECIMAL, /* rounded to three decimal places */
    IMGTOOL_VALUE_CHOICE,
    IMGTOOL_VALUE_COLOR,   /* "#ff0000", "red", "transparent" */
    IMGTOOL_VALUE_NUMBERS, /* "0.299,0.587,0.114" */
    IMGTOOL_VALUE_SIZE,    /* "800x600", "800", "x600", "50%" */
    IMGTOOL_VALUE_RATIO,   /* "16:9" */
    IMGTOOL_VALUE_FILE     /* a path */
} imgtool_value;

/* An option of an operation. All text is static. */
typedef struct imgtool_option {
    size_t size;
    const char *name, *help;
    imgtool_value value;
    const char *default_text; /* as a user would type it; "" for none */
    double minimum, maximum;  /* of numbers, both included; else 0 */
    bool stands_alone;        /* its value may stand without its name: "resize 50%" */
} imgtool_option;

typedef struct imgtool_operation {
    size_t size;
    const char *name, *synopsis;
    const char *help;    /* a paragraph, with newlines; options are written as --name */
    char example[256];   /* a step: "rotate angle=270" */
    size_t options;      /* how many */
    bool is_measurement; /* gives numbers, not a picture, and stands in no pipeline */
} imgtool_operation;
#define IMGTOOL_OPTION_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_option), NULL, NULL, IMGTOOL_VALUE_INTEGER, NULL, 0, 0, false               \
    }
#define IMGTOOL_OPERATION_INIT                                                                     \
    {                                                                                              \
        sizeof(imgtool_operation), NULL, NULL, NULL, "", 0, false                                  \
    }

/* Of all operations and their options, by number. False: there is no such number. Bindings can be
 * made of these. */
IMGTOOL_API size_t imgtool_operation_count(void);
IMGTOOL_API bool imgtool_operation_get(size_t index, imgtool_operation *operation);
IMGTOOL_API bool imgtool_option_get(size_t operation, size_t index, imgtool_option *option);

/* Words that an option takes: all there are of a choice, others beside numbers and colours. And
 * flags, which stand for a value by themselves: "resize 50% only-shrink". NULL past the last. */
IMGTOOL_API const char *imgtool_option_choice(size_t operation, size_t option, size_t index);
IMGTOOL_API const char *imgtool_option_flag(size_t operation, size_t option, size_t index);

/* Steps, from text as "resize 50% | sharpen amount=0.5". Once parsed it does not change: several
 * contexts may use it at the same time. */
typedef struct imgtool_pipeline imgtool_pipeline;

/* Reads files that steps name (lut, convolve, overlay). *pipeline is NULL on failure. USAGE names
 * the step and the column; IO. */
IMGTOOL_API imgtool_status imgtool_pipeline_parse(imgtool_context *context, const char *text,
                                                  imgtool_pipeline **pipeline,
                                                  imgtool_error *error);
IMGTOOL_API void imgtool_pipeline_destroy(imgtool_pipeline *pipeline);

/* All steps with all their values, so that parsing gives the same, and thumbnail as the steps that
 * it stands for; to be freed by imgtool_free. */
IMGTOOL_API imgtool_status imgtool_pipeline_text(imgtool_context *context,
                                                 const imgtool_pipeline *pipeline, char **text,
                                                 imgtool_error *error);

/* Does a step measure (trim), so that pixels decide on the result's size? False for NULL. */
IMGTOOL_API bool imgtool_pipeline_measures(const imgtool_pipeline *pipeline);

/* What will come of a picture of that size and format, worked out without pixels: `after` gets the
 * size and format of the result, *bytes the most memory that two pictures take at a time. Where a
 * size depends on pixels (trim), both are as if that step left the whole picture: steps after it
 * may make a larger one of a smaller (resize to a width of what is narrow becomes high), or one of
 * another format, where they do not apply to the whole. imgtool_run knows the size before it makes
 * anything of that, and holds it to the context's limits. `metadata`, `after` and `bytes` may be
 * NULL. UNSUPPORTED, LIMIT, USAGE. */
IMGTOOL_API imgtool_status imgtool_pipeline_plan(imgtool_context *context,
                                                 const imgtool_pipeline *pipeline,
                                                 const imgtool_picture *before,
                                                 const imgtool_metadata *metadata,
                                                 imgtool_picture *after, uint64_t *bytes,
                                                 imgtool_error *error);

/* Runs the steps on `from`, which stays as it is. Where `to->pixels` is NULL they are allocated;
 * else `to` has the shape that imgtool_pipeline_plan gave, must not overlap `from`, and gets
 * another size where pixels decide on that (imgtool_pipeline_measures; NULL suits these best):
 * USAGE, where it is a larger one. BGRA and floats are to be converted before, and palettes where a
 * step works on colours (imgtool_expand). Steps that copy pixels keep indices: turns, crop, trim
 * without a tolerance, pad, and by the filter nearest resize, rotate, affine and perspective. A
 * background that they show is found in the palette of `metadata` or added to it; where there is no
 * room, and without `metadata`, they work on colours. Beside a background gray and RGB get alpha
 * unless it is opaque, and gray becomes RGB unless it is gray. `metadata`, which may be NULL, tells
 * of orientation, light and palette, and is made true of the result: where a step gives samples
 * other values or adds alpha, a tRNS that calls a colour transparent is dropped, and its pixels
 * count as opaque. imgtool_expand keeps it, and so does decoding as RGBA or GRAY_ALPHA. Where
 * pixels change, a tIME becomes now, or what the environment's SOURCE_DATE_EPOCH says, in seconds
 * (USAGE where it is no number). On failure pixels of the caller's are undefined, and none are
 * allocated. */
IMGTOOL_API imgtool_status imgtool_run(imgtool_context *context, const imgtool_pipeline *pipeline,
                                       const imgtool_picture *from, imgtool_picture *to,
                                       imgtool_metadata *metadata, imgtool_error *error);

/* Makes transparency that is metadata (tRNS of gray, RGB and palettes) a channel, which steps keep:
 * where a step of `pipeline` works on channels, as imgtool_run says, or where it is NULL, `to`,
 * which has no pixels, gets GRAY_ALPHA or RGBA, and a palette without transparency RGB; the
 * metadata is made true of it. Run the steps on `to` then. Where there is nothing to expand `to`
 * stays as it is: run them on `from`. USAGE, UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_expand(imgtool_context *context,
                                          const imgtool_pipeline *pipeline,
                                          const imgtool_picture *from, imgtool_picture *to,
                                          imgtool_metadata *metadata, imgtool_error *error);

/* Parses, runs, and replaces the picture by its result. */
IMGTOOL_API imgtool_status imgtool_run_text(imgtool_context *context, const char *text,
                                            imgtool_picture *picture, imgtool_error *error);

/* The same on a GPU: pixels are device memory of the context's device, rows of `from` and `to`
 * start at multiples of 16 bytes, and their last rows are followed by as many readable bytes as
 * make such a multiple. `to` has the shape that imgtool_pipeline_plan gave; steps for which pixels
 * decide on it (trim) are UNSUPPORTED. `stream` is a cudaStream_t, on which all happens; the call
 * returns once the work is queued, and leaves the thread its current device. `workspace` is device
 * memory of at least the bytes that imgtool_device_workspace gives, aligned to 256, in use until
 * the stream is done. UNAVAILABLE without CUDA or GPU, DEVICE. */
IMGTOOL_API imgtool_status imgtool_device_workspace(imgtool_context *context,
                                                    const imgtool_pipeline *pipeline,
                                                    const imgtool_picture *from, size_t *bytes,
                                                    imgtool_error *error);
IMGTOOL_API imgtool_status imgtool_run_device(imgtool_context *context,
                                              const imgtool_pipeline *pipeline,
                                              const imgtool_picture *from,
                                              const imgtool_picture *to, void *workspace,
                                              void *stream, imgtool_error *error);

/* Device memory for programs that have no CUDA of their own. Of the context's device, aligned to
 * 256 bytes; what is allocated may be read to the next multiple of 16. MEMORY, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_allocate(imgtool_context *context, size_t bytes,
                                                   void **memory, imgtool_error *error);
/* Waits for what the device is doing. Harmless on NULL. */
IMGTOOL_API void imgtool_device_free(int32_t device, void *memory);

/* Copies pixels of one size and format between host memory and the device, or within it; returns
 * once they are there, after what the stream has before. USAGE, DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_copy(imgtool_context *context,
                                               const imgtool_picture *from,
                                               const imgtool_picture *to, void *stream,
                                               imgtool_error *error);
/* Returns once the stream has done all that is queued. DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_wait(imgtool_context *context, void *stream,
                                               imgtool_error *error);

/* --- Measurements ----------------------------------------------------------------------------- */

/* Counts of values: a row of 2^bits entries for each channel and, last, one for luma (BT.709) where
 * the picture has colour. *rows gets their number; `counts` is NULL where nobody asks for more, or
 * has room for `entries`, at least those of all rows. Of palettes indices are counted. USAGE,
 * UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_histogram(imgtool_context *context,
                                             const imgtool_picture *picture, uint64_t *counts,
                                             size_t entries, int32_t *rows, imgtool_error *error);

typedef struct imgtool_statistics {
    size_t size;
    uint64_t pixels;
    uint32_t minimum, maximum, median;
    double mean, deviation, entropy; /* deviation of all pixels: divided by n */
    uint64_t lowest, highest;        /* pixels of value 0, and of the largest there can be */
} imgtool_statistics;
#define IMGTOOL_STATISTICS_INIT                                                                    \
    {                                                                                              \
        sizeof(imgtool_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0                                      \
    }

/* Exact, from a row of counts. */
IMGTOOL_API imgtool_status imgtool_statistics_of(const uint64_t *counts, size_t entries,
                                                 imgtool_statistics *statistics,
                                                 imgtool_error *error);

typedef struct imgtool_difference {
    size_t size;
    uint64_t pixels, differing; /* pixels that differ in any channel */
    uint32_t largest;           /* difference in any channel; the first such pixel is at x, y */
    int32_t x, y;
    double mse, psnr; /* psnr is infinite where mse is 0 */
    double ssim;      /* of luma, or of gray */
} imgtool_difference;
#define IMGTOOL_DIFFERENCE_INIT                                                                    \
    {                                                                                              \
        sizeof(imgtool_difference), 0, 0, 0, 0, 0, 0, 0, 0                                         \
    }

/* Of two pictures of one size; formats may differ, and values are those of the deeper one, of 8
 * bits at least. BGRA,
 * floats and palettes are to be converted before. USAGE, UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_compare(imgtool_context *context, const imgtool_picture *a,
                                           const imgtool_picture *b, imgtool_difference *difference,
                                           imgtool_error *error);

/* --- Devices ---------------------------------------------------------------------------------- */

typedef struct imgtool_device {
    size_t size;
    int32_t index;
    char name[256];
    int32_t compute_major, compute_minor;
    uint64_t memory_bytes;
} imgtool_device;
#define IMGTOOL_DEVICE_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_device), 0, "", 0, 0, 0                                                     \
    }

/* *count is the number of GPUs; up to `capacity` of them are described, in structs that all have
 * the size of the first. UNAVAILABLE, with the
 * reason, where this build has no CUDA or the machine no driver. */
IMGTOOL_API imgtool_status imgtool_devices(imgtool_device *devices, size_t capacity, size_t *count,
                                           imgtool_error *error);

#ifdef __cplusplus
}
#endif
#endif
