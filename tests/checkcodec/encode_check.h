/* Declarations that the files of check_png_encode share. The program compares the PNG encoder of
 * the GPU with that of the CPU. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_ENCODE_CHECK_H
#define IMGTOOL_TESTS_CHECKCODEC_ENCODE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/cuda/encode/png_encode_cuda.h"
#include "kernels/core/image.h"

/* Kinds of test pictures. Each kind exercises another part of the encoder. */
typedef enum Kind {
    NOISE,  /* incompressible, so blocks are stored */
    SMOOTH, /* similar to a photograph, mostly literals */
    SPECKS, /* long runs, interrupted by single pixels */
    BANDS,  /* runs of every length */
    ONE,    /* one colour, with runs as long as blocks */
    TEXT,   /* highly compressible by matches */
    /* columns interrupted by single pixels; the Paeth filter is better for them than its sum of
     * absolute values suggests */
    SPIKES,
    ECHO,   /* noise in which more and more parts repeat towards the bottom */
    MIXED,  /* similar to a photograph in the upper half, to text in the lower half */
    COPIES, /* copies of earlier parts from any distance, separated by noise */
    HAZE,   /* like a clear sky: shrinks well, but has few runs */
    KINDS,
} Kind;

extern const char *const KIND_NAMES[KINDS];

/* Returns a picture that depends only on the arguments. Exits if there is no memory. */
ImgImage make_picture(ImgShape shape, Kind kind);

/* Counts of cases. If the cases are divided into several parts, only those of one part are
 * checked. */
typedef struct Tally {
    int passed, failed;
    /* index of the checked part, and number of parts; part 0 of 1 has all cases */
    int share, shares;
    int seen;
} Tally;

/* Returns a random number below `below`, and advances *state. */
static inline uint32_t pick(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* Counts a case. Returns true if the case belongs to the checked part. */
static inline bool is_in_share(Tally *tally)
{
    return tally->seen++ % tally->shares == tally->share;
}

/* Encodes pictures on the GPU and the CPU, and compares the results. `large` adds pictures with
 * many blocks per strip. */
void check_encoder(bool large, Tally *tally);

/* Compares strips at levels 1 to 4, most of them of more than 512 KB. For each strip the GPU must
 * give the bytes of the CPU codec, or leave the strip to the CPU because the CPU codec would try
 * more. `large` adds large pictures that the codec itself divides into strips. */
void check_strips(bool large, Tally *tally);

/* Checks `cases` random pictures of one to three strips of more than 512 KB. Format, kind and level
 * are random. Widths range from one pixel up to rows that alone exceed the usual size of a strip.
 */
void check_random_strips(int cases, uint64_t seed, Tally *tally);

/* Compares only the search for LZ77 matches with that of the CPU, without filters and strips. Most
 * units of data have up to 20,000 bytes; a few are larger. `large` adds jobs of many units of up to
 * 300 KB each. */
void check_matches(bool large, Tally *tally);

/* Checks `cases` random pictures with sides of up to `most_side` pixels. */
void check_random(int cases, uint64_t seed, int32_t most_side, Tally *tally);

/* Checks `batches` random batches: the first has `most` pictures, at least 2, the others 1 to
 * `most`. Sides have up to `side` pixels or, a few of them, four times as many. */
void check_batches(int batches, uint64_t seed, int most, int32_t side, Tally *tally);

/* Prints how long the GPU takes to encode the picture of a file at a level. Returns the exit status
 * of the program. */
int time_encoder(const char *path, int rounds, int level);

/* Prints how long the GPU takes to encode a batch of `count` copies of the picture of a file. Then
 * prints the time of each stage. Returns the exit status of the program. */
int time_batch(int count, const char *path, int rounds, int level);

/* --- Encoding on the device ------------------------------------------------------------------- */

/* These functions take pictures from host memory and write results to host memory. */

/* Device memory for pictures of one plan. Initialise with {0}, and free with device_close. */
typedef struct Device {
    ImgPngEncodeCudaPlan plan;
    ImgPngEncodeCudaPlaces places;
    void *pixels, *workspace, *output, *size, *strips, *blocks;
    void *second_stream; /* a cudaStream_t */
} Device;

ImgStatus device_open(Device *device, const ImgView *view, const ImgPngEncodeCudaOptions *options,
                      ImgError *err);
/* Encodes the uploaded picture, and waits until it is encoded. */
ImgStatus device_encode(Device *device, ImgError *err);
/* Downloads the encoded chunks to `chunks`, which must have plan.output bytes. */
ImgStatus device_download(const Device *device, uint8_t *chunks, size_t *size, ImgError *err);
/* Downloads the results of the strips to `strips`, which must have an element for each strip of the
 * plan. */
ImgStatus device_results(const Device *device, ImgPngCudaStrip *strips, ImgError *err);
/* Downloads the positions of blocks to `blocks`, which must have plan.starts elements. */
ImgStatus device_blocks(const Device *device, ImgPngCudaBlock *blocks, ImgError *err);
void device_close(Device *device);

#endif
