/* The output of a job: its file, and the backup of the file that it replaces. After result_prepare
 * all names of files are known, and no file has been touched. */
#ifndef IMGTOOL_APP_JOB_RESULT_H
#define IMGTOOL_APP_JOB_RESULT_H

#include "app/cli/options.h"
#include "io/file_format.h"
#include "io/output/backup.h"
#include "io/output/output.h"

/* Initialise to zeros, end with result_free. */
typedef struct Result {
    ImgOutput *output;
    ImgBackup backup;
    ImgError failure; /* of preparing it early; reported when the file is opened */
} Result;

/* Prepares the output. Fails like img_output_open, except for errors that only opening shows. */
ImgStatus result_prepare(Result *result, const char *path, const Settings *settings, ImgError *err);

/* The same for a job that runs later: a failure is kept in `failure`. */
void result_prepare_early(Result *result, const char *path, const Settings *settings);

/* Calls `use` with the names of all files that will be used. */
ImgStatus result_names(Result *result, ImgNameFunction *use, void *context, ImgError *err);

/* Moves a result that was prepared early, or fails with its failure. */
ImgStatus result_take(Result *early, Result *result, ImgError *err);

/* For a single command, before it writes: removes files that killed programs left in the directory
 * of the output (io/output/leftovers.h), and prints a note. */
void result_sweep(const ImgOutput *output, const Settings *settings);

/* Returns the name of the format for messages, such as "JPEG". */
const char *result_format_name(ImgFileFormat format);

/* Returns the options given for encoders that have no effect on this format, such as "level", by
 * index from 0. NULL after the last one. */
const char *result_useless_option(const Settings *settings, ImgFileFormat format, int index);

/* Prints notes about the file that the output replaces (img_output_note). */
void result_note_replaced(const Settings *settings, const char *name, ImgOutput *output);

void result_free(Result *result);

#endif
