/* Private: the strategies to deflate a strip (a group of rows), and the smallest of their results.
 * The strategies are runs (run lengths), matches (match_rule.h), a deeper LZ77, and optimal parsing
 * by libdeflate. */
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

/* Creates the strategies of a level for strips of up to `data` bytes. The memory of each strategy
 * is allocated when it is first used. Returns NULL if memory is short. */
ImgDeflaters *img_deflaters_create(const ImgPngLevel *level, size_t data);
/* Returns the largest number of bytes that the strategies of the level allocate. */
uint64_t img_deflaters_bytes(const ImgPngLevel *level, size_t data);
void img_deflaters_free(ImgDeflaters *deflaters);

/* Returns true if memory was short for a strategy. The smallest result may then be larger than
 * usual. */
bool img_deflaters_failed(const ImgDeflaters *deflaters);

/* Returns the largest output size for strips of `data` bytes. */
size_t img_deflaters_bound(size_t data);

/* The smallest result so far. */
typedef struct ImgSmallest {
    uint8_t *out;
    size_t size; /* in bytes; 0: no result yet */
    ImgStripStrategy strategy;
    uint32_t adler; /* Adler-32 of the uncompressed data */
    bool last;      /* true if the stream ends with this strip */
    /* Bit positions of the result's deflate blocks; unknown if libdeflate made it. */
    uint32_t *starts; /* array of img_block_starts_most(data) entries */
    size_t blocks;    /* number of entries in `starts`; 0: unknown */
} ImgSmallest;

/* Each img_try function deflates `size` bytes by one strategy and keeps the result if it is
 * smaller. */
void img_try_stored(const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                     size_t size, ImgSmallest *smallest);
void img_try_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort, const uint8_t *data,
                  size_t size, ImgSmallest *smallest);
void img_try_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                    ImgSmallest *smallest);
/* Uses the level's second search, if it has one. */
void img_try_second_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);
/* Uses lazy parsing by libdeflate, independent of the level. */
void img_try_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                          ImgSmallest *smallest);
/* Uses greedy parsing by libdeflate, which takes half the time of lazy parsing. */
void img_try_greedy_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);

/* Each img_measure function returns the size of `size` bytes of data if they are deflated
 * separately. */
size_t img_measure_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size);
size_t img_measure_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size);
size_t img_measure_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size);

#endif
