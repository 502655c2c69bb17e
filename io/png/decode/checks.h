/* Private to the decoder: checks before and after inflating, and the choice of a strategy
 * (strategy.h). */
#ifndef IMGTOOL_IO_PNG_DECODE_CHECKS_H
#define IMGTOOL_IO_PNG_DECODE_CHECKS_H

#include "io/png/chunks.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/decode/strategy.h"

/* Returns the reason why the fast strategies do not support this picture, or NULL if they do. */
const char *img_png_why_not_fast(const ImgPngHeader *header);

/* Chooses a strategy that starts at the beginning of the stream: in sequence or pipelined. The
 * pipeline copies an unfinished row into each portion. For rows many times as long as a portion,
 * these copies take longer than inflating. */
ImgPngStrategy img_png_strategy_from_start(const ImgPngJob *job);

/* Chooses the fastest strategy. `strips` is the number of strips in the file's index, or 0. */
ImgPngStrategy img_png_choose_strategy(const ImgPngJob *job, size_t strips);

/* Returns true if our decoders handle the zlib header as zlib does, and the CRCs of all parts are
 * right. `inflated` is the expected size in bytes. */
bool img_png_stream_is_sound(const ImgIdat *idat, uint64_t inflated, ImgTeam *team, int threads);

/* Returns true if the Adler-32 directly follows the last block, has the value `adler`, and is the
 * end of the stream. */
bool img_png_stream_ends_well(const ImgIdat *idat, uint64_t end_bit, uint32_t adler);

#endif
