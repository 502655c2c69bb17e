/* Private: the stages of the encoder in their order. Each function launches its kernels on
 * `stream`, for all pictures of the batch. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_KERNELS_H

#include "io/png/cuda/encode/encode_job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts rows to the form of the file if samples have 16 bits or fewer than 8. */
void img_encode_pack(const EncodeBatch *batch, void *stream);

/* img_encode_windows filters the windows of all strips. img_encode_estimate then estimates from the
 * windows how large the strips get, and decides which strategies are worth trying for each strip
 * (EncodeAdvice). If the level has no windows, it decides without estimates. */
void img_encode_windows(const EncodeBatch *batch, void *stream);
void img_encode_estimate(const EncodeBatch *batch, void *stream);

/* Filters samples (groups of rows) of the strips that LZ77 may make smaller, and measures their
 * size with run-length encoding. */
void img_encode_samples(const EncodeBatch *batch, void *stream);

/* Decides which strategies (run-length encoding, LZ77) are tried for each strip of a group, filters
 * its rows for each strategy, and computes the sums of the rows for the Adler-32. */
void img_encode_filter(const EncodeBatch *batch, EncodeGroup group, void *stream);

/* Processes each deflate block with run-length encoding in the strips of a group: finds its tokens
 * (literals and matches), and makes its Huffman codes and its header. */
void img_encode_codes(const EncodeBatch *batch, EncodeGroup group, void *stream);

/* Measures a piece of each small strip by runs, and prepares it for the match finder
 * (EncodeJob.probes). */
void img_encode_probe(const EncodeBatch *batch, void *stream);

/* Chooses for each strip the strategy with the smaller result, and leaves small strips that count
 * as graphics to the CPU. Then assigns positions to blocks,
 * strips and chunks. Writes each chunk except its data and CRC. Clears words to which several
 * thread blocks will add bits. */
void img_encode_layout(const EncodeBatch *batch, void *stream);

/* img_encode_put writes the deflated data of strips with run-length encoding;
 * img_encode_put_matches writes the data of strips with LZ77. */
void img_encode_put(const EncodeBatch *batch, void *stream);
void img_encode_put_matches(const EncodeBatch *batch, void *stream);

/* Computes and writes the CRCs of the chunks. */
void img_encode_crc(const EncodeBatch *batch, void *stream);

#ifdef __cplusplus
}
#endif
#endif
