/* Resources of the machine that this process may use. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PROCESSORS_H

/* Returns the number of processors, at least 1: the smaller of the CPU affinity and the quotas of
 * its cgroups. */
int img_processors(void);

/* Calls `use` with the first line of the file `name` in this process's cgroup (version 2) and in
 * all its parents. The limits of all of them apply. */
void img_cgroup_each_line(const char *name, void (*use)(const char *line, void *context),
                          void *context);

#endif
