/* Private: with how many threads the codec stays within some room of memory. Of what it takes
 * beside a file and its pixels IMG_PNG_OWN_BYTES are left out, as the program's own: a thread, at
 * most levels, takes no more. */
#ifndef IMGTOOL_IO_PNG_ROOM_H
#define IMGTOOL_IO_PNG_ROOM_H

#include "kernels/core/image.h"

enum { IMG_PNG_OWN_BYTES = 6 << 20 };

/* So many threads, or as many fewer as let a file of `file_bytes`, its pixels and the buffers of
 * all stay within `room` bytes; at least one. *bytes is what that takes; NULL: nobody asks. */
int img_png_decode_threads(ImgShape shape, uint64_t file_bytes, uint64_t room, int threads,
                           uint64_t *bytes);

/* Of what so many threads take to decode it beside the file and its pixels, what counts. */
uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads);

/* As img_png_decode_threads, where rows are handed on as they are decoded, to one that takes
 * `beside` bytes for some of them; there are no pixels as a whole. */
int img_png_rows_threads(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                         int threads, uint64_t *bytes);

/* As img_png_decode_threads, for encoding such pixels, whose file is not kept. */
int img_png_encode_threads(ImgShape shape, int level, uint64_t room, int threads, uint64_t *bytes);

#endif
