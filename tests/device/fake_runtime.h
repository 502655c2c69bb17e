/* Settings of the runtime without a GPU (fake_runtime.c). */
#ifndef IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H
#define IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Sets the total device memory in bytes, including the memory in use. Before the first call it is
 * as large as the memory of the host. */
void fake_runtime_set_memory(size_t bytes);

/* If `is_there` is false, the machine acts as if it had no driver from now on. */
void fake_runtime_set_driver(bool is_there);

#endif
