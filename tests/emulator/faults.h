/* Kernels with one planted fault each, for the emulator's own tests. */
#ifndef IMGTOOL_TESTS_EMULATOR_FAULTS_H
#define IMGTOOL_TESTS_EMULATOR_FAULTS_H

#include <stdint.h>

#include "app/bench/model/emulator/emulator.h"

struct PlantedFault {
    const char *what; /* stands as a comment at the end of its line in faults.cu */
    emulator::FaultKind kind;
    const char *kernel;
};

extern const PlantedFault planted_faults[];
extern const int planted_fault_count;

/* 64 words in and out, in device memory. `sound`: the same kernel without the fault. */
void run_planted(int number, bool sound, const uint32_t *in, uint32_t *out);

/* 8 words: 0 to 7, if blocks run one after the other or do not depend on each other. */
void run_order(bool dependent, uint32_t *out);

#endif
