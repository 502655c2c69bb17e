/* Declarations that encode_strips and encode_batch share: strips that the GPU encodes are compared
 * with those of the CPU codec. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_ENCODE_STRIPS_H
#define IMGTOOL_TESTS_CHECKCODEC_ENCODE_STRIPS_H

#include "io/png/encode/strip.h"
#include "tests/checkcodec/encode_check.h"

enum { WAYS = IMG_PNG_CUDA_BY_MATCHES + 1 };

/* The results of the GPU and of the CPU codec for one picture. */
typedef struct Both {
    const ImgView *view;
    ImgPngLevel level;
    ImgPngEncodeCudaOptions options;
    Device device;
    ImgPngCudaStrip *results; /* results of the strips from the GPU */
    ImgPngCudaBlock *blocks;
    uint32_t *starts;
    uint8_t *chunks;
    size_t size;
    ImgStripWorker *worker; /* worker with which the CPU codec encodes strips */
    uint8_t *deflated;
    uint32_t *expected_starts;
    uint32_t made[WAYS]; /* number of strips that each method encoded */
} Both;

/* Sets the options of the GPU encoder so that its result equals that of the CPU codec at `level`.
 * If `strips` is not 0, the picture is divided into this number of strips. Returns false if the CPU
 * codec encodes all strips. */
bool both_set_options(Both *both, const ImgView *view, int level, int32_t strips);

/* Uploads the picture, and allocates memory for the results. */
ImgStatus both_open(Both *both, ImgError *err);

/* Downloads what the GPU has encoded. */
ImgStatus both_take(Both *both, ImgError *err);

/* Compares all strips. Returns NULL if they are right, otherwise a description of the first
 * fault. */
const char *both_compare(Both *both, char *message, size_t room);

void both_release(Both *both);

/* Adds the strips of `both` to the number of strips that each method encoded. */
void count_strips(const Both *both);

/* Prints how many strips each method encoded. It is a failure if a method encoded none, except if
 * only a part of the cases is checked, or for LZ77 if `has_matches` is false. */
void report_strips(bool has_matches, Tally *tally);

#endif
