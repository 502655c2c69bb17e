/* What is there already, asked for all files side by side: on a file system of other machines each
 * answer takes milliseconds, and several steps before the work want the same ones. */
#ifndef IMGTOOL_APP_BATCH_PLAN_LOOK_H
#define IMGTOOL_APP_BATCH_PLAN_LOOK_H

#include "app/batch/plan/batch_plan.h"

/* Sets FileLook of the files of the share: of each input what a path leads to, of each output what
 * has its name, unless there is no OUTPUT_DIR, on so many threads. */
void plan_look(BatchPlan *plan, int threads);

/* False where there is no such directory, and so nothing in it. */
bool look_may_be_there(const char *directory);

/* Sets what the output's path leads to; false where nothing is there. From the look, where it is
 * not a link. */
bool look_output(const BatchFile *file, dev_t *device, ino_t *inode);

/* The same of the input. */
bool look_input(const BatchFile *file, dev_t *device, ino_t *inode);

/* Could a link in its last part lead the output somewhere else? */
bool look_may_be_link(const BatchFile *file);

#endif
