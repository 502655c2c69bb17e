/* Private to the decoder: checks of the stream before and after inflating, and the choice of a
 * strategy (strategy.h). */
#ifndef IMGTOOL_IO_PNG_DECODE_CHECKS_H
#define IMGTOOL_IO_PNG_DECODE_CHECKS_H

#include "io/png/chunks.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/decode/strategy.h"

/* Returns the reason why the fast strategies do not support a picture with this header, in words
 * for the user. Returns NULL if they support it. */
const char *img_png_why_not_fast(const ImgPngHeader *header);

/* Chooses between the two strategies that inflate from the start of the stream: in sequence or
 * pipelined. The pipeline inflates portions of a fixed size, and copies the unfinished row at the
 * end of each portion to the start of the next portion. If a row is many times as long as a
 * portion, this copying takes longer than inflating, so the stream is decoded in sequence. */
ImgPngStrategy img_png_strategy_from_start(const ImgPngJob *job);

/* Returns the fastest strategy for this job. `strips` is the number of strips in the file's index,
 * or 0. */
ImgPngStrategy img_png_choose_strategy(const ImgPngJob *job, size_t strips);

/* Returns true if imgtool's decoders accept the zlib header exactly as zlib does, and the CRCs of
 * all IDAT chunks are right. `inflated` is the expected size in bytes after inflating. */
bool img_png_stream_is_sound(const ImgIdat *idat, uint64_t inflated, ImgTeam *team, int threads);

/* Returns true if the stream ends with the Adler-32 that directly follows the last block, and its
 * value is `adler`. `end_bit` is the bit position after the last block. */
bool img_png_stream_ends_well(const ImgIdat *idat, uint64_t end_bit, uint32_t adler);

#endif
