/* Private: deflate with literals and the matches of match_rule.h, for screens, drawings and
 * text. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/match_rule.h"

/* Working memory. Keeps no data between calls. */
typedef struct ImgMatches ImgMatches;

/* Allocates working memory. Returns NULL if memory is short. */
ImgMatches *img_matches_create(void);
size_t img_matches_bytes(void); /* Returns the size of an ImgMatches in bytes. */
void img_matches_free(ImgMatches *work);

/* Returns the largest output size for `size` bytes of data. */
size_t img_deflate_matches_bound(size_t size);

/* Deflates as img_deflate_runs does, but with at most `capacity` bytes of output. IMG_BITS_SLACK
 * more bytes must be writable after the output. Returns 0 if the output would be larger than
 * `capacity`. `size` is at most INT32_MAX. */
size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts);

/* Returns the size of the output of img_deflate_matches, with `last` true, without writing it. */
size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size);

/* The reference for tests of img_deflate_matches: plain code with the same results. Allocates its
 * own memory; also returns 0 if memory is short. */
size_t img_deflate_matches_reference(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                                     bool last, uint8_t *out, size_t capacity,
                                     ImgBlockStarts *starts);

#endif
