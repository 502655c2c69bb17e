/* Private: chooses the number of threads so that the codec stays within a memory limit. The codec's
 * buffers count only beyond IMG_PNG_OWN_BYTES, which is regarded as part of the program. At most
 * compression levels a thread needs no more than that. */
#ifndef IMGTOOL_IO_PNG_THREAD_COUNT_H
#define IMGTOOL_IO_PNG_THREAD_COUNT_H

#include "kernels/core/image.h"

enum { IMG_PNG_OWN_BYTES = 6 << 20 };

/* Returns `threads`, or fewer threads, at least one, so that a file of `file_bytes` bytes, its
 * pixels and all buffers stay within `room` bytes. Sets `*bytes` to the memory needed with the
 * result; `bytes` may be NULL. */
int img_png_decode_threads(ImgShape shape, uint64_t file_bytes, uint64_t room, int threads,
                           uint64_t *bytes);

/* Returns the memory in bytes that decoding with `threads` threads needs besides the file and its
 * pixels, less the IMG_PNG_OWN_BYTES that do not count. */
uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads);

/* Returns the number of threads for decoding row by row, without a buffer for the whole picture.
 * `beside` is the memory in bytes of the consumer of the rows. Otherwise like
 * img_png_decode_threads. */
int img_png_rows_threads(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                         int threads, uint64_t *bytes);

/* Returns the number of threads for encoding a picture of this shape. The file is not kept in
 * memory. Otherwise like img_png_decode_threads. */
int img_png_encode_threads(ImgShape shape, int level, uint64_t room, int threads, uint64_t *bytes);

#endif
