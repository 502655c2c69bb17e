/* Loads a file: opens, reads and decodes it. Palettes and transparent colours become channels if
 * needed. For jobs, statistics, comparisons and benchmarks.
 *
 * Messages of failure start with the name of the file. */
#ifndef IMGTOOL_APP_JOB_LOAD_H
#define IMGTOOL_APP_JOB_LOAD_H

#include "app/cli/options.h"
#include "io/limits.h"
#include "io/metadata/palette_entries.h"
#include "io/source.h"
#include "kernels/core/image.h"

/* Report of loading. Times are in seconds. */
typedef struct LoadReport {
    uint64_t bytes; /* size of the file */
    double read, decode, expand;
    ImgPngDecodeReport decoding;
} LoadReport;

/* State of loading one file. Start with load_begin, end with load_end. */
typedef struct Load {
    const char *path; /* or "-"; borrowed */
    const Settings *settings;
    ImgLimits limits;
    bool expands; /* turn palettes and transparent colours into channels: set by the caller, or
                     because steps need it (plan_file) */
    bool keeps_palette; /* steps copy indices into a palette that includes the background
                           (plan_file) */
    ImgPalette palette; /* that palette */
    bool takes_rows;    /* steps may receive rows while they are decoded (plan_run_rows); set by the
                           caller */
    bool begins_anew;   /* set by the caller: if memory is short the job restarts as `lacking` says;
                           otherwise it waits */
    const ImgStep *again; /* set by the caller: a step that may run on the result, any number of
                             times, after the job; planned for, and borrowed; NULL: none */
    uint64_t held;        /* set by the caller: bytes of --max-memory used beside this picture */
    uint64_t kept; /* bytes of chunks kept from reading to writing; known once the file is read, and
                      then included in `held` */
    ImgSource *source; /* owned until the end, as its warnings are printed then */
    ImgShape raw;      /* of the picture in the file; known once it is open */
    ImgShape shape;    /* of `image`; known once the file is read */
    uint64_t least;    /* set by the caller: bytes known to be needed at least; 0: unknown */
    uint64_t room;     /* bytes of --max-memory that may be used, as planned (plan_file); 0: all */
    bool by_rows;      /* planned (plan_file): steps receive rows, and the whole picture is never in
                          memory */
    uint64_t whole_bytes; /* peak memory if the whole picture must be in memory after all */
    /* Set if a job fails for lack of free memory beside other pictures, because it needs more than
     * planned (plan_limit_exec) or than admitted (Share.lacks). It must then be restarted with this
     * as `least`. 0: nothing is lacking. */
    uint64_t lacking;
    ImgImage image;       /* owned; set by decoding; the caller may replace it */
    ImgMetadata metadata; /* owned; set by decoding */
    LoadReport report;
} Load;

Load load_begin(const char *path, const Settings *settings, bool expands);
void load_end(Load *load);

/* Opens the file and checks the size of the picture against the limits. */
ImgStatus load_open(Load *load, ImgError *err);

/* Reads the rest of the file without decoding pixels. */
ImgStatus load_read(Load *load, ImgError *err);

/* For an open file that is not read: estimates the peak memory of reading, decoding and expanding
 * from the header. */
uint64_t load_guess_bytes(const Load *load);

/* Returns the shape that load_guess_bytes assumes: a palette without transparency. */
ImgShape load_guess_shape(const Load *load);

/* The same if rows are processed while they are decoded. */
uint64_t load_rows_bytes(const Load *load, uint64_t file_bytes);

/* Sets `metadata` from the decoded file, with the colours that steps added to the palette.
 * IMG_E_MEMORY. */
ImgStatus load_take_metadata(Load *load, ImgError *err);

/* Decodes a file that was read, and passes its rows to `sink`. IMG_E_FORMAT if it looks damaged;
 * load_decode then gives the exact message. After a failure the file is still loaded, and the
 * message lacks its name. */
ImgStatus load_decode_rows(Load *load, const ImgRowSink *sink, ImgTeam *team, int threads,
                           ImgError *err);

/* For a file that was read: returns the peak memory of decoding and expanding. */
uint64_t load_bytes(const Load *load);

/* Decodes the file on up to `threads` threads of the team, which may be NULL. Uses fewer if their
 * buffers would exceed --max-memory. */
ImgStatus load_decode(Load *load, ImgTeam *team, int threads, ImgError *err);

/* Prefixes the message with the name of the file, unless a backend is unavailable, which the file
 * did not cause. Returns `status`. */
ImgStatus load_failure(const Load *load, ImgStatus status, ImgError *err);

/* Prints a note for each damage that did not affect the pixels. */
void load_note_damage(const Load *load);

/* Returns whether the picture in memory has another colour type than in the file. */
bool load_is_expanded(const Load *load);

/* Returns whether the step keeps at most half of the samples. If it receives rows, the others are
 * then never stored. */
bool load_is_halved(const Load *load, const ImgStep *step);

#endif
