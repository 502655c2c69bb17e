/* Private: chooses the number of threads and the size of buffers so that the codec stays within a
 * memory limit. The first IMG_PNG_OWN_BYTES bytes of the codec's buffers do not count. */
#ifndef IMGTOOL_IO_PNG_THREAD_COUNT_H
#define IMGTOOL_IO_PNG_THREAD_COUNT_H

#include "io/png/decode.h"
#include "io/png/encode.h"
#include "kernels/core/image.h"

/* Chooses the number of threads, at most how->threads, and how->room, so that the file, its pixels
 * and all buffers fit into `room` bytes. If even one thread does not fit, chooses one thread. Keeps
 * IMG_PNG_LEAST_ROOM.
 * `file_bytes` is the size of the file in bytes. Sets `*bytes` to the memory in bytes that is then
 * needed; `bytes` may be NULL. */
void img_png_fit_decoder(ImgShape shape, uint64_t file_bytes, uint64_t room,
                         ImgPngDecodeOptions *how, uint64_t *bytes);

/* Like img_png_fit_decoder, for decoding row by row, without memory for the pixels. `beside` is the
 * memory in bytes that the consumer of the rows needs. */
void img_png_fit_rows_decoder(ImgShape shape, uint64_t file_bytes, uint64_t beside, uint64_t room,
                              ImgPngDecodeOptions *how, uint64_t *bytes);

/* Returns the memory in bytes that decoding with `threads` threads needs besides the file and its
 * pixels. `room` is ImgPngDecodeOptions.room. Does not count the first IMG_PNG_OWN_BYTES bytes. */
uint64_t img_png_decode_beside(ImgShape shape, uint64_t file_bytes, int threads, uint64_t room);

/* Returns ImgPngDecodeOptions.room for a decoder that shares `room` bytes with `others` bytes of
 * other data. */
uint64_t img_png_decoder_room(uint64_t room, uint64_t others);

/* Returns the number of threads, from 1 to `threads`, for encoding a picture of this shape, so that
 * its pixels and all buffers fit into `room` bytes. Returns 1 even if one thread does not fit.
 * Memory for the encoded file is not included, because the file is written as it is produced.
 * `bytes` is as in img_png_fit_decoder. */
int img_png_encode_threads(ImgShape shape, bool interlaced, int level, uint64_t room, int threads,
                           uint64_t *bytes);

#endif
