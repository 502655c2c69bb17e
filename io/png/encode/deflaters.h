/* Private: deflates a strip (a group of rows) with several strategies, and keeps the smallest
 * result. The strategies are: run-length encoding (deflate_runs.h); LZ77 with the matches of
 * match_rule.h; a deeper LZ77 search; and optimal parsing by libdeflate. */
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

/* Creates the working memory of a level's strategies for strips of up to `data` bytes. The memory
 * of each strategy is allocated when the strategy is first used. Returns NULL if memory is
 * short. */
ImgDeflaters *img_deflaters_create(const ImgPngLevel *level, size_t data);
/* Returns the largest amount of memory in bytes that the strategies of the level allocate. */
uint64_t img_deflaters_bytes(const ImgPngLevel *level, size_t data);
void img_deflaters_free(ImgDeflaters *deflaters);

/* Returns true if a strategy could not be used because memory was short. The smallest result may
 * then be larger than usual. */
bool img_deflaters_failed(const ImgDeflaters *deflaters);

/* Returns the largest possible output size in bytes for a strip of `data` bytes. */
size_t img_deflaters_bound(size_t data);

/* The smallest result so far for one strip. */
typedef struct ImgSmallest {
    uint8_t *out;
    size_t size; /* size of the result in bytes; 0 if there is no result yet */
    ImgStripStrategy strategy;
    uint32_t adler; /* Adler-32 of the data before compression */
    bool last;      /* true if the stream ends with this strip */
    /* Array for the bit positions at which the result's deflate blocks start. It has
     * img_block_starts_most(data) entries. */
    uint32_t *starts;
    /* Number of entries in `starts`. It is 0 if libdeflate made the result, because the block
     * starts are then unknown. */
    size_t blocks;
} ImgSmallest;

/* Each img_try function deflates `size` bytes with one strategy, and keeps the result in `smallest`
 * if it is smaller than the results before. */
void img_try_stored(const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                     size_t size, ImgSmallest *smallest);
void img_try_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort, const uint8_t *data,
                  size_t size, ImgSmallest *smallest);
void img_try_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                    ImgSmallest *smallest);
/* Deflates with libdeflate at the level second_search of the ImgPngLevel, which must not be 0. */
void img_try_second_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);
/* Deflates with lazy parsing by libdeflate, independently of the compression level. */
void img_try_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                          ImgSmallest *smallest);
/* Deflates with greedy parsing by libdeflate, which takes half the time of lazy parsing. */
void img_try_greedy_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);

/* Returns the number of bytes outside runs in the data that was last deflated with run-length
 * encoding. */
uint32_t img_runs_literals(const ImgDeflaters *deflaters);

/* Each img_measure function returns the size in bytes that `size` bytes of data would have as a
 * deflate stream on their own. It keeps no output. */
size_t img_measure_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size);
size_t img_measure_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size);
size_t img_measure_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size);

#endif
