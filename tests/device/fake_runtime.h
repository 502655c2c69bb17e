/* Controls for the runtime without a GPU (fake_runtime.c). */
#ifndef IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H
#define IMGTOOL_TESTS_DEVICE_FAKE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Sets the total device memory in bytes, including the memory in use. The initial value is the
 * memory of the host. */
void fake_runtime_set_memory(size_t bytes);

/* If `is_there` is false, the machine has no driver from now on. */
void fake_runtime_set_driver(bool is_there);

#endif
