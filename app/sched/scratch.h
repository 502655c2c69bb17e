/* The directory of temporary files for pictures that do not fit in memory
 * (kernels/core/store.h). */
#ifndef IMGTOOL_APP_SCHED_SCRATCH_H
#define IMGTOOL_APP_SCHED_SCRATCH_H

/* Returns the directory for a command with an output: TMPDIR if it is set, otherwise that of the
 * output, and that of scratch_default for the output "-" or NULL. The caller frees the result,
 * which is NULL if memory is short. */
char *scratch_directory(const char *output);

/* Returns the directory for a command without an output: TMPDIR if it is set, otherwise /var/tmp,
 * which is on a disk where /tmp may be in memory. */
const char *scratch_default(void);

#endif
