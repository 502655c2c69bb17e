/* Private to the decoder: checks before and after inflating, and the choice of a strategy. */
#ifndef IMGTOOL_IO_PNG_DECODE_CHECKS_H
#define IMGTOOL_IO_PNG_DECODE_CHECKS_H

#include "io/png/chunks.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/decode/strategy.h"

/* Returns the reason why the fast strategies do not handle such a picture, or NULL. */
const char *img_png_why_not_fast(const ImgPngHeader *header);

/* Chooses a strategy that starts at the beginning of the stream. The pipeline copies an unfinished
 * row into each portion. If a row is many times as long as a portion, that takes longer than
 * inflating. */
ImgPngStrategy img_png_strategy_from_start(const ImgPngJob *job);

/* Chooses the fastest strategy. `strips` is the number of strips in the index, or 0. */
ImgPngStrategy img_png_choose_strategy(const ImgPngJob *job, size_t strips);

/* Returns true if the zlib header is one that our decoders handle as zlib does, and the CRCs of all
 * parts are right. `inflated` is the expected size in bytes. */
bool img_png_stream_is_sound(const ImgIdat *idat, uint64_t inflated, ImgTeam *team, int threads);

/* Returns true if the Adler-32 follows the last block, has the value `adler`, and nothing follows
 * it. */
bool img_png_stream_ends_well(const ImgIdat *idat, uint64_t end_bit, uint32_t adler);

#endif
