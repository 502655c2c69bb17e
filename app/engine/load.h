/* Loads a file: opens, reads and decodes it. Converts palettes and transparent colours to channels
 * if steps need that. Used by jobs, statistics, comparisons and benchmarks.
 *
 * Messages start with the name of the file. */
#ifndef IMGTOOL_APP_ENGINE_LOAD_H
#define IMGTOOL_APP_ENGINE_LOAD_H

#include "app/engine/share/options.h"
#include "app/engine/share/place.h"
#include "io/expand.h"
#include "io/limits.h"
#include "io/metadata/metadata.h"
#include "io/source_rows.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/store.h"

/* Report of loading. Times are in seconds. */
typedef struct LoadReport {
    uint64_t bytes; /* size of the file in bytes */
    double read, decode, expand;
    ImgPngDecodeReport decoding;
} LoadReport;

/* State while one file is loaded. img_load_begin initialises it, and img_load_end frees it. */
typedef struct Load {
    const char *path; /* path of the file, or "-" for standard input; borrowed */
    const EngineOptions *options;
    ImgLimits limits;
    /* Convert palettes and transparent colours to channels. Set by the caller, or by img_plan_file
     * if steps need it. */
    bool expands;
    /* Set by img_plan_file: the steps copy palette indices, and the palette has room for their
     * background colour. */
    bool keeps_palette;
    ImgPalette palette; /* if `keeps_palette` is set, the palette of the result */
    /* Set by the caller: steps may receive rows while the rows are decoded (img_plan_by_rows). */
    bool takes_rows;
    /* Set by the caller, with `takes_rows`: the default of --max-pixels does not limit a picture
     * that is never in memory as a whole. */
    bool takes_any_size;
    /* Set by the caller: largest number of threads that decode rows; 0: no limit. More threads take
     * more memory. */
    int most_row_threads;
    /* Set by img_plan_file: steps may run in bands. */
    bool takes_bands;
    /* Set by img_plan_file: memory is too short for as many pictures as there are threads, so the
     * picture should take little memory and processor time, even if it then takes longer. The plan
     * then includes all buffers of the codec. */
    bool is_thrifty;
    /* Set by the caller: the result may go to the encoder in bands, before all rows are decoded. If
     * the file then seems to be damaged, the job empties the output and writes it again. */
    bool may_stream;
    /* Set by the caller: the last steps may run in bands while the result is encoded. */
    bool takes_tail;
    /* Set by img_plan_file: the steps leave the pixels as they are, and `may_stream` is set. If the
     * compressed pixels of the file are smaller than the result, they are written instead. The
     * file's bytes are therefore kept until then. */
    bool keeps_file;
    /* Set by the caller: the result is optimized (Job.optimizes). The file and its pixels are then
     * in memory, and the bytes of the file are kept. */
    bool optimizes;
    /* Set by the caller: place of temporary files, which hold a picture that does not fit in
     * --max-memory. Borrowed. Without a directory, such a picture is rejected. */
    ImgStorePlace scratch;
    ImgStore *store; /* the temporary files; set by img_plan_file if they are needed; owned */
    /* Set by the caller, and true if the job can restart: if memory is short, the load fails with
     * `lacking` set. If false, the load waits for memory. */
    bool begins_anew;
    /* Set by the caller: a step that may run on the result after the job, any number of times. Its
     * memory is included in the plan. Borrowed; NULL: there is no such step. */
    const ImgStep *again;
    /* Set by the caller: bytes of --max-memory that are used for other data than this picture. */
    uint64_t held;
    /* Bytes of the chunks, such as metadata, that stay in memory from reading to writing. Known
     * after the file is read, and from then on included in `held`. */
    uint64_t kept;
    ImgSource *source; /* open file; owned until img_load_end, which prints its warnings */
    ImgShape raw;      /* shape of the picture in the file; known when the file is open */
    ImgShape shape;    /* shape of `image`; known after the file is read */
    /* Set by the caller: number of bytes that the job is known to need; 0: unknown. */
    uint64_t least;
    int threads;   /* set by img_plan_file: number of threads that --max-memory allows; 0: all */
    uint64_t room; /* set by img_plan_file: bytes of --max-memory that may be used; 0: all */
    /* Set by img_plan_file: steps run in bands, and the whole picture is never in memory. */
    bool by_rows;
    ImgBandsPlan bands; /* with `by_rows`: the plan for running the steps in bands */
    /* With `by_rows`: heights of the bands that the encoder takes; 0: the result is collected in
     * memory. */
    ImgBandHeights sink;
    uint32_t strips; /* with `sink`: number of strips in a band */
    /* Without `by_rows`, set by img_plan_file: the result can be encoded in bands, and only the
     * first `whole_steps` steps must run on the whole picture. */
    bool has_tail;
    size_t whole_steps;
    uint64_t rows_bytes; /* with `by_rows`: peak memory in bytes, with one thread that decodes */
    /* Peak memory, in bytes, if the whole picture must be in memory after all. */
    uint64_t whole_bytes;
    /* Set by img_plan_file: the place that reserves memory for the pixels while they are decoded.
     * Borrowed; NULL: it has reserved all memory already. */
    const Place *raises;
    uint64_t raise_base; /* with `raises`: bytes that are reserved in addition to pixels */
    /* Set if the job fails because free memory is short while other pictures are processed. This
     * happens if it needs more than was planned (img_plan_limit_exec) or admitted (Share.lacks).
     * The job must then be restarted with this number of bytes as `least`. 0: nothing is lacking.
     */
    uint64_t lacking;
    ImgImage image; /* the decoded picture; owned; the caller may replace it by another image */
    ImgMetadata metadata; /* metadata of the decoded picture; owned */
    LoadReport report;
} Load;

Load img_load_begin(const char *path, const EngineOptions *options, bool expands);
void img_load_end(Load *load);

/* Opens the file, and checks the size of the picture against the limits. */
ImgStatus img_load_open(Load *load, ImgError *err);

/* Puts the pixels into temporary files in `scratch`, which must be set. If the file is large and
 * not read yet, it is read in pieces. */
ImgStatus img_load_use_store(Load *load, ImgError *err);

/* Reads the rest of the file, without decoding pixels. */
ImgStatus img_load_read(Load *load, ImgError *err);

/* Estimates the peak memory, in bytes, of reading, decoding and expanding a file that is open but
 * not yet read. Uses only its header. */
uint64_t img_load_guess_bytes(const Load *load);

/* Returns the bytes of the file that are in memory, or will be: 0 if it is read in pieces. */
uint64_t img_load_file_bytes(const Load *load);

/* Returns img_load_file_bytes if Load.keeps_file is set, and otherwise 0. */
uint64_t img_load_kept_bytes(const Load *load);

/* Returns the bytes of pixels that Load.store keeps in memory at a time: a quarter of --max-memory,
 * with an upper limit. */
uint64_t img_load_resident_bytes(const Load *load);

/* Returns the memory, in bytes, that Load.store adds to the need of the picture; 0 without a store.
 * `need` is the memory, in bytes, that everything else needs. The smallest sufficient --max-memory
 * is then 4/3 of `need`. The store gets a quarter of that (a third of `need`), but at most its
 * upper limit. If `need` is 0, the result is img_load_resident_bytes. */
uint64_t img_load_store_bytes(const Load *load, uint64_t need);

/* Returns the shape that img_load_guess_bytes assumes. If the picture is to be expanded, this is
 * the expanded shape without transparency, since transparency is not known yet. */
ImgShape img_load_guess_shape(const Load *load);

/* Estimates the peak memory, in bytes, if the rows of the picture are processed while they are
 * decoded. `file_bytes` is the size of the file. */
uint64_t img_load_rows_bytes(const Load *load, uint64_t file_bytes);

/* Chooses how->threads, at most its value before, and how->room, so that the file is decoded within
 * `room` bytes. Sets *bytes, unless it is NULL, to the memory in bytes that is then needed. It
 * includes the file and the pixels, if these are in memory. */
void img_load_fit_decoder(const Load *load, uint64_t room, ImgPngDecodeOptions *how,
                          uint64_t *bytes);

/* Returns the bytes of memory that the decoder needs in addition to the file and the pixels, if
 * Load.is_thrifty is set. */
uint64_t img_load_thrifty_bytes(const Load *load, int threads);

/* Returns the bytes of pixels for which memory must be reserved after `done` rows were decoded. */
uint64_t img_load_pixels_reserved(const Load *load, uint64_t done);

/* Sets `metadata` to the metadata of the picture with the shape Load.shape. If the picture is
 * expanded, it has no palette and no transparent colour. Colours that steps added to the palette
 * are included. Fails with IMG_E_MEMORY. */
ImgStatus img_load_take_metadata(Load *load, ImgError *err);

/* The rows of a file that was read, as the first stage of a run in bands. */
typedef struct LoadRows {
    Load *load;
    ImgPngDecodeOptions options;
    bool ahead;                     /* decode ahead of the requests */
    int32_t most;                   /* largest number of rows in a request */
    int32_t end;                    /* index of the row after the last one that was requested */
    ImgProgress counted, *progress; /* progress of the requests; `progress` is &counted, or NULL */
    ImgSourceRows *rows;            /* NULL until the first request */
    ImgRowSource source;            /* delivers rows in the format of Load.shape */
    /* For a picture that is expanded to channels: how to expand it, the expanded rows of a request,
     * and the number of threads that expand rows. The caller may set that number. */
    ImgExpansion expansion;
    ImgImage expanded;
    int expand_threads;
    ImgStatus status; /* failure of the decoder; IMG_OK: none */
} LoadRows;

/* Returns whether another thread decodes rows before they are requested, if the result is encoded
 * in bands. If not, the worker that needs rows decodes them itself, because a separate decoding
 * thread and the workers would only wait for each other (kernels/MEASUREMENTS.md). */
bool img_load_streams_ahead(const Load *load, int threads);

/* Prepares decoding for requests of up to `most` rows. With `ahead`, rows are decoded before they
 * are requested. `rows` must stay at its address. The messages of its source do not contain the
 * name of the file. After a failure the file is still in memory. If `status` is IMG_E_FORMAT the
 * file seems to be damaged; img_load_decode then gives the exact message. If it is
 * IMG_E_UNAVAILABLE there is no thread to decode rows. img_load_rows_end must be called in any
 * case. */
void img_load_rows_begin(Load *load, ImgTeam *team, int threads, bool ahead, int32_t most,
                         LoadRows *rows);

/* Returns the bytes of memory of the buffers for requests of up to `most` rows. `shape` is
 * Load.shape, or an estimate of it. */
uint64_t img_load_window_bytes(const Load *load, ImgShape shape, bool ahead, int32_t most);

/* Makes requests report their rows to the program, which can then cancel the work. */
void img_load_rows_report(LoadRows *rows);

/* Decodes the rows that were not requested, and checks the end of the file. */
ImgStatus img_load_rows_finish(LoadRows *rows, ImgError *err);
void img_load_rows_end(LoadRows *rows);

/* Returns the peak memory, in bytes, of decoding and expanding a file that was read. */
uint64_t img_load_bytes(const Load *load);

/* Decodes the file with up to `threads` threads of the team, which may be NULL. Uses fewer threads
 * if their buffers would exceed --max-memory. */
ImgStatus img_load_decode(Load *load, ImgTeam *team, int threads, ImgError *err);

/* Puts the name of the file in front of the message, except if a backend is unavailable, because
 * then the file is not the cause. Returns `status`. */
ImgStatus img_load_failure(const Load *load, ImgStatus status, ImgError *err);

/* Prints a note for each damaged part of the file that did not affect the pixels. */
void img_load_note_damage(const Load *load);

/* Returns whether the picture in memory has, or will have, another colour type than in the file. */
bool img_load_is_expanded(const Load *load);

#endif
