/* Private: lazy and optimal parses by libdeflate: small and slow. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEARCH_H
#define IMGTOOL_IO_PNG_DEFLATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgSearch ImgSearch;

/* `level` is libdeflate's, 1 to 12. NULL: no memory. */
ImgSearch *img_search_create(int level);
/* What it takes for pieces of `size` bytes, about. */
size_t img_search_bytes(int level, size_t size);
void img_search_free(ImgSearch *search);

/* Bytes of `out` that are enough for `size` bytes of data. */
size_t img_deflate_search_bound(size_t size);

/* As img_deflate_runs; 0 if there was no memory. */
size_t img_deflate_search(ImgSearch *search, const uint8_t *data, size_t size, bool last,
                          uint8_t *out);

#endif
