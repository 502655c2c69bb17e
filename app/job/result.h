/* Where the result of a job goes: its file, and the backup of the one that this replaces. Prepared,
 * all names of files that it will use are known, and none is touched yet. */
#ifndef IMGTOOL_APP_JOB_RESULT_H
#define IMGTOOL_APP_JOB_RESULT_H

#include "app/cli/options.h"
#include "io/file_format.h"
#include "io/output/keep.h"
#include "io/output/output.h"

/* Start from zeros, end with result_free. */
typedef struct Result {
    ImgOutput *output;
    ImgBackup backup;
    ImgError failure; /* of preparing it; reported when the file is due */
} Result;

/* Fails as img_output_open does, but for what only opening the file can show. */
ImgStatus result_prepare(Result *result, const char *path, const Settings *settings, ImgError *err);

/* The same for a job that will be run later: the failure is kept. */
void result_prepare_early(Result *result, const char *path, const Settings *settings);

/* Gives `use` the names of all files that will be used. */
ImgStatus result_names(Result *result, ImgNameFunction *use, void *context, ImgError *err);

/* Moves what was prepared early, or fails as that did. */
ImgStatus result_take(Result *early, Result *result, ImgError *err);

/* For a single command, before it writes: removes what killed programs left in the directory of an
 * output (io/output/leftovers.h), and notes that. */
void result_sweep(const ImgOutput *output, const Settings *settings);

/* For messages: "JPEG". */
const char *result_format_name(ImgFileFormat format);

/* The options for encoders that were given and mean nothing to this one, by number, from 0:
 * "level". NULL past the last. */
const char *result_useless_option(const Settings *settings, ImgFileFormat format, int index);

/* Notes for the user about the file that the output replaces (img_output_note). */
void result_note_replaced(const Settings *settings, const char *name, ImgOutput *output);

void result_free(Result *result);

#endif
