/* Decides which files --resume, --newer and --no-clobber skip. */
#ifndef IMGTOOL_APP_BATCH_RECORD_SKIP_H
#define IMGTOOL_APP_BATCH_RECORD_SKIP_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/record/record.h"
#include "app/cli/options.h"

/* Returns the path to pass as `input` to the functions of the record (record.h). With --in-place it
 * is the path of the output, which is the path of the input with symbolic links resolved. Otherwise
 * it is the path of the input. */
const char *record_input(const Settings *settings, const BatchFile *file);

/* Returns which other records of the directory must be read for these settings. */
RecordScope record_scope(const Settings *settings);

/* If the file must be skipped, sets *reason to a text for users, else to NULL. `record` is the
 * record of the file's root; it may be NULL. Fails if the answer cannot be determined; the message
 * names the file. */
ImgStatus skip_reason(const Settings *settings, Record *record, const BatchFile *file,
                      const char **reason, ImgError *err);

/* With --resume and --in-place, fails with IMG_E_USAGE if other steps made the file, which would
 * then be processed twice. `record` and the other errors are as in skip_reason. */
ImgStatus skip_check_steps(const Settings *settings, Record *record, const BatchFile *file,
                           ImgError *err);

#endif
