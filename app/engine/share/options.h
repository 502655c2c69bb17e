/* Options of the engine: all that affect how pictures are processed. They come from the command
 * line or from a program that uses the library. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_OPTIONS_H
#define IMGTOOL_APP_ENGINE_SHARE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/interrupt.h"
#include "io/output/output.h"
#include "io/png/progress.h"
#include "kernels/core/op.h"
#include "kernels/core/status.h"

/* Options whose mere presence matters, as bits of EngineOptions.given. */
enum {
    ENGINE_GIVEN_DEVICE = 1,
    ENGINE_GIVEN_LEVEL = 2,
    ENGINE_GIVEN_QUALITY = 4,
    ENGINE_GIVEN_DPI = 8,
    ENGINE_GIVEN_STRIP = 16,
    ENGINE_GIVEN_MAX_PIXELS = 32,
};

/* Values of EngineOptions.verbosity: which messages are shown. Details describe how the work is
 * done. Notes describe what the user should know, such as a loss. */
enum { ENGINE_SHOWS_NOTHING = -1, ENGINE_SHOWS_NOTES = 0, ENGINE_SHOWS_DETAILS = 1 };

/* Functions and data that a program provides for the engine. Pointers may be NULL. */
typedef struct EngineProgram {
    /* Shows a message of one line. Called by any thread of the engine. */
    void (*show)(void *context, const char *text);
    void *context;
    bool has_options; /* messages may name options of the command line, such as --max-memory */
    const ImgOutputHooks *outputs; /* hooks of all temporary files */
    /* Receives the progress of each part of the work, and can cancel it. Each part uses a copy. */
    const ImgProgress *progress;
    ImgInterrupt interrupt; /* called when a signal interrupts a wait for a file */
} EngineProgram;

/* How a PNG is optimized, as ImgOptimizeOptions (io/png/optimize/options.h). */
typedef struct EngineOptimize {
    int32_t effort; /* 1 to 9 */
    int32_t clears_hidden, keeps_type, keeps_alpha, keeps_colour;
} EngineOptimize;

typedef struct EngineOptions {
    int32_t backend;     /* backend to use: an ImgBackend */
    int32_t device;      /* number of the GPU, from 0 */
    int32_t threads;     /* number of threads; 0: one per available CPU */
    int32_t jobs;        /* threads for all files together; 0: as many as `threads` */
    const char *impl;    /* name of the implementation; NULL: the fastest */
    uint64_t max_pixels; /* largest number of pixels of a picture */
    uint64_t max_memory; /* limit in bytes; 0: three quarters of the machine's memory */
    int32_t level;       /* compression level of PNG, 0 to 9 */
    int32_t quality;     /* quality of JPEG, 1 to 100 */
    int32_t strip;       /* metadata that results keep: an ImgKeep */
    int32_t no_index;    /* write PNG without the index that makes decoding parallel */
    int32_t dpi; /* resolution of the output in thousandths of a dot per inch; 0: not given */
    EngineOptimize optimize; /* for jobs that optimize (Job.optimizes) */
    int32_t preserve;        /* keep the attributes of the input file */
    int32_t no_clobber;      /* replace no file */
    const char *backup;      /* suffix of the copy of a file that is replaced; NULL: no copy */
    /* Pipes and devices are rejected (io/limits.h). The server and the batch set it. */
    bool only_files;
    uint32_t given;               /* options that were given: ENGINE_GIVEN_... bits */
    int32_t verbosity;            /* messages to show: ENGINE_SHOWS_... */
    const EngineProgram *program; /* functions and data of the program; may be NULL */
} EngineOptions;

/* Show a message, formatted like printf, if the verbosity allows it. */
void img_engine_note(const EngineOptions *options, const char *format, ...) IMG_PRINTF(2, 3);
void img_engine_detail(const EngineOptions *options, const char *format, ...) IMG_PRINTF(2, 3);

/* Return the hooks, the interrupt and the progress that the program provides, or NULL.
 * img_engine_progress copies the progress to *copy, and returns `copy`. */
const ImgOutputHooks *img_engine_hooks(const EngineOptions *options);
const ImgInterrupt *img_engine_interrupt(const EngineOptions *options);
ImgProgress *img_engine_progress(const EngineOptions *options, ImgProgress *copy);

/* Returns whether messages may name options of the command line. */
bool img_engine_has_options(const EngineOptions *options);

/* Returns which metadata a result keeps (an ImgKeep). Without --strip, the steps of thumbnail keep
 * less metadata than other steps. */
int32_t img_engine_keep(const EngineOptions *options, const ImgStep *steps, size_t count);

#endif
