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
static void walk_parts(const uint8_t *file, size_t size, size_t most, ImgIdat *idat)
{
    bool seen = false;
    size_t at = IMG_PNG_SIGNATURE_BYTES;
    const uint8_t *from = file;
    idat->count = 0;
    idat->size = 0;
    while (idat->count < most && size - at >= IMG_PNG_FRAME_BYTES) {
        img_passed(idat->passed, &from, file + at);
        const uint32_t length = img_get_be32_once(file + at);
        const uint8_t *type = file + at + 4;
        if (length > size - at - IMG_PNG_FRAME_BYTES)
            break;
        bool part = memcmp(type, "IDAT", 4) == 0;
        /* IDAT chunks after the first contiguous group do not belong to the pixels. */
        if (memcmp(type, "IEND", 4) == 0 || (!part && seen))
            break;
        if (part && (!seen || !img_png_idat_is_idle(file + at))) {
            if (idat->parts != NULL)
                idat->parts[idat->count] = (ImgIdatPart){type + 4, length, idat->size};
            idat->count++;
            idat->size += length;
        }
        seen |= part;
        at += IMG_PNG_FRAME_BYTES + (size_t)length;
    }
}

ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err)
{
    *idat = (ImgIdat){.passed = idat->passed};
    walk_parts(file, size, SIZE_MAX, idat);
    const size_t count = idat->count;
    if (count == 0)
        return IMG_OK;
    idat->parts = malloc(count * sizeof *idat->parts);
    if (idat->parts == NULL) {
        *idat = (ImgIdat){0};
        return img_fail(err, IMG_E_MEMORY, "no memory for the list of IDAT chunks");
    }
    walk_parts(file, size, count, idat);
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
    const uint8_t *from = p->data - 4, *end = p->data + p->size;
    uint32_t crc = 0;
    while (idat->passed != NULL && end - from > IMG_PASSED_BYTES) {
        crc = libdeflate_crc32(crc, from, IMG_PASSED_BYTES);
        img_passed(idat->passed, &from, from + IMG_PASSED_BYTES);
    }
    crc = libdeflate_crc32(crc, from, (size_t)(end - from));
    return crc == img_get_be32(end);
}

/* Returns the index of the last part that starts at or before offset `at` of the stream. */
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
        memcpy(to, part->data + skipped, here);
        to += here;
        from += here;
        size -= here;
    }
}

ImgInflateData img_idat_portion(const ImgIdat *idat, uint64_t from, ImgIdatScratch *scratch)
{
    uint64_t left = idat->size - from;
    if (left > IMG_IDAT_PORTION) {
        const ImgIdatPart *part = &idat->parts[part_at(idat, from)];
        size_t skipped = (size_t)(from - part->start), here = part->size - skipped;
        /* The end of the stream is copied to the scratch buffer, because too few readable bytes
         * follow it in the file. */
        if (here == left)
            here -= IMG_IDAT_PORTION / 2;
        if (here >= IMG_IDAT_PORTION / 2)
            return (ImgInflateData){part->data + skipped, from, here, false};
        left = IMG_IDAT_PORTION;
    }
    img_idat_copy(idat, from, (size_t)left, scratch->bytes);
    memset(scratch->bytes + left, 0, IMG_INFLATE_DATA_SLACK);
    return (ImgInflateData){scratch->bytes, from, (size_t)left, from + left == idat->size};
}
