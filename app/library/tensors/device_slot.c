/* Memory, streams and events for batches on a GPU. */
#include "app/library/tensors/device_slot.h"

#include <stdlib.h>

#include "kernels/core/cuda/cuda_util.h"

/* --- Blocks ----------------------------------------------------------------------------------- */

static void release(ImgDeviceBlock *block)
{
    if (block->is_pinned)
        (void)cudaFreeHost(block->memory);
    else
        (void)cudaFree(block->memory);
    block->memory = NULL;
    block->bytes = 0;
}

ImgStatus img_device_block_reserve(ImgDeviceBlock *block, size_t bytes, ImgError *err)
{
    const size_t wanted = img_device_aligned(bytes + bytes / 4); /* batches differ in size */
    void *memory = NULL;
    if (bytes <= block->bytes)
        return IMG_OK;
    release(block);
    if (block->is_pinned)
        CUDA_TRY(cudaMallocHost(&memory, wanted), err);
    else
        CUDA_TRY(cudaMalloc(&memory, wanted), err);
    block->memory = memory;
    block->bytes = wanted;
    if (!block->is_pinned)
        CUDA_TRY(cudaMemsetAsync(memory, 0, wanted, NULL), err);
    CUDA_TRY(cudaStreamSynchronize(NULL), err);
    return IMG_OK;
}

/* --- Slots ------------------------------------------------------------------------------------ */

static void destroy(ImgDeviceSlot *slot)
{
    release(&slot->host_files);
    release(&slot->files);
    release(&slot->host_lists);
    release(&slot->lists);
    release(&slot->work);
    img_many_kinds_free(slot->kinds);
    if (slot->copies != NULL)
        (void)cudaStreamDestroy(slot->copies);
    if (slot->copied != NULL)
        (void)cudaEventDestroy(slot->copied);
    if (slot->done != NULL)
        (void)cudaEventDestroy(slot->done);
    free(slot);
}

static ImgStatus open_slot(ImgDeviceSlot *slot, ImgError *err)
{
    struct cudaDeviceProp facts;
    int device;
    slot->host_files.is_pinned = slot->host_lists.is_pinned = true;
    slot->kinds = img_many_kinds_create();
    if (slot->kinds == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a batch");
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaGetDeviceProperties(&facts, device), err);
    slot->device_bytes = facts.totalGlobalMem;
    CUDA_TRY(cudaStreamCreateWithFlags(&slot->copies, cudaStreamNonBlocking), err);
    CUDA_TRY(cudaEventCreateWithFlags(&slot->copied, cudaEventDisableTiming), err);
    CUDA_TRY(cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming), err);
    return IMG_OK;
}

/* The slots of a context. */
typedef struct Slots {
    int device;
    ImgDeviceSlot *first;
} Slots;

static void release_slots(void *state)
{
    Slots *slots = state;
    int before;
    /* Frees even if the device cannot be entered: an address identifies its device. */
    const bool entered = img_cuda_enter(slots->device, &before, NULL) == IMG_OK;
    for (ImgDeviceSlot *slot = slots->first, *next; slot != NULL; slot = next) {
        next = slot->next;
        destroy(slot);
    }
    if (entered)
        img_cuda_leave(before);
    free(slots);
}

static ImgStatus make_slot(Slots *slots, ImgDeviceSlot **slot, ImgError *err)
{
    ImgDeviceSlot *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a batch");
    const ImgStatus status = open_slot(made, err);
    if (status != IMG_OK) {
        destroy(made);
        return status;
    }
    made->next = slots->first;
    *slot = slots->first = made;
    return IMG_OK;
}

ImgStatus img_device_slot_take(imgtool_context *context, ImgDeviceSlot **slot, ImgError *err)
{
    *slot = NULL;
    if (context->slots.state == NULL) {
        Slots *made = calloc(1, sizeof *made);
        if (made == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for a batch");
        made->device = context->config.device;
        context->slots = (ImgLibKept){made, release_slots};
    }
    Slots *slots = context->slots.state;
    for (ImgDeviceSlot *each = slots->first; each != NULL && *slot == NULL; each = each->next)
        *slot = each->is_busy ? NULL : each;
    const ImgStatus status = *slot == NULL ? make_slot(slots, slot, err) : IMG_OK;
    if (status == IMG_OK)
        (*slot)->is_busy = true;
    return status;
}

void img_device_slot_give(ImgDeviceSlot *slot)
{
    slot->is_busy = false;
}
