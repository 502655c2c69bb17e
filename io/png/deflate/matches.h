/* Private: deflate by literals and matches, as match_rule.h finds them: what screens, drawings and
 * text need. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/match_rule.h"

/* Memory to work in; keeps nothing from one call to the next. */
typedef struct ImgMatches ImgMatches;

/* NULL: no memory. */
ImgMatches *img_matches_create(void);
size_t img_matches_bytes(void); /* of it */
void img_matches_free(ImgMatches *work);

/* Bytes of output that are enough for `size` bytes of data. */
size_t img_deflate_matches_bound(size_t size);

/* As img_deflate_runs, for at most `capacity` bytes of output, of which IMG_BITS_SLACK more must be
 * there: 0 if there would be more. `size` is at most INT32_MAX. */
size_t img_deflate_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size, bool last, uint8_t *out, size_t capacity,
                           ImgBlockStarts *starts);

/* The bytes that it would write where `last`. */
size_t img_deflated_matches(ImgMatches *work, const ImgMatchRows *rows, const uint8_t *data,
                            size_t size);

/* The plain reference of img_deflate_matches, which has memory of its own; 0 also where there is
 * none. */
size_t img_deflate_matches_reference(const ImgMatchRows *rows, const uint8_t *data, size_t size,
                                     bool last, uint8_t *out, size_t capacity,
                                     ImgBlockStarts *starts);

#endif
