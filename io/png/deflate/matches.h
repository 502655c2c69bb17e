/* Private: LZ77 by ISA-L: fast; graphics need it, photographs do not. On big-endian processors it
 * is our own LZ77 (matches_lz77.c). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCHES_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgMatchesWork ImgMatchesWork;

/* NULL: no memory. */
ImgMatchesWork *img_matches_create(void);
size_t img_matches_bytes(void); /* of it */
void img_matches_free(ImgMatchesWork *work);

/* As img_deflate_runs, for at most `capacity` bytes of output: 0 if there would be more. ISA-L
 * looks at the room: in little of it a run may become another, shorter stream. `level` is its, 1
 * to 3. `size` is at most UINT32_MAX. */
size_t img_deflate_matches(ImgMatchesWork *work, int level, const uint8_t *data, size_t size,
                           bool last, uint8_t *out, size_t capacity);

#endif
