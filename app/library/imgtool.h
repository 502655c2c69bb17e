/* libimgtool: imgtool's PNG codec, operations and executor for other programs.
 *
 * A context owns threads, memory and a GPU. One thread at a time may use it; several contexts are
 * independent of each other. The library does not print, exit, handle signals or keep state outside
 * contexts. It reads no environment variable except SOURCE_DATE_EPOCH (imgtool_run).
 *
 * fork(): a context and its readers stay usable in the parent only, because fork() does not copy
 * threads. In the child their functions return IMGTOOL_E_USAGE, except those that destroy and free;
 * create a new context there. Pictures, metadata and pipelines are usable in both. If the parent
 * used a GPU, the child can use the CPU only: CUDA does not survive fork().
 *
 * Every struct that may grow begins with its size: set it by its initialiser, IMGTOOL_..._INIT.
 * Functions that can fail return a status and, if `error` is not NULL, fill it with a message of
 * one line. Pixel counts are int32_t, byte counts are size_t; a stride is the number of bytes from
 * one row to the next. Text is UTF-8.
 *
 *     imgtool_context *context = NULL;
 *     imgtool_picture picture = IMGTOOL_PICTURE_INIT;
 *     imgtool_error error = IMGTOOL_ERROR_INIT;
 *     picture.format.color = IMGTOOL_RGBA; // convert any file to RGBA
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

/* Version of this header. The soname contains the major number: a program runs with any later
 * library of the same major number. */
#define IMGTOOL_VERSION_MAJOR 0
#define IMGTOOL_VERSION_MINOR 2
#define IMGTOOL_VERSION_PATCH 0

/* Returns the version of the library that runs, such as "0.2.0". The text is static. */
IMGTOOL_API const char *imgtool_version(void);

/* --- Errors ----------------------------------------------------------------------------------- */

typedef enum imgtool_status {
    IMGTOOL_OK = 0,
    IMGTOOL_E_USAGE,  /* an argument is invalid, such as an unknown name or a value out of range */
    IMGTOOL_E_IO,     /* a file could not be opened, read, written or renamed */
    IMGTOOL_E_FORMAT, /* a file is damaged, or of a kind that is not supported */
    IMGTOOL_E_LIMIT,  /* a limit of the context is exceeded */
    IMGTOOL_E_MEMORY, /* memory is exhausted */
    IMGTOOL_E_UNSUPPORTED, /* the operation does not support this picture */
    /* the backend, device or implementation is not in this build or on this machine */
    IMGTOOL_E_UNAVAILABLE,
    IMGTOOL_E_DEVICE,   /* a GPU failed during the work */
    IMGTOOL_E_CANCELLED /* the progress callback cancelled the call */
} imgtool_status;

typedef struct imgtool_error {
    size_t size;
    imgtool_status status;
    char message[1024]; /* one line without a newline; empty on success */
} imgtool_error;
#define IMGTOOL_ERROR_INIT                                                                         \
    {                                                                                              \
        sizeof(imgtool_error), IMGTOOL_OK, ""                                                      \
    }

/* Returns a short text such as "damaged or unsupported file", for programs that kept only the
 * status. The text is static. */
IMGTOOL_API const char *imgtool_status_text(imgtool_status status);

/* --- Contexts --------------------------------------------------------------------------------- */

typedef struct imgtool_context imgtool_context;

typedef enum imgtool_backend {
    /* the GPU if it is faster, including the time to start it; otherwise the CPU */
    IMGTOOL_BACKEND_AUTO,
    IMGTOOL_BACKEND_CPU,
    IMGTOOL_BACKEND_CUDA /* the GPU only; calls fail if there is none */
} imgtool_backend;

/* Functions that allocate and free the pixels and files that the library returns to the caller.
 * They behave like malloc and free. Set both or neither. */
typedef struct imgtool_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} imgtool_allocator;

/* Called between the parts of a long call, on the thread that called the library, after `done` of
 * `total` steps. Return false to stop: the call then fails with IMGTOOL_E_CANCELLED and leaves
 * nothing behind. `done` is 0 and `total` is 1 if a signal interrupts a wait for a pipe. This
 * happens for signals whose handlers were installed without SA_RESTART. */
typedef bool imgtool_progress(void *user, uint64_t done, uint64_t total);

typedef struct imgtool_config {
    size_t size;
    /* maximum number of CPU threads; 0: one per CPU that the process may use */
    int32_t threads;
    imgtool_backend backend;
    /* index of the GPU, from 0; a call that uses the GPU makes it the current device of the
     * thread */
    int32_t device;
    uint64_t max_pixels; /* maximum number of pixels of each picture; 0: 500 million */
    /* limit in bytes for everything that a call holds at one time: file, pictures and working
     * memory; 0: no limit */
    uint64_t max_memory;
    imgtool_allocator allocator; /* allocator for results; all members NULL: malloc and free */
    imgtool_progress *progress;  /* called during long calls; NULL: no progress is reported */
    void *progress_user;
} imgtool_config;
#define IMGTOOL_CONFIG_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_config), 0, IMGTOOL_BACKEND_AUTO, 0, 0, 0, {NULL, NULL, NULL}, NULL, NULL   \
    }

/* Copies `config`; NULL stands for IMGTOOL_CONFIG_INIT. Starts no thread and opens no device: the
 * first call that needs them does. On failure *context is NULL. Errors: USAGE, MEMORY, UNAVAILABLE
 * for a backend that is not in this build. */
IMGTOOL_API imgtool_status imgtool_context_create(const imgtool_config *config,
                                                  imgtool_context **context, imgtool_error *error);

/* Destroys the context. Destroy first everything that was created from it. Does nothing for NULL.
 * In a forked child it does not wait for threads, and does not free the memory of threads and
 * devices. */
IMGTOOL_API void imgtool_context_destroy(imgtool_context *context);

/* --- Pictures --------------------------------------------------------------------------------- */

/* Channels are interleaved, in the order of the name. Alpha is straight, not premultiplied. */
typedef enum imgtool_color {
    IMGTOOL_AS_IT_IS, /* in requests only: keep the colour type of the file */
    IMGTOOL_GRAY,
    IMGTOOL_GRAY_ALPHA,
    IMGTOOL_RGB,
    IMGTOOL_RGBA,
    IMGTOOL_BGRA,   /* with 8 bits only: the order that windowing systems and video use */
    IMGTOOL_PALETTE /* palette indices; the colours are in the metadata ("PLTE", "tRNS") */
} imgtool_color;

/* Format of pixels. `bits` is the depth of a sample. 8: one byte. 16: native byte order. 32: a
 * float from 0 to 1, for decoded pictures. 1, 2 and 4: gray or palette indices as they are in a
 * file, one sample per byte. Such samples are not scaled, so that 4-bit gray has values from 0 to
 * 15; larger values are rejected with USAGE. */
typedef struct imgtool_format {
    imgtool_color color;
    int32_t bits;
} imgtool_format;

/* Pixels in host memory. No other thread may change them during a call. If `pixels` belong to the
 * caller, the library neither reads nor writes the bytes between rows. */
typedef struct imgtool_picture {
    size_t size;
    int32_t width, height; /* size in pixels; both are at least 1 */
    imgtool_format format;
    void *pixels;
    size_t stride; /* bytes per row: at least width times imgtool_pixel_size */
    /* true if the context's allocator made `pixels`: imgtool_picture_free frees them */
    bool owned;
} imgtool_picture;
#define IMGTOOL_PICTURE_INIT                                                                       \
    {                                                                                              \
        sizeof(imgtool_picture), 0, 0, {IMGTOOL_AS_IT_IS, 0}, NULL, 0, false                       \
    }

/* Returns the number of bytes per pixel, 1 to 16, or 0 for an invalid format. */
IMGTOOL_API size_t imgtool_pixel_size(imgtool_format format);

/* Allocates pixels for a picture whose width, height and format are set. Their content is
 * undefined. Errors: LIMIT, MEMORY, USAGE for an invalid size or format. */
IMGTOOL_API imgtool_status imgtool_picture_allocate(imgtool_context *context,
                                                    imgtool_picture *picture, imgtool_error *error);

/* Frees the pixels if the picture owns them, and sets the picture to IMGTOOL_PICTURE_INIT. Does
 * nothing for an empty picture. */
IMGTOOL_API void imgtool_picture_free(imgtool_context *context, imgtool_picture *picture);

/* Copies `from` into the pixels of `to`, which has the same size and any format with channels.
 * Colour becomes gray by BT.709 luma of the stored samples. 16 bits become 8 by rounding; 8 become
 * 16 without loss. Missing alpha becomes opaque. Alpha that `to` does not have is dropped. Palettes
 * are converted by imgtool_reader_decode, and not here. Errors: USAGE, UNSUPPORTED. */
IMGTOOL_API imgtool_status imgtool_convert(imgtool_context *context, const imgtool_picture *from,
                                           imgtool_picture *to, imgtool_error *error);

/* --- Metadata --------------------------------------------------------------------------------- */

/* The ancillary chunks and the palette of a PNG, as they are in the file. */
typedef struct imgtool_metadata imgtool_metadata;

typedef struct imgtool_chunk {
    size_t size;
    char type[5]; /* type of the chunk, such as "iCCP", terminated by a zero byte */
    /* content of the chunk without length, type and CRC; borrowed until the metadata changes */
    const void *data;
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

/* imgtool_metadata_count returns the number of chunks. imgtool_metadata_chunk fills *chunk with
 * chunk number `index` in file order, or returns false if the index is out of range. */
IMGTOOL_API size_t imgtool_metadata_count(const imgtool_metadata *metadata);
IMGTOOL_API bool imgtool_metadata_chunk(const imgtool_metadata *metadata, size_t index,
                                        imgtool_chunk *chunk);

/* Replaces all chunks of this type by a copy of `data`. PLTE can be set, too, with 3 bytes per
 * entry. If `data` is NULL, removes the chunks. The type determines the position in the file. Only
 * the content of PLTE is checked. Errors: USAGE for an invalid type, for a critical chunk, and, if
 * `data` is not NULL, for a type that PNG reserves (lower-case third letter); MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_set(imgtool_metadata *metadata, const char *type,
                                                const void *data, size_t bytes,
                                                imgtool_error *error);

/* Appends a text chunk (iTXt). `keyword` is UTF-8: 1 to 79 characters that also exist in Latin-1,
 * without leading, trailing or consecutive spaces. Errors: USAGE, MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_add_text(imgtool_metadata *metadata,
                                                     const char *keyword, const char *text,
                                                     imgtool_error *error);

/* Adapts the metadata of pixels in the format `before` (from imgtool_reader_info) to the same
 * pixels in the format `after`. Palette and tRNS are removed if channels replace them. If samples
 * get more bits, the transparent colour of tRNS and the colour of bKGD are scaled. If samples get
 * fewer bits or other channels, tRNS is dropped: decode with alpha to keep transparency. The
 * metadata of a reader is read-only, so copy it first. Errors: USAGE, MEMORY. */
IMGTOOL_API imgtool_status imgtool_metadata_convert(imgtool_metadata *metadata,
                                                    imgtool_format before, imgtool_format after,
                                                    imgtool_error *error);

/* Returns the EXIF orientation, 1 to 8, from any chunk that can hold it. Returns 0 if there is
 * none. */
IMGTOOL_API int32_t imgtool_metadata_orientation(const imgtool_metadata *metadata);

/* --- Reading ---------------------------------------------------------------------------------- */

/* A PNG file to read. A reader passes through three states. Open: the header is known, and no
 * memory for pixels is allocated. Loaded: the rest of the file and its metadata are in memory.
 * Decoded: the pixels were delivered, which is possible once. */
typedef struct imgtool_reader imgtool_reader;

/* Reads up to `bytes` bytes into `data`, and sets *got to their number; 0 means the end. Return
 * false if reading failed. */
typedef bool imgtool_read_function(void *user, void *data, size_t bytes, size_t *got);

/* Opens a file by its path. Here "-" is the name of an ordinary file. On failure *reader is NULL.
 * Errors: IO, LIMIT, FORMAT for a file that is not a PNG (the message names other known
 * formats). */
IMGTOOL_API imgtool_status imgtool_open_file(imgtool_context *context, const char *path,
                                             imgtool_reader **reader, imgtool_error *error);
/* Opens a file in memory, which is borrowed until the reader is destroyed. If another thread or
 * process changes the bytes during this time, the result is FORMAT or a mixture, but never a memory
 * error. A mapped file that becomes shorter raises SIGBUS. Open a file that others may truncate by
 * its path. */
IMGTOOL_API imgtool_status imgtool_open_memory(imgtool_context *context, const void *data,
                                               size_t bytes, imgtool_reader **reader,
                                               imgtool_error *error);
/* Opens a source of bytes that the function `read` provides. The source is read to its end when the
 * pixels or the metadata are requested. */
IMGTOOL_API imgtool_status imgtool_open_callback(imgtool_context *context,
                                                 imgtool_read_function *read, void *user,
                                                 imgtool_reader **reader, imgtool_error *error);
IMGTOOL_API void imgtool_reader_destroy(imgtool_reader *reader);

typedef struct imgtool_info {
    size_t size;
    int32_t width, height;
    imgtool_format format; /* format of the pixels in the file */
    bool interlaced;
    /* true for an alpha channel, and for transparent palette entries or colours; decode as RGBA to
     * get the transparency */
    bool has_alpha;
    bool animated; /* true for an APNG, of which only the still picture is read */
    size_t file_bytes;
} imgtool_info;
#define IMGTOOL_INFO_INIT                                                                          \
    {                                                                                              \
        sizeof(imgtool_info), 0, 0, {IMGTOOL_AS_IT_IS, 0}, false, false, false, 0                  \
    }

/* Fills *info from the header of the file. The members has_alpha, animated and file_bytes are
 * complete only after loading. */
IMGTOOL_API imgtool_status imgtool_reader_info(imgtool_reader *reader, imgtool_info *info,
                                               imgtool_error *error);

/* Loads the file if it is not loaded yet. Checks chunks in the same way as libpng. Errors: FORMAT,
 * IO, LIMIT. */
IMGTOOL_API imgtool_status imgtool_reader_load(imgtool_reader *reader, imgtool_error *error);

/* Loads the file if necessary. Returns its metadata, borrowed until the reader is destroyed.
 * Returns NULL if loading failed. */
IMGTOOL_API const imgtool_metadata *imgtool_reader_metadata(imgtool_reader *reader,
                                                            imgtool_error *error);

/* Returns warning number `index`, a text of one line, or NULL past the last warning. Warnings are
 * about harmless damage, and about data that this reader drops. The list is complete after
 * decoding. The text is borrowed until the reader is destroyed. */
IMGTOOL_API const char *imgtool_reader_warning(const imgtool_reader *reader, size_t index);

/* Decodes the pixels, once, to `picture->format`. IMGTOOL_AS_IT_IS keeps the colour type of the
 * file, and 0 bits keep its depth. If `picture->pixels` is NULL, the pixels are allocated.
 * Otherwise width and height must be those of the file, and the pixels are written there. Palettes
 * and transparent colours become channels if the format has channels.
 *
 * The result is FORMAT for damage that libpng also rejects: truncation, wrong checksums, too little
 * or too much image data. On failure nothing is allocated, and the content of the caller's pixels
 * is undefined. Errors: USAGE for a second decoding or a picture that does not fit; UNSUPPORTED for
 * a format that this file cannot be converted to; FORMAT, IO, LIMIT, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_reader_decode(imgtool_reader *reader, imgtool_picture *picture,
                                                 imgtool_error *error);

/* Receives a block of rows that starts at row `first`; blocks come in order, from the first row to
 * the last. The rows are borrowed during the call. Return false to stop (CANCELLED). The library
 * makes one call at a time, on the thread that called the library. */
typedef bool imgtool_rows_function(void *user, const imgtool_picture *rows, int32_t first);

/* Decodes like imgtool_reader_decode, but passes the rows to `take`. Only some rows are in memory
 * at a time, with two exceptions: interlaced pictures, and files that are accepted despite damage
 * past the last row. If the call fails, rows that were delivered earlier are unverified. Fewer
 * threads are used if the buffers of all threads would exceed max_memory. */
IMGTOOL_API imgtool_status imgtool_reader_rows(imgtool_reader *reader, imgtool_format format,
                                               imgtool_rows_function *take, void *user,
                                               imgtool_error *error);

/* Opens, decodes and closes a file. `metadata` may be NULL; otherwise the caller destroys
 * *metadata. It is adapted to the pixels, as by imgtool_metadata_convert: no palette if there are
 * channels, no tRNS if there is alpha. */
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
    int32_t level; /* PNG: compression from 1 (fastest) to 9 (smallest); 0: stored */
    /* PNG: adds an index for parallel decoding, which costs some bytes */
    bool index;
    bool interlaced; /* PNG: writes an Adam7 interlaced file */
    int32_t quality; /* JPEG: 1 to 100 */
    /* metadata to write, borrowed; NULL: none. Chunks that do not fit the picture are left out:
     * tRNS beside alpha, an RGB profile beside gray */
    const imgtool_metadata *metadata;
} imgtool_encoding;
#define IMGTOOL_ENCODING_INIT                                                                      \
    {                                                                                              \
        sizeof(imgtool_encoding), IMGTOOL_PNG, 4, true, false, 90, NULL                            \
    }

/* Writes a picture to a file. If `encoding` is NULL, it is IMGTOOL_ENCODING_INIT. Accepts pictures
 * of channels with 8 or 16 bits. Also accepts pictures of 1, 2 and 4 bits and palettes, in the form
 * in which they are read. The result has the same bytes with any number of threads.
 *
 * The file is written to a hidden temporary file, ".NAME.XXXXXX.tmp" in the same directory, and
 * renamed atomically; until then an existing file is untouched. A process that is killed before the
 * rename leaves the temporary file behind. A file that replaces another keeps its permissions,
 * group, access control list (POSIX ACL) and user attributes, as far as the system allows. Pipes
 * and devices are written in place. If the reader of a pipe is gone, the system sends SIGPIPE,
 * unless the program ignores it.
 *
 * Errors: USAGE, UNSUPPORTED, IO, LIMIT, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_write_file(imgtool_context *context,
                                              const imgtool_picture *picture,
                                              const imgtool_encoding *encoding, const char *path,
                                              imgtool_error *error);
/* Writes a picture to memory of the context's allocator. Free *data with imgtool_free. The encoded
 * file counts toward max_memory. While its buffer grows, the old and the new buffer both count. */
IMGTOOL_API imgtool_status imgtool_write_memory(imgtool_context *context,
                                                const imgtool_picture *picture,
                                                const imgtool_encoding *encoding, void **data,
                                                size_t *bytes, imgtool_error *error);
/* Writes all `bytes` bytes of `data`. Return false if writing failed; the call then fails with IO.
 * The library makes one call at a time, but possibly from an encoding thread of the context instead
 * of the calling thread. */
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
    IMGTOOL_VALUE_DECIMAL, /* a number that is rounded to three decimal places */
    IMGTOOL_VALUE_CHOICE,
    IMGTOOL_VALUE_COLOR,   /* a colour, such as "#ff0000", "red" or "transparent" */
    IMGTOOL_VALUE_NUMBERS, /* several numbers, such as "0.299,0.587,0.114" */
    IMGTOOL_VALUE_SIZE,    /* a size, such as "800x600", "800", "x600" or "50%" */
    IMGTOOL_VALUE_RATIO,   /* a ratio, such as "16:9" */
    IMGTOOL_VALUE_FILE,    /* the path of a file */
    IMGTOOL_VALUE_RANGE    /* a range of integers, such as "60-80", or only its end, "80" */
} imgtool_value;

/* An option of an operation. All text is static. */
typedef struct imgtool_option {
    size_t size;
    const char *name, *help;
    imgtool_value value;
    const char *default_text; /* default as a user would type it; "" if there is none */
    double minimum, maximum;  /* inclusive limits of numbers; otherwise 0 */
    /* true if the value may be given without the name, as in "resize 50%" */
    bool stands_alone;
} imgtool_option;

typedef struct imgtool_operation {
    size_t size;
    const char *name, *synopsis;
    /* a paragraph that may contain newlines, and that names options as --name */
    const char *help;
    char example[256]; /* an example of a step, such as "rotate angle=270" */
    size_t options;    /* number of options */
    /* true if the operation returns numbers instead of a picture; such an operation cannot be part
     * of a pipeline */
    bool is_measurement;
} imgtool_operation;
#define IMGTOOL_OPTION_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_option), NULL, NULL, IMGTOOL_VALUE_INTEGER, NULL, 0, 0, false               \
    }
#define IMGTOOL_OPERATION_INIT                                                                     \
    {                                                                                              \
        sizeof(imgtool_operation), NULL, NULL, NULL, "", 0, false                                  \
    }

/* These functions list all operations and their options by index, for example to generate bindings.
 * imgtool_operation_get and imgtool_option_get return false if an index is out of range. */
IMGTOOL_API size_t imgtool_operation_count(void);
IMGTOOL_API bool imgtool_operation_get(size_t index, imgtool_operation *operation);
IMGTOOL_API bool imgtool_option_get(size_t operation, size_t index, imgtool_option *option);

/* Each of these two functions returns word number `index` of an option, or NULL past the last word.
 * imgtool_option_choice lists the values of a choice, and keywords beside numbers and colours.
 * imgtool_option_flag lists flags, which are words that need no value, as in "resize 50%
 * only-shrink". */
IMGTOOL_API const char *imgtool_option_choice(size_t operation, size_t option, size_t index);
IMGTOOL_API const char *imgtool_option_flag(size_t operation, size_t option, size_t index);

/* A sequence of steps, parsed from text such as "resize 50% | sharpen amount=0.5". It is immutable
 * after parsing: several contexts may use it at the same time. */
typedef struct imgtool_pipeline imgtool_pipeline;

/* Parses the text and reads the files that steps name (lut, convolve, overlay). On failure
 * *pipeline is NULL. Errors: USAGE with the step and the column; IO. */
IMGTOOL_API imgtool_status imgtool_pipeline_parse(imgtool_context *context, const char *text,
                                                  imgtool_pipeline **pipeline,
                                                  imgtool_error *error);
IMGTOOL_API void imgtool_pipeline_destroy(imgtool_pipeline *pipeline);

/* Sets *text to a text with all steps and all their values. Parsing it gives the same pipeline. A
 * thumbnail is written as the steps that it consists of. Free the text with imgtool_free. */
IMGTOOL_API imgtool_status imgtool_pipeline_text(imgtool_context *context,
                                                 const imgtool_pipeline *pipeline, char **text,
                                                 imgtool_error *error);

/* Returns true if a step measures the picture (trim), so that the size of the result depends on
 * pixels. Returns false for NULL. */
IMGTOOL_API bool imgtool_pipeline_measures(const imgtool_pipeline *pipeline);

/* Computes the result for a picture with the size and format of `before`, without its pixels.
 * `after` gets the size and format of the result, and *bytes the peak memory of two successive
 * pictures.
 *
 * If a size depends on pixels (trim), `after` and *bytes are computed as if that step kept the
 * whole picture. The real result can then be larger, as when a narrow picture becomes tall because
 * it is resized to a fixed width. It can also have another format, if later steps do not apply to
 * the whole picture. imgtool_run learns the real size before it allocates the result, and then
 * applies the context's limits.
 *
 * `metadata`, `after` and `bytes` may be NULL. Errors: UNSUPPORTED, LIMIT, USAGE. */
IMGTOOL_API imgtool_status imgtool_pipeline_plan(imgtool_context *context,
                                                 const imgtool_pipeline *pipeline,
                                                 const imgtool_picture *before,
                                                 const imgtool_metadata *metadata,
                                                 imgtool_picture *after, uint64_t *bytes,
                                                 imgtool_error *error);

/* Runs the steps on `from`, which is not changed. If `to->pixels` is NULL, the pixels are
 * allocated. Otherwise `to` must have the size and format that imgtool_pipeline_plan gave, and must
 * not overlap `from`. If the size depends on pixels (imgtool_pipeline_measures), the call sets the
 * size of `to` to the real size. It fails with USAGE if the real size is larger than the caller's
 * `to`, so `to->pixels` should be NULL for such pipelines. Convert BGRA and floats first, and
 * palettes (imgtool_expand) if a step works on colours.
 *
 * Steps that copy pixels keep palette indices: turns, crop, trim without a tolerance, pad, and with
 * the filter nearest also resize, rotate, affine and perspective. Their background is looked up in
 * the palette of `metadata`, or added to it. Without `metadata`, or if the palette is full, these
 * steps work on colours. If the background of a step is not opaque, the result of a gray or RGB
 * picture has alpha. If the background has a colour that is not gray, the result of a gray picture
 * is RGB.
 *
 * The result of quantize has palette indices, and `metadata` gets the palette. Without `metadata`,
 * or if a later step works on colours, the result has the colours of the palette as RGB or RGBA. If
 * the caller allocated `to`, the call sets its bits to those that the indices need.
 *
 * `metadata` may be NULL. It supplies the orientation, the transfer function and the palette, and
 * is updated to fit the result. If a step changes sample values or adds alpha, a tRNS with a
 * transparent colour is dropped, and its pixels count as opaque. To keep it, use imgtool_expand, or
 * decode as RGBA or GRAY_ALPHA. If pixels change, tIME becomes the current time. If the environment
 * has SOURCE_DATE_EPOCH, tIME becomes that time in seconds (USAGE if it is not a number).
 *
 * On failure nothing is allocated, and the content of the caller's pixels is undefined. */
IMGTOOL_API imgtool_status imgtool_run(imgtool_context *context, const imgtool_pipeline *pipeline,
                                       const imgtool_picture *from, imgtool_picture *to,
                                       imgtool_metadata *metadata, imgtool_error *error);

/* Converts transparency in metadata (tRNS of gray, RGB and palettes) to a channel, which steps
 * keep. Does so if a step of `pipeline` works on channels (see imgtool_run), or if `pipeline` is
 * NULL. `to`, which must have no pixels, then gets GRAY_ALPHA or RGBA, or RGB for a palette without
 * transparency. The metadata is updated; run the steps on `to`. In all other cases `to` is not
 * changed; run the steps on `from`. Errors: USAGE, UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_expand(imgtool_context *context,
                                          const imgtool_pipeline *pipeline,
                                          const imgtool_picture *from, imgtool_picture *to,
                                          imgtool_metadata *metadata, imgtool_error *error);

/* Parses `text`, runs its steps on the picture, and replaces the picture by the result. */
IMGTOOL_API imgtool_status imgtool_run_text(imgtool_context *context, const char *text,
                                            imgtool_picture *picture, imgtool_error *error);

/* Settings of imgtool_run_file. */
typedef struct imgtool_file_run {
    size_t size;
    /* how the result is encoded. The members `metadata` and `interlaced` are ignored: the result
     * gets the metadata of the source and is interlaced like it, as far as they fit. NULL: the
     * extension of `to` (png, jpg, jpeg, bmp, tga) chooses the format, and the other settings are
     * those of IMGTOOL_ENCODING_INIT */
    const imgtool_encoding *encoding;
    /* existing directory for temporary files; NULL: the directory of `to` */
    const char *temporary;
    /* true: the call does not fail although data is lost: of an animation only the still picture is
     * kept, and, if `to` replaces `from`, chunks whose CRC is wrong are dropped */
    bool accepts_losses;
    /* Called with each note about the source or the result, a text of one line, such as a colour
     * profile that does not fit. Any thread may call it, one at a time. NULL: notes are dropped */
    void (*note)(void *user, const char *text);
    void *user;
} imgtool_file_run;
#define IMGTOOL_FILE_RUN_INIT                                                                      \
    {                                                                                              \
        sizeof(imgtool_file_run), NULL, NULL, false, NULL, NULL                                    \
    }

/* Reads the file `from`, runs the steps, and writes the result to the file `to`: the same bytes as
 * `imgtool run` writes. Rows are decoded, processed and encoded in bands where the steps allow it,
 * so that only some rows are in memory. A picture that needs more than max_memory is kept in
 * unnamed temporary files. Here max_memory 0 means three quarters of the memory of the machine, or
 * of the limit of its control group if that is lower. max_pixels limits the picture only if it was
 * set. `pipeline` NULL: no steps, only another encoding. If the pixels do not change, and the level
 * is that of IMGTOOL_ENCODING_INIT, the compressed pixels of `from` are written if they are
 * smaller. `run` NULL: IMGTOOL_FILE_RUN_INIT. Both paths may be the same. "-" is the name of an
 * ordinary file.
 *
 * The result is written as by imgtool_write_file; on failure an existing file `to` is unchanged.
 * Messages begin with the name of the file that they concern. Errors: USAGE, IO, FORMAT, LIMIT,
 * MEMORY, UNSUPPORTED, UNAVAILABLE, DEVICE, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_run_file(imgtool_context *context,
                                            const imgtool_pipeline *pipeline, const char *from,
                                            const char *to, const imgtool_file_run *run,
                                            imgtool_error *error);

/* Settings of imgtool_optimize. */
typedef struct imgtool_optimization {
    size_t size;
    int32_t effort;   /* how much is tried: 1 is the fastest, 9 gives the smallest file */
    bool clear_alpha; /* true: colours of fully transparent pixels may change */
    bool keep_type;   /* true: colour type and bits per sample stay */
    bool keep_alpha;  /* true: transparency stays even if all pixels are opaque */
    bool keep_color;  /* true: colours do not become gray */
    /* as in imgtool_file_run; an animation is copied as it is if this is false */
    bool accepts_losses;
    void (*note)(void *user, const char *text); /* as in imgtool_file_run */
    void *user;
} imgtool_optimization;
#define IMGTOOL_OPTIMIZATION_INIT                                                                  \
    {                                                                                              \
        sizeof(imgtool_optimization), 4, false, false, false, false, false, NULL, NULL             \
    }

/* Writes to the file `to` the smallest PNG that has the pixels and the metadata of the file `from`:
 * the same bytes as `imgtool optimize` writes. The result is decoded and compared before it is
 * written. It is never larger than `from`; a file that cannot become smaller is copied. File and
 * picture are in memory as a whole. `optimization` NULL: IMGTOOL_OPTIMIZATION_INIT. Both paths may
 * be the same. Unless `saved` is NULL, sets *saved to the bytes by which `to` is smaller.
 *
 * The result is written as by imgtool_write_file; on failure an existing file `to` is unchanged.
 * Messages begin with the name of the file that they concern. Errors: USAGE, IO, FORMAT, LIMIT,
 * MEMORY, UNSUPPORTED, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_optimize(imgtool_context *context, const char *from,
                                            const char *to,
                                            const imgtool_optimization *optimization,
                                            uint64_t *saved, imgtool_error *error);

/* These two functions run a pipeline on a GPU. imgtool_device_workspace sets *bytes to the size of
 * the working memory, and imgtool_run_device runs the steps. Pixels are in memory of the context's
 * device. Rows of `from` and `to` start at multiples of 16 bytes, and the last rows are readable up
 * to the next such multiple. `to` has the shape that imgtool_pipeline_plan gave. A step whose
 * result has a size that depends on the pixels (trim) fails with UNSUPPORTED.
 *
 * All work goes to `stream`, a cudaStream_t. The call returns after queueing the work, and restores
 * the current device of the thread. `workspace` is device memory of at least the size that
 * imgtool_device_workspace gave, aligned to 256 bytes, and in use until the stream is done. Errors:
 * USAGE, UNSUPPORTED, LIMIT, MEMORY, DEVICE, and UNAVAILABLE without CUDA or without a GPU. */
IMGTOOL_API imgtool_status imgtool_device_workspace(imgtool_context *context,
                                                    const imgtool_pipeline *pipeline,
                                                    const imgtool_picture *from, size_t *bytes,
                                                    imgtool_error *error);
IMGTOOL_API imgtool_status imgtool_run_device(imgtool_context *context,
                                              const imgtool_pipeline *pipeline,
                                              const imgtool_picture *from,
                                              const imgtool_picture *to, void *workspace,
                                              void *stream, imgtool_error *error);

/* Allocates memory of the context's device, for programs without CUDA. The memory is aligned to 256
 * bytes, and readable up to the next multiple of 16 bytes. Errors: MEMORY, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_allocate(imgtool_context *context, size_t bytes,
                                                   void **memory, imgtool_error *error);
/* Waits until the device is idle, then frees the memory. Does nothing for NULL. */
IMGTOOL_API void imgtool_device_free(int32_t device, void *memory);

/* Copies pixels between host memory and the device, or within the device, in stream order. Both
 * pictures have the same size and format. Returns when the copy is complete. Errors: USAGE, DEVICE,
 * UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_copy(imgtool_context *context,
                                               const imgtool_picture *from,
                                               const imgtool_picture *to, void *stream,
                                               imgtool_error *error);
/* Returns when all work queued on the stream is done. Errors: DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_device_wait(imgtool_context *context, void *stream,
                                               imgtool_error *error);

/* Creates a stream (cudaStream_t) of the context's device, for programs without CUDA. It does not
 * wait for the default stream. Errors: MEMORY, DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_stream_create(imgtool_context *context, void **stream,
                                                 imgtool_error *error);
/* Destroys a stream without waiting for it; its work is still done. Does nothing for NULL. */
IMGTOOL_API void imgtool_stream_destroy(int32_t device, void *stream);

/* Makes work that is queued on `stream` after this call wait for the work that is queued on `other`
 * now. Does not block. Any thread may call it. Errors: DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_stream_wait(int32_t device, void *stream, void *other,
                                               imgtool_error *error);

/* --- Measurements ----------------------------------------------------------------------------- */

/* Counts sample values. Each channel has one row of 2^bits entries; a last row is for luma (BT.709)
 * if the picture has colour. *rows gets the number of rows. `counts` has `entries` entries, enough
 * for all rows, or is NULL to get only *rows. In a palette picture indices are counted. Errors:
 * USAGE, UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_histogram(imgtool_context *context,
                                             const imgtool_picture *picture, uint64_t *counts,
                                             size_t entries, int32_t *rows, imgtool_error *error);

typedef struct imgtool_statistics {
    size_t size;
    uint64_t pixels;
    uint32_t minimum, maximum, median;
    /* mean; population standard deviation (divided by n); entropy in bits per pixel */
    double mean, deviation, entropy;
    /* number of pixels with the value 0; number of pixels with the largest possible value */
    uint64_t lowest, highest;
} imgtool_statistics;
#define IMGTOOL_STATISTICS_INIT                                                                    \
    {                                                                                              \
        sizeof(imgtool_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0                                      \
    }

/* Computes exact statistics from one row of counts, as imgtool_histogram makes it. */
IMGTOOL_API imgtool_status imgtool_statistics_of(const uint64_t *counts, size_t entries,
                                                 imgtool_statistics *statistics,
                                                 imgtool_error *error);

typedef struct imgtool_difference {
    size_t size;
    /* number of all pixels; number of pixels that differ in any channel */
    uint64_t pixels, differing;
    /* largest difference in any channel; x and y are the position of the first pixel that has it */
    uint32_t largest;
    int32_t x, y;
    /* mean squared error; peak signal-to-noise ratio in dB, infinite if mse is 0 */
    double mse, psnr;
    double ssim; /* structural similarity, computed on luma, or on gray */
} imgtool_difference;
#define IMGTOOL_DIFFERENCE_INIT                                                                    \
    {                                                                                              \
        sizeof(imgtool_difference), 0, 0, 0, 0, 0, 0, 0, 0                                         \
    }

/* Compares two pictures of the same size. Their formats may differ; values are compared at the
 * greater depth, at least 8 bits. Convert BGRA, floats and palettes first. Errors: USAGE,
 * UNSUPPORTED, LIMIT, MEMORY. */
IMGTOOL_API imgtool_status imgtool_compare(imgtool_context *context, const imgtool_picture *a,
                                           const imgtool_picture *b, imgtool_difference *difference,
                                           imgtool_error *error);

/* --- Tensors -------------------------------------------------------------------------------------
 *
 * Many PNG files are read into one tensor, the array of numbers that programs for machine learning
 * use, in host memory or in memory of a GPU:
 *
 *     imgtool_batch batch = IMGTOOL_BATCH_INIT;
 *     imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
 *     batch.sources = sources; // an array with the paths
 *     batch.count = 256;
 *     batch.pipeline = pipeline; // of "resize 224x224 fit=cover"
 *     tensor.channels = 3;
 *     tensor.channels_first = true;
 *     tensor.element = IMGTOOL_FLOAT32;
 *     imgtool_batch_plan(context, &batch, &tensor, &error); // sets count, height and width
 *     tensor.data = malloc(imgtool_tensor_bytes(&tensor));
 *     imgtool_read_batch(context, &batch, &tensor, NULL, &error);
 */

/* The type of a number. float16 is IEEE binary16; bfloat16 is the upper half of a float32. Both are
 * rounded to the nearest value, to even if two are equally near. */
typedef enum imgtool_element {
    IMGTOOL_UINT8,
    IMGTOOL_UINT16,
    IMGTOOL_FLOAT16,
    IMGTOOL_BFLOAT16,
    IMGTOOL_FLOAT32
} imgtool_element;

/* Pictures of one size, without gaps: count x height x width x channels, or
 * count x channels x height x width.
 *
 * Integers: samples are scaled to all values of the element, as 4-bit gray 15 becomes 255, and 16
 * bits become 8 by rounding. Floating point: a sample is divided by its largest value, so that it
 * lies from 0 to 1; then `mean` is subtracted, and the result is divided by `deviation`. Gray
 * becomes colour, alpha is dropped, and missing alpha becomes opaque, as `channels` requires.
 * Colour does not become gray: use the step "grayscale". */
typedef struct imgtool_tensor {
    size_t size;
    void *data; /* memory of the caller; host or device memory, as the function says */
    int32_t count, height, width;
    int32_t channels;    /* 1: gray or palette indices, 2: gray and alpha, 3: RGB, 4: RGBA */
    bool channels_first; /* true: count x channels x height x width */
    imgtool_element element;
    float mean[4], deviation[4]; /* of each channel; a deviation is not 0 */
} imgtool_tensor;
#define IMGTOOL_TENSOR_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_tensor), NULL, 0, 0, 0, 0, false, IMGTOOL_UINT8, {0, 0, 0, 0},              \
        {                                                                                          \
            1, 1, 1, 1                                                                             \
        }                                                                                          \
    }

/* Returns the number of bytes of the tensor's data, or 0 for an invalid tensor. */
IMGTOOL_API size_t imgtool_tensor_bytes(const imgtool_tensor *tensor);

/* --- Batches ------------------------------------------------------------------------------------
 *
 * Gray files are decoded as gray, RGB as RGB, palettes as RGB. If the tensor has alpha (2 or 4
 * channels), transparent colours and palette entries become alpha; otherwise they are ignored. The
 * limits of the context, max_pixels and max_memory, hold for each picture. */

/* A PNG file: a file, a part of a file (such as a member of a tar archive), or bytes in memory. */
typedef struct imgtool_source {
    size_t size;
    const char *path; /* NULL: the file is in memory, at `data` */
    const void *data; /* host memory; must not change until the batch is read */
    uint64_t offset;  /* with a path: position of the first byte in the file */
    uint64_t bytes;   /* number of bytes; with a path 0: up to the end of the file */
} imgtool_source;
#define IMGTOOL_SOURCE_INIT                                                                        \
    {                                                                                              \
        sizeof(imgtool_source), NULL, NULL, 0, 0                                                   \
    }

typedef struct imgtool_batch {
    size_t size;
    const imgtool_source *sources; /* all have the size that the first one states */
    size_t count;
    /* steps for every picture, after decoding; NULL: none. They must give all pictures the size of
     * the tensor */
    const imgtool_pipeline *pipeline;
    /* `count` pipelines, one for each picture, used instead of `pipeline`; NULL: none. Entries may
     * be NULL and may be equal */
    const imgtool_pipeline *const *pipelines;
    /* For masks, with one channel. Palette indices, and gray samples of up to 8 bits, are neither
     * converted nor scaled, and mean and deviation apply to the values as they are. Files with
     * colours or alpha are refused. */
    bool indices;
} imgtool_batch;
#define IMGTOOL_BATCH_INIT                                                                         \
    {                                                                                              \
        sizeof(imgtool_batch), NULL, 0, NULL, NULL, false                                          \
    }

/* Sets tensor->count, and each of height, width and channels that is 0: to those of the result for
 * the first source whose header can be read. Errors: USAGE; if no header can be read, the error of
 * the first source. */
IMGTOOL_API imgtool_status imgtool_batch_plan(imgtool_context *context, const imgtool_batch *batch,
                                              imgtool_tensor *tensor, imgtool_error *error);

/* Reads all files, runs the steps on the CPU, one thread per picture, and writes the pictures to a
 * tensor in host memory. tensor->count is at least batch->count.
 *
 * A file that cannot be read, is damaged, exceeds a limit, or does not fit the tensor, does not end
 * the batch: its place in the tensor is filled with zeros, and results[i] tells why. `results` has
 * one entry for each source, all of the size that the first one states; NULL: results are not
 * wanted. The return value is IMGTOOL_OK if the batch was processed, whatever the results. Errors:
 * USAGE, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_read_batch(imgtool_context *context, const imgtool_batch *batch,
                                              const imgtool_tensor *tensor, imgtool_error *results,
                                              imgtool_error *error);

/* --- Batches on a GPU ------------------------------------------------------------------------- */

/* A batch whose work is queued on a GPU. Finish it before its context is destroyed. */
typedef struct imgtool_pending imgtool_pending;

/* Like imgtool_read_batch, but the tensor is in memory of the context's device, and the work goes
 * to `stream`, a cudaStream_t. Files are read and copied to the device; decoding, steps and
 * conversion are queued. The call returns without waiting for the device. Then call
 * imgtool_pending_finish, once: until then some places of the tensor may be incomplete. A context
 * can have several pending batches; each needs its own memory, which is kept for later batches.
 *
 * The numbers are those of imgtool_read_batch. Pictures that the GPU does not take are processed by
 * the CPU: interlaced ones, palettes that become colours, transparent colours that become alpha,
 * and pipelines with steps whose result has a size that depends on pixels (trim).
 *
 * `tensor` may be freed after the call; the batch, its sources, their data and its pipelines only
 * after imgtool_pending_finish. On failure *pending is NULL. Errors: USAGE, MEMORY, DEVICE,
 * UNAVAILABLE without CUDA or without a GPU. */
IMGTOOL_API imgtool_status imgtool_read_batch_device(imgtool_context *context,
                                                     const imgtool_batch *batch,
                                                     const imgtool_tensor *tensor, void *stream,
                                                     imgtool_pending **pending,
                                                     imgtool_error *error);

/* Returns true if imgtool_pending_finish would not wait for the device. */
IMGTOOL_API bool imgtool_pending_is_done(const imgtool_pending *pending);

/* Waits until the device has decoded the batch. Files that the device could not verify are decoded
 * again by the CPU, which decides whether they are damaged; their pixels are copied to the tensor
 * in the order of the stream. Fills `results` as imgtool_read_batch does, and frees `pending`.
 * After the call, work queued on the stream finds the complete tensor. Errors: DEVICE, MEMORY. */
IMGTOOL_API imgtool_status imgtool_pending_finish(imgtool_pending *pending, imgtool_error *results,
                                                  imgtool_error *error);

/* Reads files into pictures in device memory, each in the size and format that the steps give.
 * pictures[i].pixels is NULL, and is allocated as by imgtool_device_allocate: free it with
 * imgtool_device_free. Or it has the caller's device memory; then the size and the format must be
 * those of the result. Rows start at multiples of 16 bytes. The call waits until the pictures are
 * complete. `results` as for imgtool_read_batch; a picture that failed has no pixels. Errors: as
 * imgtool_read_batch_device. */
IMGTOOL_API imgtool_status imgtool_read_pictures_device(imgtool_context *context,
                                                        const imgtool_batch *batch,
                                                        imgtool_picture *pictures, void *stream,
                                                        imgtool_error *results,
                                                        imgtool_error *error);

/* Reads one file into device memory: as imgtool_read_pictures_device with a batch of one file and
 * without steps. Errors: as imgtool_read_batch_device, and those of the file. */
IMGTOOL_API imgtool_status imgtool_read_device(imgtool_context *context,
                                               const imgtool_source *source,
                                               imgtool_picture *picture, void *stream,
                                               imgtool_error *error);

/* --- Tensors to files ------------------------------------------------------------------------- */

/* An encoded file. */
typedef struct imgtool_encoded {
    size_t size;
    void *data; /* memory of the context's allocator; free it with imgtool_free. NULL: it failed */
    size_t bytes;
} imgtool_encoded;
#define IMGTOOL_ENCODED_INIT                                                                       \
    {                                                                                              \
        sizeof(imgtool_encoded), NULL, 0                                                           \
    }

/* Encodes the pictures of a tensor in host memory, one thread per picture. files[i] gets picture i;
 * all entries have the size that the first one states. Integers are written as they are, with 8 or
 * 16 bits. For floating point, a value is multiplied by `deviation`, `mean` is added, and the
 * result, cut to 0 to 1, is multiplied by 255 and rounded. `encoding` as for imgtool_write_memory.
 * `results` as for imgtool_read_batch. Errors: USAGE, MEMORY, CANCELLED. */
IMGTOOL_API imgtool_status imgtool_write_batch(imgtool_context *context,
                                               const imgtool_tensor *tensor,
                                               const imgtool_encoding *encoding,
                                               imgtool_encoded *files, imgtool_error *results,
                                               imgtool_error *error);

/* Like imgtool_write_batch, but the tensor is in memory of the context's device. The pictures are
 * copied to the host in the order of `stream`, a cudaStream_t, and encoded there. Errors: also
 * DEVICE, UNAVAILABLE. */
IMGTOOL_API imgtool_status imgtool_write_batch_device(imgtool_context *context,
                                                      const imgtool_tensor *tensor,
                                                      const imgtool_encoding *encoding,
                                                      void *stream, imgtool_encoded *files,
                                                      imgtool_error *results, imgtool_error *error);

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

/* Sets *count to the number of GPUs, and describes up to `capacity` of them. All structs have the
 * size that the first one states. Errors: UNAVAILABLE, with the reason, if this build has no CUDA
 * or the machine has no driver. */
IMGTOOL_API imgtool_status imgtool_devices(imgtool_device *devices, size_t capacity, size_t *count,
                                           imgtool_error *error);

#ifdef __cplusplus
}
#endif
#endif
