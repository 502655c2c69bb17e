#include "io/png/thread_count.h"

#include "io/png/decode.h"
#include "io/png/decode/band.h"
#include "io/png/encode.h"

static uint64_t beyond_own(uint64_t bytes)
{
    return bytes > IMG_PNG_OWN_BYTES ? bytes - IMG_PNG_OWN_BYTES : 0;
}

uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads)
{
    return beyond_own(img_png_decode_bytes(shape, file_bytes, threads));
}

int img_png_decode_threads(ImgShape shape, uint64_t file_bytes, uint64_t room, int threads,
                           uint64_t *bytes)
{
    const uint64_t kept = file_bytes + img_image_bytes(shape);
    uint64_t beside = beyond_own(img_png_decode_bytes(shape, file_bytes, threads));
    while (threads > 1 && kept + beside > room)
        beside = beyond_own(img_png_decode_bytes(shape, file_bytes, --threads));
    if (bytes != NULL)
        *bytes = kept + beside;
    return threads;
}

static uint64_t rows_beside(ImgShape shape, uint64_t file_bytes, uint64_t beside, int threads)
{
    return beyond_own(img_band_bytes(shape) + beside +
                      img_png_decode_bytes(shape, file_bytes, threads));
}

int img_png_rows_threads(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                         int threads, uint64_t *bytes)
{
    uint64_t taken = rows_beside(shape, file_bytes, beside, threads);
    while (threads > 1 && file_bytes + taken > room)
        taken = rows_beside(shape, file_bytes, beside, --threads);
    if (bytes != NULL)
        *bytes = file_bytes + taken;
    return threads;
}

/* Returns the memory in bytes for encoding that counts against the limit. If libpng encodes, all
 * its row buffers count, because they may be large. */
static uint64_t encode_beside(ImgShape shape, int level, int threads)
{
    const uint64_t bytes = img_png_encode_bytes(shape, level, threads, 1);
    return img_png_encode_is_by_libpng(shape, false) ? bytes : beyond_own(bytes);
}

int img_png_encode_threads(ImgShape shape, int level, uint64_t room, int threads, uint64_t *bytes)
{
    const uint64_t kept = img_image_bytes(shape);
    uint64_t beside = encode_beside(shape, level, threads);
    while (threads > 1 && kept + beside > room)
        beside = encode_beside(shape, level, --threads);
    if (bytes != NULL)
        *bytes = kept + beside;
    return threads;
}
