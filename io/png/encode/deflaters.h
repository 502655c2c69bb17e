/* Private: the strategies to deflate a strip (runs, matches, a deeper LZ77, optimal parse by
 * libdeflate), and the smallest of their results. */
#ifndef IMGTOOL_IO_PNG_ENCODE_DEFLATERS_H
#define IMGTOOL_IO_PNG_ENCODE_DEFLATERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/lz77.h"
#include "io/png/deflate/match_rule.h"
#include "io/png/encode/level.h"

typedef enum ImgStripWay {
    IMG_STRIP_STORED,
    IMG_STRIP_BY_RUNS,
    IMG_STRIP_BY_MATCHES,
    IMG_STRIP_BY_SEARCH,
    IMG_STRIP_WAYS,
} ImgStripWay;

typedef struct ImgDeflaters ImgDeflaters;

/* For strips of up to `data` bytes. What a strategy needs is allocated when it is first tried.
 * NULL: no memory. */
ImgDeflaters *img_deflaters_create(const ImgPngLevel *level, size_t data);
/* What they allocate at most, with all strategies that the level may try. */
uint64_t img_deflaters_bytes(const ImgPngLevel *level, size_t data);
void img_deflaters_free(ImgDeflaters *deflaters);

/* There was no memory for a strategy since they were created: the smallest result may be larger
 * than it would have been. */
bool img_deflaters_failed(const ImgDeflaters *deflaters);

/* Bytes of output that are enough for strips of `data` bytes. */
size_t img_deflaters_bound(size_t data);

/* The smallest result so far. */
typedef struct ImgSmallest {
    uint8_t *out;
    size_t size; /* 0: none yet */
    ImgStripWay way;
    uint32_t adler; /* of the data that it holds */
    bool last;      /* the stream is to end with it */
    /* Bits at which its blocks begin, where a strategy of our own made it. */
    uint32_t *starts; /* room for img_block_starts_most of the data */
    size_t blocks;    /* 0: not known */
} ImgSmallest;

/* Each deflates `size` bytes and keeps the result if it is smaller. */
void img_try_stored(const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, ImgSmallest *smallest);
void img_try_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                     size_t size, ImgSmallest *smallest);
void img_try_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort, const uint8_t *data,
                  size_t size, ImgSmallest *smallest);
void img_try_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                    ImgSmallest *smallest);
/* Only where the level has it. */
void img_try_second_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);
/* libdeflate's lazy parse, whatever the level's. */
void img_try_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                          ImgSmallest *smallest);
/* Its greedy parse, in half the time of the lazy one. */
void img_try_greedy_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest);

/* The size of a piece that is deflated by itself. */
size_t img_measure_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size);
size_t img_measure_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size);
size_t img_measure_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size);

#endif
