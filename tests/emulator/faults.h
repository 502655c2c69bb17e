/* Kernels with one deliberate fault each, for the tests of the emulator. */
#ifndef IMGTOOL_TESTS_EMULATOR_FAULTS_H
#define IMGTOOL_TESTS_EMULATOR_FAULTS_H

#include <stdint.h>

#include "app/bench/model/emulator/emulator.h"

struct PlantedFault {
    const char *what; /* name of the fault: the comment at the end of its line in faults.cu */
    emulator::FaultKind kind;
    const char *kernel;
};

extern const PlantedFault planted_faults[];
extern const int planted_fault_count;

/* Runs the kernel of planted_faults[number]. `in` and `out` are 64 words of device memory each.
 * With `sound` set the kernel runs without the fault. */
void run_planted(int number, bool sound, const uint32_t *in, uint32_t *out);

/* Writes 8 words to `out`, one per block. They are 0 to 7 if the blocks run in order, or if
 * `dependent` is false. */
void run_order(bool dependent, uint32_t *out);

#endif
