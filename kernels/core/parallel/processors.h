/* What of the machine this process may use, as far as it is told. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H

/* Processors, at least 1: those that it may run on, or as many as the quotas of its cgroups let run
 * at a time. */
int img_processors(void);

/* Calls `use` with the first line of the file `name` of this process's cgroup (version 2) and of
 * every group above it: the limits of all of them hold. */
void img_cgroup_each_line(const char *name, void (*use)(const char *line, void *context),
                          void *context);

#endif
