/* Private: the stages of the encoder, in their order. Each launches on `stream` what it needs. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H

#include "io/png/cuda/encode/encode_job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows as the file has them, from samples of 16 bits or less than 8. */
void img_encode_pack(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places,
                     uint8_t *rows, void *stream);

/* Windows of all strips: filtered both ways, and what they promise. */
void img_encode_windows(const EncodeJob *job, void *stream);
void img_encode_estimate(const EncodeJob *job, void *stream);

/* Decides what becomes of each strip; filters the rows of those that are not handed to the CPU,
 * each as suits it best; sums for Adler-32. */
void img_encode_filter(const EncodeJob *job, void *stream);

/* Runs, counts, codes and headers of every deflate block. */
void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream);

/* Where blocks, strips and chunks go, and what chunks have besides data. The words that more than
 * one writer fills become zeros. */
void img_encode_layout(const EncodeJob *job, uint32_t blocks, void *stream);

/* The deflated data. */
void img_encode_put(const EncodeJob *job, uint32_t blocks, void *stream);

/* The chunks' CRCs. */
void img_encode_crc(const EncodeJob *job, size_t most_of_chunk, void *stream);

#ifdef __cplusplus
}
#endif
#endif
