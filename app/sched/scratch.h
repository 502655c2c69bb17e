/* The directory of temporary files for pictures that do not fit in memory
 * (kernels/core/store.h). */
#ifndef IMGTOOL_APP_SCHED_SCRATCH_H
#define IMGTOOL_APP_SCHED_SCRATCH_H

/* Returns the directory: TMPDIR if it is set, otherwise that of the output. If `output` is NULL or
 * "-", it is /var/tmp, which is on a disk where /tmp may be in memory. The caller frees the result,
 * which is NULL if memory is short. */
char *scratch_directory(const char *output);

#endif
