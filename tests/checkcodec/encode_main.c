/* Compares the PNG encoder of the GPU with that of the CPU, or times it on a file.
 *
 *   check_png_encode [--large]
 *   check_png_encode --share I N      (a part of the cases, 0 <= I < N)
 *   check_png_encode --random CASES SEED MOST_SIDE
 *   check_png_encode --strips [--large]
 *   check_png_encode --random-strips CASES SEED
 *   check_png_encode --matches [--large]
 *   check_png_encode --batches BATCHES SEED MOST_PICTURES MOST_SIDE
 *   check_png_encode --time FILE.png [ROUNDS [LEVEL]]
 *   check_png_encode --time-batch COUNT FILE.png [ROUNDS [LEVEL]]
 *
 * Exit status: 0 all passed, 1 something failed, 2 usage, 77 there is no GPU. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkcodec/encode_check.h"

enum { USAGE = 2, SKIPPED = 77, ROUNDS = 21, LEVEL = 4 };

static bool is_share(int argc, char **argv, Tally *tally)
{
    if (argc != 4 || strcmp(argv[1], "--share") != 0)
        return false;
    tally->share = atoi(argv[2]);
    tally->shares = atoi(argv[3]);
    return tally->share >= 0 && tally->share < tally->shares;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: codec on the GPU: no GPU\n");
        return SKIPPED;
    }
#ifndef IMGTOOL_EMULATOR
    if (strcmp(mode, "--time") == 0 && argc > 2)
        return time_encoder(argv[2], argc > 3 ? atoi(argv[3]) : ROUNDS,
                            argc > 4 ? atoi(argv[4]) : LEVEL);
    if (strcmp(mode, "--time-batch") == 0 && argc > 3)
        return time_batch(atoi(argv[2]), argv[3], argc > 4 ? atoi(argv[4]) : ROUNDS,
                          argc > 5 ? atoi(argv[5]) : LEVEL);
#endif
    Tally tally = {.shares = 1};
    if (strcmp(mode, "--random") == 0 && argc == 5) {
        check_random(atoi(argv[2]), strtoull(argv[3], NULL, 0), atoi(argv[4]), &tally);
    } else if (strcmp(mode, "--strips") == 0 && argc <= 3) {
        check_strips(argc > 2, &tally);
    } else if (strcmp(mode, "--random-strips") == 0 && argc == 4) {
        check_random_strips(atoi(argv[2]), strtoull(argv[3], NULL, 0), &tally);
    } else if (strcmp(mode, "--matches") == 0 && argc <= 3) {
        check_matches(argc > 2, &tally);
    } else if (strcmp(mode, "--batches") == 0 && argc == 6 && atoi(argv[4]) > 1) {
        check_batches(atoi(argv[2]), strtoull(argv[3], NULL, 0), atoi(argv[4]), atoi(argv[5]),
                      &tally);
    } else if (argc == 1 || strcmp(mode, "--large") == 0 || is_share(argc, argv, &tally)) {
        const bool is_large = argc == 2;
        check_encoder(is_large, &tally);
/* With the emulator, other tests run these two parts (--strips, --matches). */
#ifndef IMGTOOL_EMULATOR
        check_strips(is_large, &tally);
        check_matches(is_large, &tally);
#endif
    } else {
        fprintf(stderr, "usage: see the head of tests/checkcodec/encode_main.c\n");
        return USAGE;
    }
    printf("encoder: %d passed, %d failed\n", tally.passed, tally.failed);
    return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
