/* Calls stat for all files of a plan in parallel, once. On a network file system each call takes
 * milliseconds, and several checks need the same results. */
#ifndef IMGTOOL_APP_BATCH_PLAN_LOOK_H
#define IMGTOOL_APP_BATCH_PLAN_LOOK_H

#include "app/batch/plan/batch_plan.h"

/* Sets the FileStat of all files of this part: of inputs with stat, of outputs with lstat, unless
 * OUTPUT_DIR does not exist. Uses up to `threads` threads. */
void plan_stat_files(BatchPlan *plan, int threads);

/* Returns false if the directory certainly does not exist, and so has no files. */
bool directory_may_exist(const char *directory);

/* Sets device and inode of the file that the output's path resolves to; false if there is none.
 * Uses the stored stat unless the output is a link. */
bool stat_output(const BatchFile *file, dev_t *device, ino_t *inode);

/* The same for the input. */
bool stat_input(const BatchFile *file, dev_t *device, ino_t *inode);

/* Returns whether the output's path may be a link. */
bool output_may_be_link(const BatchFile *file);

#endif
