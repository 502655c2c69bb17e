/* Private: a rule for small strips of pixels that are not tiny. Such a strip is deflated by
 * run-length encoding first, with all filters. That is the result, unless the strip counts as
 * graphics (screens, drawings or text); then LZ77 is tried too. CPU and GPU make the same choice.
 *
 * A strip counts as graphics if it has many runs and shrinks well, or if LZ77 shrinks a piece of it
 * more. Smooth photographs also shrink well, because their filtered bytes are small numbers, but
 * few of these bytes are in runs, and LZ77 gains nothing. */
#ifndef IMGTOOL_IO_PNG_ENCODE_SMALL_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_SMALL_RULE_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

enum {
    /* Largest size in filtered bytes of a tiny strip. For a tiny strip even optimal parsing takes
     * almost no time. */
    IMG_STRIP_TINY = 1 << 14,
    /* The piece that is measured has about 1/8 of the strip, within these limits in bytes. */
    IMG_SMALL_PIECE_SHARE = 8,
    IMG_SMALL_PIECE_MOST = 1 << 14,
    IMG_SMALL_PIECE_LEAST = 1 << 12,
    /* A strip of at most this many bytes always gets a deeper search, which makes it noticeably
     * smaller. */
    IMG_SMALL_DEEP_BYTES = 48 << 10,
    /* A strip that run-length encoding shrinks to less than a quarter is easy. It counts as
     * graphics if a quarter of its bytes is in runs, if it shrinks to less than an eighth, or if it
     * gets a deeper search anyway. */
    IMG_SMALL_EASY_SHARE = 4,
    IMG_SMALL_RUNS_SHARE = 4,
    IMG_SMALL_VERY_EASY_SHARE = 8,
    /* LZ77 takes more time than run-length encoding. It is used only if it makes the piece smaller
     * than this percentage of the piece's size with run-length encoding. */
    IMG_SMALL_GAIN_PERCENT = 98,
};

/* A piece from the middle of a strip's filtered data: its first byte and its size. */
typedef struct ImgSmallPiece {
    uint32_t from, size;
} ImgSmallPiece;

/* Returns the piece of a strip of `size` filtered bytes, at least IMG_SMALL_PIECE_LEAST. */
IMG_HOST_DEVICE ImgSmallPiece img_small_piece(uint32_t size)
{
    const uint32_t most = IMG_SMALL_PIECE_MOST, least = IMG_SMALL_PIECE_LEAST;
    uint32_t bytes = size / IMG_SMALL_PIECE_SHARE;
    bytes = bytes < most ? bytes : most;
    bytes = bytes > least ? bytes : least;
    ImgSmallPiece piece;
    piece.from = (size - bytes) / 2;
    piece.size = bytes;
    return piece;
}

/* Returns true if a strip of `size` filtered bytes counts as graphics because of its runs.
 * Run-length encoding shrinks it to `runs` bytes; `literals` bytes are outside runs. */
IMG_HOST_DEVICE int img_small_has_runs(uint32_t size, uint32_t runs, uint32_t literals)
{
    if (runs >= size / IMG_SMALL_EASY_SHARE)
        return 0;
    return size <= IMG_SMALL_DEEP_BYTES || runs < size / IMG_SMALL_VERY_EASY_SHARE ||
           size - literals >= size / IMG_SMALL_RUNS_SHARE;
}

/* Returns true if a strip counts as graphics because of its piece. `runs` and `matches` are the
 * sizes in bytes of the piece with run-length encoding and with LZ77. */
IMG_HOST_DEVICE int img_small_gains(uint32_t runs, uint32_t matches)
{
    return matches * 100 < runs * IMG_SMALL_GAIN_PERCENT;
}

#endif
