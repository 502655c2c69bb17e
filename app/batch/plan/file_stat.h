/* Calls stat once for each file of a plan, in parallel, and stores the results. On a network file
 * system each call takes milliseconds, and several checks need the same results. */
#ifndef IMGTOOL_APP_BATCH_PLAN_LOOK_H
#define IMGTOOL_APP_BATCH_PLAN_LOOK_H

#include "app/batch/plan/batch_plan.h"

/* Sets the FileStat of all files of this part. Inputs are examined with stat, outputs with lstat;
 * outputs are skipped if OUTPUT_DIR does not exist. Uses at most `threads` threads. */
void plan_stat_files(BatchPlan *plan, int threads);

/* Returns false only if the directory certainly does not exist, so that no file can be in it. */
bool directory_may_exist(const char *directory);

/* Sets device and inode of the existing file that the output's path resolves to. Returns false if
 * there is none. Uses the stored result of lstat unless the output is a link. */
bool stat_output(const BatchFile *file, dev_t *device, ino_t *inode);

/* Sets device and inode of the input. Returns false if it does not exist. */
bool stat_input(const BatchFile *file, dev_t *device, ino_t *inode);

/* Returns whether the output is an existing link, or may be one because its stat is unknown. */
bool output_may_be_link(const BatchFile *file);

#endif
