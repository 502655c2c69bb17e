/* Lets C programs set the order in which blocks and threads run. */
#ifndef IMGTOOL_TESTS_EMULATOR_SETTINGS_H
#define IMGTOOL_TESTS_EMULATOR_SETTINGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the order of blocks and threads, in place of the environment variables: 0 forward, 1
 * backward, 2 random with `seed`. */
void emulator_set_order(int order, uint64_t seed);

/* Returns the number of faults that kernels have had since the program started. */
uint64_t emulator_faults(void);

#ifdef __cplusplus
}
#endif

#endif
