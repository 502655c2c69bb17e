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

/* Filters the windows of all strips. img_encode_estimate then estimates sizes from them. */
void img_encode_windows(const EncodeJob *job, void *stream);
void img_encode_estimate(const EncodeJob *job, void *stream);

/* Filters samples of the strips that may be smaller by matches, and measures these samples by
 * runs. */
void img_encode_samples(const EncodeJob *job, void *stream);

/* Decides the strategies of each strip, filters its rows for each strategy, and computes the rows'
 * sums for the Adler-32. */
void img_encode_filter(const EncodeJob *job, void *stream);

/* Finds the tokens of every deflate block by runs; makes its counts, codes and header. */
void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream);

/* Chooses the smaller strategy of each strip, and assigns positions to blocks, strips and chunks.
 * Writes all of a chunk except its data and CRC. Clears words to which several thread blocks will
 * add bits. */
void img_encode_layout(const EncodeJob *job, void *stream);

/* img_encode_put writes the deflated data of strips by runs; img_encode_put_matches that of strips
 * by matches. */
void img_encode_put(const EncodeJob *job, uint32_t blocks, void *stream);
void img_encode_put_matches(const EncodeJob *job, void *stream);

/* Computes the CRCs of the chunks. */
void img_encode_crc(const EncodeJob *job, size_t most_of_chunk, void *stream);

#ifdef __cplusplus
}
#endif
#endif
