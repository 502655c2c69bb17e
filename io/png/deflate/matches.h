/* Private: deflate with literals and the matches that match_rule.h selects, for screens, drawings
 * and text. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/match_rule.h"

/* Working memory of img_deflate_matches. It keeps no data between calls. */
typedef struct ImgMatches ImgMatches;

/* Allocates the working memory. Returns NULL if memory is short. */
ImgMatches *img_matches_create(void);
size_t img_matches_bytes(void); /* Returns the size of an ImgMatches in bytes. */
void img_matches_free(ImgMatches *work);

/* Returns the largest possible output size in bytes for `size` bytes of data. */
size_t img_deflate_matches_bound(size_t size);

/* Deflates as img_deflate_runs does, but writes at most `capacity` bytes. Returns 0 if the output
 * would be larger. The IMG_BITS_SLACK bytes after the output must be writable. `size` is at most
 * INT32_MAX. */
size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts);

/* Returns the number of bytes that img_deflate_matches would write if `last` were true. Writes
 * nothing. */
size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size);

/* Returns the same results as img_deflate_matches, computed with plain code, as a reference for
 * tests. Allocates its own memory, and also returns 0 if memory is short. */
size_t img_deflate_matches_reference(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                                     bool last, uint8_t *out, size_t capacity,
                                     ImgBlockStarts *starts);

#endif
