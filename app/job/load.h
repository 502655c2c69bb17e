/* From a file to pixels in memory: opened, read, decoded, and expanded where palettes and
 * transparent colours are to be channels. For jobs, measurements, comparisons and benchmarks.
 *
 * Messages of failures start with the name of the file. */
#ifndef IMGTOOL_APP_JOB_LOAD_H
#define IMGTOOL_APP_JOB_LOAD_H

#include "app/cli/options.h"
#include "io/limits.h"
#include "io/metadata/palette_entries.h"
#include "io/source.h"
#include "kernels/core/image.h"

/* How it went. Times are seconds. */
typedef struct LoadReport {
    uint64_t bytes; /* of the file */
    double read, decode, expand;
    ImgPngDecodeReport decoding;
} LoadReport;

/* Begin with load_begin, end with load_end. */
typedef struct Load {
    const char *path; /* or "-"; borrowed */
    const Settings *settings;
    ImgLimits limits;
    bool expands;         /* colours and transparency as channels: asked for by the caller, or as
                           * steps need them (plan_file) */
    bool keeps_palette;   /* steps copy indices into a palette with the background (plan_file) */
    ImgPalette palette;   /* of those */
    bool takes_rows;      /* likewise: steps may take rows as they are decoded (plan_run_rows) */
    bool begins_anew;     /* likewise: where `lacking` says so; else the file waits for room */
    const ImgStep *again; /* likewise: a step that runs on the result, any number of times, once the
                           * file is done; planned for, and borrowed. NULL: there is none */
    uint64_t held;        /* likewise: bytes that it has beside this picture, of --max-memory */
    uint64_t kept;        /* bytes of the chunks beside the pixels, there from reading to writing;
                           * known once the file is read, and part of `held` then */
    ImgSource *source;    /* owned, to the end: its warnings are printed then */
    ImgShape raw;         /* of the picture in the file; known once it is open */
    ImgShape shape;       /* of `image`; known once the file is read */
    uint64_t least;       /* likewise: what is known to be needed at least; 0: nothing is */
    uint64_t room;        /* of that so much may be taken, as planned (plan_file); 0: all of it */
    bool by_rows;         /* planned (plan_file): steps take rows, there is no picture as a whole */
    uint64_t whole_bytes; /* likewise: what is needed at a time where there has to be one */
    /* More than was planned, by a run that measures (plan_limit_exec), or than was admitted with
     * what the job holds (Share.lacks), which was not free beside other pictures. It is to be begun
     * anew with so much as `least`; 0: nothing was lacking. */
    uint64_t lacking;
    ImgImage image;       /* owned, once decoded; the caller may replace it */
    ImgMetadata metadata; /* owned, once decoded */
    LoadReport report;
} Load;

Load load_begin(const char *path, const Settings *settings, bool expands);
void load_end(Load *load);

/* The first bytes: sizes are checked against the limits. */
ImgStatus load_open(Load *load, ImgError *err);

/* The rest of the file; no pixel is decoded yet. */
ImgStatus load_read(Load *load, ImgError *err);

/* Of a file that is open but not read: what reading, decoding and expanding will take at a time, as
 * far as the header says. */
uint64_t load_guess_bytes(const Load *load);

/* The shape that load_guess_bytes reckons with: a palette without transparency. */
ImgShape load_guess_shape(const Load *load);

/* The same where rows are handed on as they are decoded. */
uint64_t load_rows_bytes(const Load *load, uint64_t file_bytes);

/* Sets `metadata` from the file, once it is decoded, with the colours that steps have added to the
 * palette. IMG_E_MEMORY. */
ImgStatus load_take_metadata(Load *load, ImgError *err);

/* Decodes a file that is read, and hands on its rows. IMG_E_FORMAT, of which load_decode has the
 * verdict, where it looks damaged. On failure the file is still there, and the message lacks its
 * name. */
ImgStatus load_decode_rows(Load *load, const ImgRowSink *sink, ImgTeam *team, int threads,
                           ImgError *err);

/* Of a file that is read: the most that decoding and expanding take at a time. */
uint64_t load_bytes(const Load *load);

/* On at most so many threads of the team, which may be NULL; fewer where the buffers of several
 * would exceed --max-memory. */
ImgStatus load_decode(Load *load, ImgTeam *team, int threads, ImgError *err);

/* Puts the name in front of a message about this file; a backend that is unavailable is not the
 * file's fault. Returns `status`. */
ImgStatus load_failure(const Load *load, ImgStatus status, ImgError *err);

/* What was damaged in the file and did no harm to its pixels: a note on standard error for each. */
void load_note_damage(const Load *load);

/* Does the picture in the file have another colour type than that in memory? */
bool load_is_expanded(const Load *load);

/* Does the step leave at most half of the samples? Where rows are handed on to it, the rest of them
 * is never written to memory, whatever is alive later. */
bool load_is_halved(const Load *load, const ImgStep *step);

#endif
