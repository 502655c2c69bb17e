/* Private: chooses the number of threads so that the codec stays within a memory limit. The first
 * IMG_PNG_OWN_BYTES bytes of the codec's buffers do not count. */
#ifndef IMGTOOL_IO_PNG_THREAD_COUNT_H
#define IMGTOOL_IO_PNG_THREAD_COUNT_H

#include "io/png/encode.h"
#include "kernels/core/image.h"

/* Returns the largest number of threads, from 1 to `threads`, for which the file, its pixels and
 * all buffers fit into `room` bytes. Returns 1 even if one thread does not fit. `file_bytes` is the
 * size of the file in bytes. Sets `*bytes` to the memory in bytes for the returned number of
 * threads; `bytes` may be NULL. */
int img_png_decode_threads(ImgShape shape, uint64_t file_bytes, uint64_t room, int threads,
                           uint64_t *bytes);

/* Returns the memory in bytes that decoding with `threads` threads needs besides the file and its
 * pixels. Does not count the first IMG_PNG_OWN_BYTES bytes. */
uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads);

/* Returns the number of threads for decoding row by row, without a buffer for the whole picture.
 * `beside` is the memory in bytes that the consumer of the rows needs. The other arguments are
 * those of img_png_decode_threads. */
int img_png_rows_threads(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                         int threads, uint64_t *bytes);

/* Returns the number of threads for encoding a picture of this shape. Memory for
 * the encoded file is not included, because the file is written as it is produced. `room`,
 * `threads` and `bytes` are as in img_png_decode_threads. */
int img_png_encode_threads(ImgShape shape, int level, uint64_t room, int threads, uint64_t *bytes);

#endif
