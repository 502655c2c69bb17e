/* Processors and cgroup limits that apply to this process. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H

/* Returns the number of processors that this process may use, at least 1. Its CPU affinity and the
 * CPU quotas of its cgroups limit the number. */
int img_processors(void);

/* Calls `use` with the first line of the file `name` in this process's cgroup (version 2). Then
 * does the same for each parent of the cgroup, because the limits of all of them apply. */
void img_cgroup_each_line(const char *name, void (*use)(const char *line, void *context),
                          void *context);

#endif
