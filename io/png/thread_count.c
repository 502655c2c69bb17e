#include "io/png/thread_count.h"

#include "io/png/decode.h"
#include "io/png/decode/band.h"
#include "io/png/encode.h"
#include "io/png/libpng.h"

static uint64_t beyond_own(uint64_t bytes)
{
    return bytes > IMG_PNG_OWN_BYTES ? bytes - IMG_PNG_OWN_BYTES : 0;
}

uint64_t img_png_decoder_room(uint64_t room, uint64_t others)
{
    return (room > others ? room - others : 0) + IMG_PNG_OWN_BYTES;
}

uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads, uint64_t room)
{
    return beyond_own(img_png_decode_bytes(shape, file_bytes, threads, room));
}

void img_png_fit_decoder(ImgShape shape, uint64_t file_bytes, uint64_t room,
                         ImgPngDecodeOptions *how, uint64_t *bytes)
{
    const uint64_t kept = file_bytes + img_image_bytes(shape);
    if (how->room != IMG_PNG_LEAST_ROOM)
        how->room = img_png_decoder_room(room, kept);
    uint64_t beside = img_png_decode_beside(shape, file_bytes, how->threads, how->room);
    while (how->threads > 1 && kept + beside > room)
        beside = img_png_decode_beside(shape, file_bytes, --how->threads, how->room);
    if (bytes != NULL)
        *bytes = kept + beside;
}

void img_png_fit_rows_decoder(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                              ImgPngDecodeOptions *how, uint64_t *bytes)
{
    const uint64_t others = img_band_bytes(shape) + beside;
    how->room = img_png_decoder_room(room, file_bytes + others);
    for (;; how->threads--) {
        const uint64_t taken =
            beyond_own(others + img_png_decode_bytes(shape, file_bytes, how->threads, how->room));
        if (bytes != NULL)
            *bytes = file_bytes + taken;
        if (how->threads == 1 || file_bytes + taken <= room)
            return;
    }
}

/* Returns the memory in bytes for encoding that counts against the limit. If libpng encodes because
 * rows are very wide, all its row buffers count. */
static uint64_t encode_beside(ImgShape shape, bool interlaced, int level, int threads)
{
    const uint64_t bytes = img_png_encode_is_by_libpng(shape, interlaced)
                               ? img_libpng_encode_bytes(shape)
                               : img_png_encode_bytes(shape, level, threads, 1);
    return img_png_encode_is_by_libpng(shape, false) ? bytes : beyond_own(bytes);
}

int img_png_encode_threads(ImgShape shape, bool interlaced, int level, uint64_t room, int threads,
                           uint64_t *bytes)
{
    const uint64_t kept = img_image_bytes(shape);
    uint64_t beside = encode_beside(shape, interlaced, level, threads);
    while (threads > 1 && kept + beside > room)
        beside = encode_beside(shape, interlaced, level, --threads);
    if (bytes != NULL)
        *bytes = kept + beside;
    return threads;
}
