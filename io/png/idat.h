/* Private: the compressed stream of a PNG, which its IDAT chunks hold in parts. */
#ifndef IMGTOOL_IO_PNG_IDAT_H
#define IMGTOOL_IO_PNG_IDAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/inflate/inflate.h"
#include "kernels/core/status.h"

/* What a zlib stream has beside its blocks (RFC 1950): two bytes before, the Adler-32 after. */
enum { IMG_ZLIB_HEADER_BYTES = 2, IMG_ZLIB_ADLER_BYTES = 4 };

typedef struct ImgIdatPart {
    const uint8_t *data; /* in the file; after `size` bytes follow the four of the CRC */
    uint32_t size;       /* may be 0 */
    uint64_t start;      /* where it begins in the stream */
} ImgIdatPart;

/* Start with {0}, end with img_idat_free. */
typedef struct ImgIdat {
    ImgIdatPart *parts;
    size_t count;
    uint64_t size; /* of the stream */
} ImgIdat;

/* Lists the parts of a file that passed img_png_scan, up to the first other chunk, without those
 * that are idle (chunks.h), but for the first; borrows it. All parts lie in the file, whatever its
 * lengths say. IMG_E_MEMORY. */
ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err);
void img_idat_free(ImgIdat *idat);

/* True if the CRC of part number `part` is right. */
bool img_idat_part_is_sound(const ImgIdat *idat, size_t part);

/* Copies bytes `from` to `from + size` of the stream, which must lie in it. */
void img_idat_copy(const ImgIdat *idat, uint64_t from, size_t size, uint8_t *to);

enum { IMG_IDAT_PORTION = 1 << 16 };

/* Room for portions that lie in several parts, or at the end of the stream. */
typedef struct ImgIdatScratch {
    uint8_t bytes[IMG_IDAT_PORTION + IMG_INFLATE_DATA_SLACK];
} ImgIdatScratch;

/* The next bytes of the stream from byte `from` on, which is at most idat->size: as many as inflate
 * needs for a portion, or all that is left. Valid until the scratch is used again. */
ImgInflateData img_idat_portion(const ImgIdat *idat, uint64_t from, ImgIdatScratch *scratch);

#endif
