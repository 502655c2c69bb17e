/* Checks the PNG codec of the GPU against the CPU's; with a file, times it besides.
 *
 *   checkcodec [--large]
 *   checkcodec --time FILE.png [ROUNDS]
 *
 * Exit status: 0 all passed, 1 something failed, 77 there is no GPU. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkcodec/check.h"

enum { SKIPPED = 77, ROUNDS = 21 };

int main(int argc, char **argv)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: codec on the GPU: no GPU\n");
        return SKIPPED;
    }
#ifndef IMGTOOL_EMULATOR
    if (argc > 2 && strcmp(argv[1], "--time") == 0)
        return time_encoder(argv[2], argc > 3 ? atoi(argv[3]) : ROUNDS);
#endif
    Tally tally = {0, 0};
    check_encoder(argc > 1 && strcmp(argv[1], "--large") == 0, &tally);
    printf("encoder: %d passed, %d failed\n", tally.passed, tally.failed);
    return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
