/* Private: host memory that a GPU reads and writes by itself, at the speed of the bus. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* Start from zeros. */
typedef struct ImgPinned {
    void *memory;
    size_t bytes;
    bool is_registered; /* of the heap; else of the driver */
} ImgPinned;

/* Kernels may use the address as it is. On failure nothing is there. */
ImgStatus img_pinned_alloc(ImgPinned *pinned, size_t bytes, ImgError *err);

/* Harmless where nothing is there. */
void img_pinned_free(ImgPinned *pinned);

#endif
