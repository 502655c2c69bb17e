/* Private: deflate with literals and the matches of match_rule.h, for screens, drawings and
 * text. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/match_rule.h"

/* Working memory; keeps nothing between calls. */
typedef struct ImgMatches ImgMatches;

/* Returns NULL if memory is short. */
ImgMatches *img_matches_create(void);
size_t img_matches_bytes(void); /* memory of an ImgMatches */
void img_matches_free(ImgMatches *work);

/* Returns the output size that suffices for `size` bytes of data. */
size_t img_deflate_matches_bound(size_t size);

/* Like img_deflate_runs, for at most `capacity` bytes of output, after which IMG_BITS_SLACK more
 * bytes must be writable. Returns 0 if the output would be larger. `size` is at most INT32_MAX. */
size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts);

/* Returns the number of bytes that img_deflate_matches would write with `last`. */
size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size);

/* The plain reference for img_deflate_matches. It allocates its own memory, and returns 0 also if
 * memory is short. */
size_t img_deflate_matches_reference(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                                     bool last, uint8_t *out, size_t capacity,
                                     ImgBlockStarts *starts);

#endif
