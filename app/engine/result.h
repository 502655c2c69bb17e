/* The output of a job: its file, and the backup of the file that it replaces. After
 * img_result_prepare the names of all files are known, and no file has been created or changed. */
#ifndef IMGTOOL_APP_ENGINE_RESULT_H
#define IMGTOOL_APP_ENGINE_RESULT_H

#include "app/engine/share/options.h"
#include "io/encode.h"
#include "io/file_format.h"
#include "io/names.h"
#include "io/output/backup.h"
#include "io/output/output.h"
#include "kernels/core/row_source.h"
#include "kernels/core/store.h"

/* The output of one job. Initialise it with zeros, and free it with img_result_free. */
typedef struct Result {
    ImgOutput *output;
    ImgBackup backup;
    ImgError failure; /* failure of img_result_prepare_early, which img_result_take reports */
} Result;

/* Prepares the output. Reports all errors of img_output_open except those that appear only when the
 * file is opened. */
ImgStatus img_result_prepare(Result *result, const char *path, const EngineOptions *options,
                             ImgError *err);

/* Prepares the output of a job that runs later. A failure is stored in result->failure. */
void img_result_prepare_early(Result *result, const char *path, const EngineOptions *options);

/* Calls `use` with the name of each file that writing the result will use. */
ImgStatus img_result_names(Result *result, ImgNameFunction *use, void *context, ImgError *err);

/* Moves a result that was prepared early to *result. Fails if the preparation failed. */
ImgStatus img_result_take(Result *early, Result *result, ImgError *err);

/* Removes files that killed programs left behind in the directory of the output
 * (io/output/leftovers.h), and prints a note. Called by commands on one picture, before they
 * write. */
void img_result_sweep(const ImgOutput *output, const EngineOptions *options);

/* Returns the name of the format for messages, such as "JPEG". */
const char *img_result_format_name(ImgFileFormat format);

/* Returns the name of an option that was given but has no effect on this format, such as "level".
 * `index` counts these options from 0. Returns NULL after the last one. */
const char *img_result_useless_option(const EngineOptions *options, ImgFileFormat format,
                                      int index);

/* Prints a note about each option that has no effect on the format of the output `name`. */
void img_result_note_useless(const EngineOptions *options, const char *name, ImgFileFormat format);

/* A picture that a command has made itself, such as a contact sheet, and that img_result_write
 * writes. */
typedef struct ResultPicture {
    const ImgImage *image;
    ImgFileFormat format;
    uint64_t room; /* bytes of memory that its pixels and its encoder may use */
    ImgTeam *team; /* team of threads; borrowed; may be NULL */
    int threads;   /* largest number of threads that encode */
} ResultPicture;

/* Writes the picture to the result, whose output must have been begun (img_output_begin), and
 * commits it. Prints notes about the replaced file and about losses. `name` is the name of the
 * output in messages. */
ImgStatus img_result_write(Result *result, const char *name, const ResultPicture *picture,
                           const EngineOptions *options, ImgError *err);

/* A picture that a command computes band by band, such as the differences of two pictures, and how
 * it is written. A PNG is encoded band by band, if it can be written again from its start after a
 * failure. Other pictures are encoded when they are complete. */
typedef struct ResultRowsPlan {
    ImgShape shape;
    ImgFileFormat format;
    bool is_in_place; /* img_output_is_in_place */
    int level;        /* compression level of PNG */
    uint32_t strips;  /* number of strips of PNG in a band, at least 1 */
    ImgTeam *team;    /* team of threads; borrowed; may be NULL */
    int threads;      /* largest number of threads that encode */
    ImgStore *store;  /* holds a picture until it is complete; borrowed; NULL: in memory */
} ResultRowsPlan;

/* Returns whether the picture is encoded band by band, so that it is never in memory as a whole. */
bool img_result_rows_stream(const ResultRowsPlan *plan);

/* Chooses bands of at least `least` rows, and sets plan->strips. Returns the heights of the bands
 * that img_result_rows_add takes. */
ImgBandHeights img_result_rows_heights(ResultRowsPlan *plan, int32_t least);

/* Returns the memory in bytes while bands are added, without the bands: buffers of the encoder, or
 * the picture. */
uint64_t img_result_rows_bytes(const ResultRowsPlan *plan);

/* Returns the memory in bytes while the complete picture is encoded; 0 if it is encoded band by
 * band instead. */
uint64_t img_result_rows_finish_bytes(const ResultRowsPlan *plan);

typedef struct ResultRows ResultRows;

/* Prepares to write a picture. The output of `result` must have been begun (img_output_begin).
 * `result`, `name` and `options` are borrowed until img_result_rows_free, which must be called even
 * after a failure. `name` is the name of the output in messages. */
ImgStatus img_result_rows_begin(Result *result, const char *name, const ResultRowsPlan *plan,
                                const EngineOptions *options, ResultRows **rows, ImgError *err);

/* Adds the band that begins at row `first` of the picture. Bands come in order. */
ImgStatus img_result_rows_add(ResultRows *rows, int32_t first, const ImgView *band, ImgError *err);

/* Writes what is left, commits the result and prints notes, as img_result_write does. */
ImgStatus img_result_rows_finish(ResultRows *rows, ImgError *err);

/* Frees `rows`, which may be NULL. */
void img_result_rows_free(ResultRows *rows);

void img_result_free(Result *result);

#endif
