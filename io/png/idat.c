/* Lists the IDAT chunks of a file in memory, checks their CRCs, and returns their data as one
 * stream. */
#include "io/png/idat.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/chunks.h"

_Static_assert(sizeof(ImgIdatPart) <= IMG_PNG_PART_BYTES, "what a list of parts is counted as");

/* Counts the IDAT chunks that belong to the pixels, up to `most`. Fills the list of parts if it is
 * allocated. Keeps an empty first chunk. Another program may change the file's bytes meanwhile
 * (imgtool.h), so a second call may find a different number. */
static void walk_parts(size_t size, size_t most, ImgIdat *idat)
{
    bool seen = false;
    size_t at = IMG_PNG_SIGNATURE_BYTES;
    uint8_t frame[IMG_PNG_FRAME_BYTES];
    idat->count = 0;
    idat->size = 0;
    while (idat->count < most && size - at >= IMG_PNG_FRAME_BYTES) {
        const uint8_t *chunk =
            img_file_bytes(idat->file, idat->pieces, at, IMG_PNG_FRAME_BYTES, frame);
        const uint32_t length = img_get_be32_once(chunk);
        const uint8_t *type = chunk + 4;
        if (length > size - at - IMG_PNG_FRAME_BYTES)
            break;
        bool part = memcmp(type, "IDAT", 4) == 0;
        /* IDAT chunks after the first contiguous group do not belong to the pixels. */
        if (memcmp(type, "IEND", 4) == 0 || (!part && seen))
            break;
        if (part && (!seen || !img_png_idat_is_idle(chunk))) {
            if (idat->parts != NULL)
                idat->parts[idat->count] = (ImgIdatPart){at + 8, length, idat->size};
            idat->count++;
            idat->size += length;
        }
        seen |= part;
        at += IMG_PNG_FRAME_BYTES + (size_t)length;
    }
}

ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err)
{
    *idat = (ImgIdat){.file = file, .pieces = idat->pieces};
    walk_parts(size, SIZE_MAX, idat);
    const size_t count = idat->count;
    if (count == 0)
        return IMG_OK;
    idat->parts = malloc(count * sizeof *idat->parts);
    if (idat->parts == NULL) {
        *idat = (ImgIdat){0};
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of IDAT chunks");
    }
    walk_parts(size, count, idat);
    return IMG_OK;
}

void img_idat_free(ImgIdat *idat)
{
    free(idat->parts);
    *idat = (ImgIdat){0};
}

bool img_idat_part_is_sound(const ImgIdat *idat, size_t part)
{
    const ImgIdatPart *p = &idat->parts[part];
    if (idat->pieces == NULL) {
        const uint8_t *data = idat->file + p->at;
        return libdeflate_crc32(0, data - 4, (size_t)p->size + 4) == img_get_be32(data + p->size);
    }
    uint8_t piece[IMG_PIECE_BYTES];
    uint64_t at = p->at - 4;
    const uint64_t end = p->at + p->size;
    uint32_t crc = 0;
    for (size_t size; at < end; at += size) {
        size = end - at < sizeof piece ? (size_t)(end - at) : sizeof piece;
        idat->pieces->read(idat->pieces->context, at, size, piece);
        crc = libdeflate_crc32(crc, piece, size);
    }
    idat->pieces->read(idat->pieces->context, end, 4, piece);
    return crc == img_get_be32(piece);
}

/* Returns the index of the last part (IDAT chunk) that starts at or before offset `at` of the
 * stream. */
static size_t part_at(const ImgIdat *idat, uint64_t at)
{
    size_t low = 0, high = idat->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (idat->parts[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void img_idat_copy(const ImgIdat *idat, uint64_t from, size_t size, uint8_t *to)
{
    if (size == 0)
        return;
    for (size_t i = part_at(idat, from); size > 0; i++) {
        const ImgIdatPart *part = &idat->parts[i];
        size_t skipped = (size_t)(from - part->start), here = part->size - skipped;
        if (here > size)
            here = size;
        const uint64_t at = part->at + skipped;
        const uint8_t *data = img_file_bytes(idat->file, idat->pieces, at, here, to);
        if (data != to)
            memcpy(to, data, here);
        to += here;
        from += here;
        size -= here;
    }
}

ImgInflateData img_idat_portion(const ImgIdat *idat, uint64_t from, ImgIdatScratch *scratch)
{
    uint64_t left = idat->size - from;
    if (left > IMG_IDAT_PORTION)
        left = IMG_IDAT_PORTION;
    if (idat->pieces == NULL && idat->size - from > IMG_IDAT_PORTION) {
        const ImgIdatPart *part = &idat->parts[part_at(idat, from)];
        size_t skipped = (size_t)(from - part->start), here = part->size - skipped;
        /* The last 32 KB of the stream are always copied to the scratch buffer: inflate reads past
         * the end of a portion, and too few bytes follow in the file. */
        if (here == idat->size - from)
            here -= IMG_IDAT_PORTION / 2;
        if (here >= IMG_IDAT_PORTION / 2)
            return (ImgInflateData){idat->file + part->at + skipped, from, here, false};
    }
    img_idat_copy(idat, from, (size_t)left, scratch->bytes);
    memset(scratch->bytes + left, 0, IMG_INFLATE_DATA_SLACK);
    return (ImgInflateData){scratch->bytes, from, (size_t)left, from + left == idat->size};
}
