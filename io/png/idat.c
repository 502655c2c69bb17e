/* Lists, checks and joins the IDAT chunks of a file in memory. */
#include "io/png/idat.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/chunks.h"

enum { FIRST_CAPACITY = 16 };

static ImgStatus add_part(ImgIdat *idat, size_t *capacity, const uint8_t *data, uint32_t size,
                          ImgError *err)
{
    if (idat->count == *capacity) {
        size_t more = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
        ImgIdatPart *parts = realloc(idat->parts, more * sizeof *parts);
        if (parts == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for the list of IDAT chunks");
        idat->parts = parts;
        *capacity = more;
    }
    idat->parts[idat->count++] = (ImgIdatPart){data, size, idat->size};
    idat->size += size;
    return IMG_OK;
}

ImgStatus img_idat_list(const uint8_t *file, size_t size, ImgIdat *idat, ImgError *err)
{
    size_t capacity = 0;
    *idat = (ImgIdat){0};
    for (size_t at = IMG_PNG_SIGNATURE_BYTES; size - at >= IMG_PNG_FRAME_BYTES;) {
        uint32_t length = img_get_be32(file + at);
        const uint8_t *type = file + at + 4;
        if (memcmp(type, "IEND", 4) == 0)
            break;
        bool part = memcmp(type, "IDAT", 4) == 0;
        if (!part && idat->count > 0) /* those after other chunks are no part of the pixels */
            break;
        if (part) {
            ImgStatus status = add_part(idat, &capacity, type + 4, length, err);
            if (status != IMG_OK) {
                img_idat_free(idat);
                return status;
            }
        }
        at += IMG_PNG_FRAME_BYTES + (size_t)length;
    }
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
    return libdeflate_crc32(0, p->data - 4, (size_t)p->size + 4) == img_get_be32(p->data + p->size);
}

/* The last part that starts at or before byte `at`. */
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
        /* The end of the stream is copied: not enough bytes follow it here. */
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
