/* Private to the decoder: what is known of a file before its stream is inflated, and after. */
#ifndef IMGTOOL_IO_PNG_DECODE_CHECKS_H
#define IMGTOOL_IO_PNG_DECODE_CHECKS_H

#include "io/png/chunks.h"
#include "io/png/decode/path.h"
#include "io/png/decode/strategies.h"

/* NULL, or why the fast strategies do not take such a picture. */
const char *img_png_why_not_fast(const ImgPngHeader *header);

/* For a stream that is not entered but at its start. The pipeline copies the unfinished row to each
 * of its portions, which takes longer than inflating where rows are many times as long as these. */
ImgPngPath img_png_path_from_start(const ImgPngJob *job);

/* What is fastest; `strips`: how many an index says there are. */
ImgPngPath img_png_choose_path(const ImgPngJob *job, size_t strips);

/* A zlib stream that the strategies inflate as zlib does, of parts whose CRCs are right.
 * `inflated`: how many bytes it should hold. */
bool img_png_stream_is_sound(const ImgIdat *idat, uint64_t inflated, ImgTeam *team, int threads);

/* It ends after the last block with the Adler-32, and with nothing else. */
bool img_png_stream_ends_well(const ImgIdat *idat, uint64_t end_bit, uint32_t adler);

#endif
