/* Private to runs in bands (bands.c): passes that compute a result band by band. For each band,
 * finds the rows that each pass must read, from the last pass to the first. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_BANDS_CHAIN_H
#define IMGTOOL_KERNELS_CORE_EXEC_BANDS_CHAIN_H

#include "kernels/core/exec/exec_priv.h"

/* A pass that runs in bands. */
typedef struct ImgChainPass {
    const ImgOp *op;
    const void *params;
    ImgShape src, dst;
    bool is_points; /* true: the pass performs one or several point operations */
    /* true: the pass needs a measurement, which an earlier pass over the source makes */
    bool is_measured;
    /* if is_measured: the form of the implementation that uses the measured constants; NULL: the
     * measurement instead completes the parameters (ImgOp.measured.by) */
    const ImgTwoPasses *two_passes;
    uint64_t constants_bytes; /* set by img_chain_add: bytes of the constants of a part */
} ImgChainPass;

/* The passes that run in bands, in the order in which they run. */
typedef struct ImgChain {
    ImgChainPass passes[IMG_STEPS_MAX];
    size_t count;
    ImgShape dst; /* shape of the result of the last pass; without passes, of the source */
    /* true: rows of the source come in order; false: the source is a picture in memory, of which
     * any part can be read */
    bool is_in_order;
    /* true: the first pass computes its rows in tiles (ImgOp.bands.tile), from a picture in memory
     */
    bool has_tiles;
    ImgBandHeights heights; /* heights of the bands of the result */
} ImgChain;

/* Adds a pass. Returns false and changes nothing if the pass needs the whole picture, or rows of
 * the source in another order than the source delivers them. If the result is collected, also
 * returns false if earlier passes would compute too many of their rows twice. */
bool img_chain_add(ImgChain *chain, const ImgChainPass *pass);

/* Returns the heights of the bands: `heights` if they are given, otherwise suitable ones. */
ImgBandHeights img_chain_heights(const ImgChain *chain);

/* Returns the number of bands, but at most `most`. */
int img_chain_bands(const ImgChain *chain, int most);

/* Returns the rows of the band that begins with row `first`. They are empty after the last band. */
ImgRows img_chain_band(const ImgChain *chain, int32_t first);

/* Sets parts[i] to the part of its source that pass i reads for the band `band` of the result.
 * Returns the rectangle of the chain's source that the band needs. With tiles (ImgChain.has_tiles),
 * parts[0].src and the result are instead the rows that the first pass computes. */
ImgRect img_chain_parts(const ImgChain *chain, ImgRows band, ImgPart *parts);

/* Returns the shape of the result of pass number `number` on a part of its source. */
ImgShape img_chain_part_shape(const ImgChain *chain, size_t number, const ImgPart *part);

/* Describes in *part how the first pass computes one tile of its result. The tile begins at column
 * `x` and has the rows of `rows`, for which img_chain_parts has set parts[0].src. Returns the
 * tile. */
ImgRect img_chain_tile(const ImgChain *chain, ImgRect rows, int32_t x, ImgPart *part);

/* Returns the bytes of a row in the buffers of a run in bands. */
size_t img_chain_row_bytes(ImgShape shape);

enum { IMG_CHAIN_NARROW = 4096 };

/* Memory and rows of a run. Bytes and source_rows are the largest numbers of any band; the array
 * `rows` has totals of all bands. */
typedef struct ImgChainNeeds {
    int32_t source_rows;
    /* sizes in bytes of the two buffers of a worker: buffer 0 holds rows of the source if they are
     * copied, and pass i writes to buffer (i + 1) % 2 */
    size_t buffer_bytes[2];
    /* true: some rectangle of the source is narrower than IMG_CHAIN_NARROW bytes, although the
     * source is wider; reading it from a disk is slow */
    bool is_narrow;
    uint64_t scratch; /* bytes of scratch memory of a worker */
    /* true: no band needs rows of the source above the first row that the previous band needs */
    bool keeps_order;
    int64_t rows[IMG_STEPS_MAX]; /* number of rows that each pass computes for all bands */
} ImgChainNeeds;

/* Returns the needs of workers with `threads` threads each. `copies` is true if the rows of the
 * source are copied to a buffer. */
ImgChainNeeds img_chain_needs(const ImgChain *chain, int threads, bool copies);

/* Returns the average number of rows that a pass computes for each row of its result; 0 without
 * passes. */
double img_chain_work(const ImgChain *chain, const ImgChainNeeds *needs);

#endif
