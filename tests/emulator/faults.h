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

/* Runs a kernel with 64 words of input and output in device memory. With `sound` it is the same
 * kernel without the fault. */
void run_planted(int number, bool sound, const uint32_t *in, uint32_t *out);

/* Writes 8 words. They are 0 to 7 if the blocks run in order or do not depend on each other. */
void run_order(bool dependent, uint32_t *out);

#endif
