/* What tests say to the runtime without a GPU (fake_runtime.c). */
#ifndef IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H
#define IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* So much device memory there is, from now on, with what is taken already; at first, as much as of
 * the host's. */
void fake_runtime_set_memory(size_t bytes);

/* False: from now on this is a machine without a driver. */
void fake_runtime_set_driver(bool is_there);

#endif
