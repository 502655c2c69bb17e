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

/* Samples of the strips that matches may shrink, filtered, and by runs. */
void img_encode_samples(const EncodeJob *job, void *stream);

/* Decides what each strip is tried by; filters its rows for that, each as suits it best; sums for
 * Adler-32. */
void img_encode_filter(const EncodeJob *job, void *stream);

/* Runs, counts, codes and headers of every deflate block by runs. */
void img_encode_codes(const EncodeJob *job, uint32_t blocks, void *stream);

/* The smaller strategy of each strip; where blocks, strips and chunks go, and what chunks have
 * besides data. The words that more than one writer fills become zeros. */
void img_encode_layout(const EncodeJob *job, void *stream);

/* The deflated data of strips by runs, and by matches. */
void img_encode_put(const EncodeJob *job, uint32_t blocks, void *stream);
void img_encode_put_matches(const EncodeJob *job, void *stream);

/* The chunks' CRCs. */
void img_encode_crc(const EncodeJob *job, size_t most_of_chunk, void *stream);

#ifdef __cplusplus
}
#endif
#endif
