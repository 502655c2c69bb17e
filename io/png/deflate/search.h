/* Private: deflates with libdeflate, which searches thoroughly for matches. The output is small,
 * but deflating takes long. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEARCH_H
#define IMGTOOL_IO_PNG_DEFLATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgSearch ImgSearch;

/* Creates a compressor. `level` is the compression level of libdeflate, 1 to 12. Returns NULL if
 * memory is short. */
ImgSearch *img_search_create(int level);
/* Returns an estimate of the memory in bytes that a compressor needs for `size` bytes of data. */
size_t img_search_bytes(int level, size_t size);
void img_search_free(ImgSearch *search);

/* Returns the largest possible output size in bytes for `size` bytes of data. */
size_t img_deflate_search_bound(size_t size);

/* Deflates as img_deflate_runs does, and returns the number of bytes written. Returns 0 if memory
 * is short. */
size_t img_deflate_search(ImgSearch *search, const uint8_t *data, size_t size, bool last,
                          uint8_t *out);

#endif
