/* Decides which files --resume, --newer and --no-clobber skip. */
#ifndef IMGTOOL_APP_BATCH_RECORD_SKIP_H
#define IMGTOOL_APP_BATCH_RECORD_SKIP_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/record/record.h"
#include "app/cli/options.h"

/* Returns the path that records use for the input of a file. */
const char *record_input(const Settings *settings, const BatchFile *file);

/* Returns which records the settings need. */
RecordScope record_scope(const Settings *settings);

/* Sets *reason to why the file is skipped, as text for users, or to NULL. `record` is that of the
 * file's root, and may be NULL. Fails if this cannot be determined; the message names the file. */
ImgStatus skip_reason(const Settings *settings, Record *record, const BatchFile *file,
                      const char **reason, ImgError *err);

/* For --resume with --in-place: IMG_E_USAGE if other steps made the file, which would then be
 * processed twice. Otherwise as skip_reason. */
ImgStatus skip_check_steps(const Settings *settings, Record *record, const BatchFile *file,
                           ImgError *err);

#endif
