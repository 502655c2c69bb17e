/* Private: chooses the number of threads so that the codec stays within a limit of memory.
 * IMG_PNG_OWN_BYTES of what the codec needs besides the file and its pixels do not count: they are
 * part of the program. At most levels a thread needs no more than that. */
#ifndef IMGTOOL_IO_PNG_THREAD_COUNT_H
#define IMGTOOL_IO_PNG_THREAD_COUNT_H

#include "kernels/core/image.h"

enum { IMG_PNG_OWN_BYTES = 6 << 20 };

/* Returns `threads`, or fewer, so that a file of `file_bytes`, its pixels and all buffers stay
 * within `room` bytes; at least one. *bytes is the memory needed then; `bytes` may be NULL. */
int img_png_decode_threads(ImgShape shape, uint64_t file_bytes, uint64_t room, int threads,
                           uint64_t *bytes);

/* Returns the bytes that count of those that decoding with so many threads needs besides the file
 * and its pixels. */
uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads);

/* Like img_png_decode_threads, for decoding row by row, with no buffer for the whole picture.
 * `beside` is the memory of the consumer of the rows. */
int img_png_rows_threads(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                         int threads, uint64_t *bytes);

/* Like img_png_decode_threads, for encoding such a picture; the file is not kept in memory. */
int img_png_encode_threads(ImgShape shape, int level, uint64_t room, int threads, uint64_t *bytes);

#endif
