/* Private: the compressed stream of a PNG, which is divided over its IDAT chunks. A part is the
 * data of one IDAT chunk. */
#ifndef IMGTOOL_IO_PNG_IDAT_H
#define IMGTOOL_IO_PNG_IDAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/inflate/inflate.h"
#include "kernels/core/status.h"

/* Bytes of a zlib stream besides its blocks (RFC 1950): the header, and the Adler-32 at the end. */
enum { IMG_ZLIB_HEADER_BYTES = 2, IMG_ZLIB_ADLER_BYTES = 4 };

typedef struct ImgIdatPart {
    /* Address in the file; the four bytes of the CRC follow the `size` bytes. */
    const uint8_t *data;
    uint32_t size;  /* may be 0 */
    uint64_t start; /* offset of the part in the stream */
} ImgIdatPart;

/* The stream of a file. Must start as {0}; freed by img_idat_free. */
typedef struct ImgIdat {
    ImgIdatPart *parts;
    size_t count;
    uint64_t size; /* bytes of the stream */
} ImgIdat;

/* Lists the IDAT chunks of a file that passed img_png_scan, up to the first other chunk after them.
 * Borrows the file. Skips empty chunks (img_png_idat_is_idle) after the first one. All parts lie
 * within the file even if another program changes its bytes meanwhile. May fail with
 * IMG_E_MEMORY. */
ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err);
void img_idat_free(ImgIdat *idat);

/* Returns true if the CRC of part `part` is right. */
bool img_idat_part_is_sound(const ImgIdat *idat, size_t part);

/* Copies `size` bytes of the stream from offset `from`; they must lie within the stream. */
void img_idat_copy(const ImgIdat *idat, uint64_t from, size_t size, uint8_t *to);

enum { IMG_IDAT_PORTION = 1 << 16 };

/* Buffer for portions that span several parts or reach the end of the stream. */
typedef struct ImgIdatScratch {
    uint8_t bytes[IMG_IDAT_PORTION + IMG_INFLATE_DATA_SLACK];
} ImgIdatScratch;

/* Returns bytes of the stream from offset `from`, which is at most idat->size: enough for one
 * portion, or all bytes that are left. Valid until the scratch buffer is used again. */
ImgInflateData img_idat_portion(const ImgIdat *idat, uint64_t from, ImgIdatScratch *scratch);

#endif
