/* Which files --resume, --newer and --no-clobber leave out. */
#ifndef IMGTOOL_APP_BATCH_RECORD_SKIP_H
#define IMGTOOL_APP_BATCH_RECORD_SKIP_H

#include "app/batch/plan/batch_plan.h"
#include "app/batch/record/record.h"
#include "app/cli/options.h"

/* What the record of a batch calls an input. */
const char *record_input(const Settings *settings, const BatchFile *file);

/* Which records it needs. */
RecordScope record_scope(const Settings *settings);

/* *reason: for users, why the file has not to be done; NULL: it has. `record` is that of its root,
 * and may be NULL. Fails where that cannot be told; the message names the file. */
ImgStatus skip_reason(const Settings *settings, Record *record, const BatchFile *file,
                      const char **reason, ImgError *err);

/* A run that continues in place does no file that other steps have made: IMG_E_USAGE for such a
 * file. Else as skip_reason. */
ImgStatus skip_check_steps(const Settings *settings, Record *record, const BatchFile *file,
                           ImgError *err);

#endif
