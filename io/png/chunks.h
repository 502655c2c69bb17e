/* Private: checks the chunks of a PNG in memory before any decoder reads them: their structure,
 * their order, and the CRC of every chunk except IDAT. Damaged chunks that the pixels do not need
 * are dropped and recorded. io/png/README.md compares this with libpng. */
#ifndef IMGTOOL_IO_PNG_CHUNKS_H
#define IMGTOOL_IO_PNG_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "io/png/palette.h"
#include "kernels/core/image.h"

enum {
    IMG_PNG_SIGNATURE_BYTES = 8,
    IMG_PNG_FRAME_BYTES = 12,  /* bytes of a chunk besides its data: length, type and CRC */
    IMG_PNG_HEADER_BYTES = 33, /* bytes of the signature and the IHDR chunk */
    IMG_PNG_PART_BYTES = 24,   /* bytes of a decoder's list entry for one IDAT chunk (idat.h) */
};

typedef struct ImgPngHeader {
    ImgShape shape;
    bool interlaced;
} ImgPngHeader;

typedef struct ImgPngScan {
    size_t size; /* size of the PNG in bytes, up to the end of IEND; bytes after it are ignored */
    /* Number of frames of an APNG. It is 0 for a still picture, and for an APNG whose only frame is
     * the still picture. */
    uint32_t frames;
    /* True if the file has an acTL chunk that is invalid, because it follows IDAT or states 0
     * frames. */
    bool odd_animation;
    ImgPngPaletteFlaws palette;
    /* True if IDAT chunks after the first contiguous group of IDAT chunks were dropped. */
    bool late_idat;
    bool full_end; /* true if IEND contained data, which was dropped */
    /* Types of the ancillary chunks that were dropped because of a wrong CRC, as many as fit:
     * "iCCP, tEXt". */
    char wrong_crc[64];
} ImgPngScan;

/* Reads a file in pieces, because it is not in memory as a whole. Functions that take the bytes of
 * a file as `data` ignore `data` if they also get an ImgPieces. */
typedef struct ImgPieces {
    /* Copies `size` bytes of the file from offset `at` on, which lie within its size. Sets them to
     * 0 if they cannot be read; the owner of the context then reports the failure. Any thread may
     * call it. */
    void (*read)(void *context, uint64_t at, size_t size, uint8_t *to);
    void *context;
} ImgPieces;

enum { IMG_PIECE_BYTES = 16 << 10 }; /* size of a buffer on the stack for a piece of a file */

/* A memory budget. `used` is the memory in bytes of the file and its pixels. `limit` is the largest
 * memory in bytes for the file, the pixels and the chunks together. */
typedef struct ImgPngBudget {
    uint64_t used, limit;
    const char *more; /* the same as ImgLimits.more_memory: how the user can raise the limit */
    const ImgPieces *pieces; /* reads the file; NULL: it is in memory */
} ImgPngBudget;

/* Returns a pointer to `size` bytes of a file from offset `at` on. If the file is in memory, at
 * `data`, `pieces` is NULL. Otherwise the bytes are copied to `buffer`. */
static inline const uint8_t *img_file_bytes(const uint8_t *data, const ImgPieces *pieces,
                                            uint64_t at, size_t size, uint8_t *buffer)
{
    if (pieces == NULL)
        return data + at;
    pieces->read(pieces->context, at, size, buffer);
    return buffer;
}

/* Returns true if the data starts with the 8-byte PNG signature. */
bool img_png_is_signed(const uint8_t *data, size_t size);

/* Reads the signature and IHDR, which are the first IMG_PNG_HEADER_BYTES bytes of the file. Accepts
 * widths and heights from 1 to 2^31 - 1. */
ImgStatus img_png_header(const uint8_t *data, ImgPngHeader *header, ImgError *err);

/* Returns true if an IDAT chunk is empty and has the right CRC, so that decoders can skip it.
 * `chunk` points to its length field. */
bool img_png_idat_is_idle(const uint8_t *chunk);

/* Reads all chunks of a file whose header img_png_header accepted. Palette and ancillary chunks are
 * stored in `metadata`, which the caller frees even after a failure. Fails with IMG_E_LIMIT if the
 * chunks and the lists of chunks need more memory than the budget has left.
 *
 * Drops parts that do not apply. For palette images these are palette entries that no index can
 * reach, and the parts of hIST and bKGD that refer to missing entries. For all images these are
 * tRNS chunks that img_png_select_transparency does not select, so that at most one of the right
 * size remains. */
ImgStatus img_png_scan(const uint8_t *data, size_t size, const ImgPngHeader *header,
                       ImgPngBudget budget, ImgMetadata *metadata, ImgPngScan *scan, ImgError *err);

enum { IMG_PNG_WARNINGS_MAX = 10 };

/* A list of warnings for the user. Must be initialised with {0}. Must not move in memory, because
 * `lines` may point into it. */
typedef struct ImgPngWarnings {
    /* One warning per line, without the file's name. NULL ends the list. */
    const char *lines[IMG_PNG_WARNINGS_MAX + 1];
    char wrong_crc[sizeof((ImgPngScan *)NULL)->wrong_crc + 64];
} ImgPngWarnings;

/* Adds the warnings about the chunks of a file. `file_bytes` is the size of the file in bytes. */
void img_png_warn_of_scan(const ImgPngScan *scan, size_t file_bytes, ImgPngWarnings *warnings);

/* Adds the warning that there was data after the pixels. Called if decoding found such data
 * (ImgPngDecodeReport.extra_data). */
void img_png_warn_of_extra_data(const ImgPngScan *scan, ImgPngWarnings *warnings);

#endif
