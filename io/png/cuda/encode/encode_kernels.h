/* Private: the stages of the encoder in order. Each launches its kernels on `stream`. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H

#include "io/png/cuda/encode/encode_job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts rows to the form of the file, from samples of 16 bits or fewer than 8. */
void img_encode_pack(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places,
                     uint8_t *rows, void *stream);

/* Filter the windows of all strips, and estimate them. */
void img_encode_windows(const EncodeJob *job, void *stream);
void img_encode_estimate(const EncodeJob *job, void *stream);

/* Filters samples of the strips that matches may shrink, and measures them by runs. */
void img_encode_samples(const EncodeJob *job, void *stream);

/* Decides the strategies of each strip, filters its rows for them, and computes sums for
 * Adler-32. */
void img_encode_filter(const EncodeJob *job, void *stream);

/* Makes tokens, counts, codes and headers of every deflate block by runs. */
void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream);

/* Chooses the smaller strategy of each strip, assigns positions to blocks, strips and chunks, and
 * writes the parts of chunks besides data. Sets words that have several writers to zero. */
void img_encode_layout(const EncodeJob *job, void *stream);

/* Write the deflated data of strips by runs, and by matches. */
void img_encode_put(const EncodeJob *job, uint32_t blocks, void *stream);
void img_encode_put_matches(const EncodeJob *job, void *stream);

/* Computes the CRCs of the chunks. */
void img_encode_crc(const EncodeJob *job, size_t most_of_chunk, void *stream);

#ifdef __cplusplus
}
#endif
#endif
