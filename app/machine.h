/* What this machine lets the process have. Only app/ asks: the libraries are told. */
#ifndef IMGTOOL_APP_MACHINE_H
#define IMGTOOL_APP_MACHINE_H

#include <stdint.h>

/* CPUs that this process may use: its affinity mask, and the quota of its cgroup. At least 1. */
int machine_threads(void);

/* Bytes of memory of the machine or, where that is less, of its cgroup. */
uint64_t machine_memory(void);

#endif
