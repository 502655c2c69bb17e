/* Private to tensors: memory, stream and events of one batch on a GPU. A context keeps them for
 * later batches, because allocating device and pinned memory takes longer than decoding a batch. */
#ifndef IMGTOOL_APP_LIBRARY_TENSORS_DEVICE_SLOT_H
#define IMGTOOL_APP_LIBRARY_TENSORS_DEVICE_SLOT_H

#include <cuda_runtime_api.h>

#include "app/library/context.h"
#include "kernels/core/exec/many.h"

/* A block of pinned host memory or of device memory, aligned to 256 bytes. */
typedef struct ImgDeviceBlock {
    uint8_t *memory;
    size_t bytes;
    bool is_pinned; /* host memory */
} ImgDeviceBlock;

typedef struct ImgDeviceSlot {
    /* the files: in host memory, and their copy on the device */
    ImgDeviceBlock host_files, files;
    /* lists that the CPU makes, and the words that the GPU sends back */
    ImgDeviceBlock host_lists, lists;
    ImgDeviceBlock work; /* pixels and working memory on the device */
    ImgManyKinds *kinds; /* plans of steps */
    cudaStream_t copies; /* copies files while another batch is decoded */
    cudaEvent_t copied, done;
    uint64_t device_bytes; /* memory of the device */
    bool is_busy;
    struct ImgDeviceSlot *next;
} ImgDeviceSlot;

/* Takes an idle slot of the context, or makes one. The context's device must be the current one. On
 * failure *slot is NULL. */
ImgStatus img_device_slot_take(imgtool_context *context, ImgDeviceSlot **slot, ImgError *err);

/* Returns the slot for later batches. All its work on the device must be done. */
void img_device_slot_give(ImgDeviceSlot *slot);

/* Makes a block at least `bytes` bytes large. Its content is lost if it grows. Device memory is
 * filled with zeros then, because steps run on pictures that could not be decoded, too. */
ImgStatus img_device_block_reserve(ImgDeviceBlock *block, size_t bytes, ImgError *err);

/* Returns `bytes` rounded up to the alignment of blocks. */
static inline size_t img_device_aligned(size_t bytes)
{
    enum { ALIGNMENT = 256 };
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

#endif
