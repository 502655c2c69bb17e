/* Private: the compressed stream of a PNG, which consists of the data of its IDAT chunks. A part is
 * the data of one IDAT chunk. */
#ifndef IMGTOOL_IO_PNG_IDAT_H
#define IMGTOOL_IO_PNG_IDAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/chunks.h"
#include "io/png/inflate/inflate.h"
#include "kernels/core/status.h"

/* Bytes of the zlib header before the blocks, and of the Adler-32 after them (RFC 1950). */
enum { IMG_ZLIB_HEADER_BYTES = 2, IMG_ZLIB_ADLER_BYTES = 4 };

typedef struct ImgIdatPart {
    /* Offset of the data in the file. The four bytes of the CRC follow the `size` bytes of data. */
    uint64_t at;
    uint32_t size;  /* size of the data in bytes; may be 0 */
    uint64_t start; /* offset of this part in the whole stream */
} ImgIdatPart;

/* The compressed stream of a file. Must be initialised with {0}, except `pieces`; img_idat_free
 * frees it. */
typedef struct ImgIdat {
    const uint8_t *file; /* the file in memory; unused if `pieces` is set; borrowed */
    const ImgPieces
        *pieces; /* reads the file; NULL: it is in memory. Set by the caller; borrowed. */
    ImgIdatPart *parts;
    size_t count;
    uint64_t size; /* size of the whole stream in bytes */
} ImgIdat;

/* Lists the IDAT chunks of a file that img_png_scan accepted, up to the first chunk of another type
 * after them. Borrows the file. Skips empty chunks (img_png_idat_is_idle) except the first chunk.
 * All parts lie within the file even if another program changes its bytes meanwhile. Fails with
 * IMG_E_MEMORY if memory is short. */
ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err);
void img_idat_free(ImgIdat *idat);

/* Returns true if the CRC of the IDAT chunk with index `part` is right. */
bool img_idat_part_is_sound(const ImgIdat *idat, size_t part);

/* Copies `size` bytes of the stream, from offset `from` onwards. These bytes must lie within the
 * stream. */
void img_idat_copy(const ImgIdat *idat, uint64_t from, size_t size, uint8_t *to);

enum { IMG_IDAT_PORTION = 1 << 16 };

/* Buffer for data that is divided over several IDAT chunks or reaches the end of the stream. */
typedef struct ImgIdatScratch {
    uint8_t bytes[IMG_IDAT_PORTION + IMG_INFLATE_DATA_SLACK];
} ImgIdatScratch;

/* Returns contiguous bytes of the stream from offset `from` onwards, at least 32 KiB or all bytes
 * that are left, in the file or in `scratch`. `from` must be at most idat->size. The result is
 * valid until `scratch` is used again. */
ImgInflateData img_idat_portion(const ImgIdat *idat, uint64_t from, ImgIdatScratch *scratch);

#endif
