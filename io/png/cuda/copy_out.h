/* Private: bytes from a GPU to pinned host memory, of which only the GPU knows how many there are.
 */
#ifndef IMGTOOL_IO_PNG_CUDA_COPY_OUT_H
#define IMGTOOL_IO_PNG_CUDA_COPY_OUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Launches on `stream` a copy of *size bytes, or of `most` if those are fewer. `to` and `from` are
 * aligned to 16 bytes; up to 15 bytes more than that are copied. */
void img_copy_out(const uint8_t *from, const uint64_t *size, uint8_t *to, size_t most,
                  void *stream);

#ifdef __cplusplus
}
#endif
#endif
