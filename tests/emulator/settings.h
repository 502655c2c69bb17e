/* For programs in C: in which order blocks and threads run. */
#ifndef IMGTOOL_TESTS_EMULATOR_SETTINGS_H
#define IMGTOOL_TESTS_EMULATOR_SETTINGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, instead of what the environment says: 0 forward, 1 backward, 2 at random by that
 * seed. */
void emulator_set_order(int order, uint64_t seed);

/* Faults of kernels so far. */
uint64_t emulator_faults(void);

#ifdef __cplusplus
}
#endif

#endif
