/* Private: the strategies to deflate a strip (runs, matches, a deeper LZ77, optimal parsing by
 * libdeflate), and the smallest of their results. */
#ifndef IMGTOOL_IO_PNG_ENCODE_DEFLATERS_H
#define IMGTOOL_IO_PNG_ENCODE_DEFLATERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/lz77.h"
#include "io/png/deflate/match_rule.h"
#include "io/png/encode/level.h"

typedef enum ImgStripStrategy {
    IMG_STRIP_STORED,
    IMG_STRIP_BY_RUNS,
    IMG_STRIP_BY_MATCHES,
    IMG_STRIP_BY_SEARCH,
    IMG_STRIP_STRATEGIES,
} ImgStripStrategy;

typedef struct ImgDeflaters ImgDeflaters;

/* For strips of up to `data` bytes. The memory of a strategy is allocated when it is first used.
 * Returns NULL if memory is short. */
ImgDeflaters *img_deflaters_create(const ImgPngLevel *level, size_t data);
/* Returns the most bytes that the strategies of the level allocate. */
uint64_t img_deflaters_bytes(const ImgPngLevel *level, size_t data);
void img_deflaters_free(ImgDeflaters *deflaters);

/* Returns true if memory was short for a strategy, so that the smallest result may be larger than
 * usual. */
bool img_deflaters_failed(const ImgDeflaters *deflaters);

/* Returns the output size that suffices for strips of `data` bytes. */
size_t img_deflaters_bound(size_t data);

/* The smallest result so far. */
typedef struct ImgSmallest {
    uint8_t *out;
    size_t size; /* 0: none yet */
    ImgStripStrategy strategy;
    uint32_t adler; /* of the uncompressed data */
    bool last;      /* the stream ends with this strip */
    /* Bit positions of its blocks, if one of our own strategies made it. */
    uint32_t *starts; /* array of img_block_starts_most(data) entries */
    size_t blocks;    /* 0: unknown */
} ImgSmallest;

/* Each function deflates `size` bytes and keeps the result if it is smaller. */
void img_try_stored(const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                     size_t size, ImgSmallest *smallest);
void img_try_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort, const uint8_t *data,
                  size_t size, ImgSmallest *smallest);
void img_try_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                    ImgSmallest *smallest);
/* Only if the level has one. */
void img_try_second_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);
/* Lazy parsing by libdeflate, independent of the level. */
void img_try_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                          ImgSmallest *smallest);
/* Greedy parsing by libdeflate, in half the time of lazy parsing. */
void img_try_greedy_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);

/* Each function returns the size of a piece that is deflated separately. */
size_t img_measure_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size);
size_t img_measure_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size);
size_t img_measure_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size);

#endif
