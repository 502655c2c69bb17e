/* Private to tensors: a batch on a GPU, in these steps:
 *
 *     img_device_files_read    reads all files into pinned memory; decides which ones the GPU takes
 *     img_device_batch_queue   queues the copy to the device, decoding, steps and conversion
 *     img_device_batch_wait    waits, and learns which pictures the GPU could not verify
 *
 * Then the caller processes the pictures that the GPU did not take or verify on the CPU.
 *
 * The device of the context must be the current one. */
#ifndef IMGTOOL_APP_LIBRARY_TENSORS_DEVICE_BATCH_H
#define IMGTOOL_APP_LIBRARY_TENSORS_DEVICE_BATCH_H

#include "app/library/operations/pipeline.h"
#include "app/library/tensors/batch.h"
#include "app/library/tensors/device_slot.h"
#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/idat.h"
#include "io/tensor/tensor.h"

/* A picture of the batch. */
typedef struct ImgDevicePicture {
    bool on_cpu;             /* the CPU decodes it and runs the steps */
    bool alone;              /* decoded by itself, because it is too large for a batch */
    size_t at, bytes;        /* the file in the slot's blocks `host_files` and `files` */
    size_t word;             /* index of its status word */
    size_t parts_at;         /* its list of IDAT parts in the slot's blocks of lists */
    ImgIdat idat;            /* refers to `host_files` */
    ImgLibPlan plan;         /* its steps, and the shapes before and after them */
    ImgPngCudaFile file;     /* the file as it is in device memory */
    ImgView decoded, result; /* in device memory */
} ImgDevicePicture;

typedef struct ImgDeviceBatch {
    imgtool_context *context;
    ImgLibBatch batch;
    size_t count;
    ImgDevicePicture *pictures; /* owned */
    ImgLibDecode how;
    /* The tensor of the batch, in device memory. Without a tensor each result goes to memory of its
     * own: the caller sets `result` of each picture that is not on the CPU, between
     * img_device_files_read and img_device_batch_queue. */
    bool has_tensor;
    ImgTensor tensor;
    ImgDeviceSlot *slot;
    cudaStream_t stream;
    size_t statuses_at, sources_at; /* offsets in the blocks of lists */
} ImgDeviceBatch;

ImgStatus img_device_files_read(ImgDeviceBatch *batch, ImgError *err);
ImgStatus img_device_batch_queue(ImgDeviceBatch *batch, ImgError *err);
/* Sets `on_cpu` of the pictures that the GPU could not verify. */
ImgStatus img_device_batch_wait(ImgDeviceBatch *batch, ImgError *err);
/* Frees the lists of the batch, and gives the slot back. Work on the device must be done. */
void img_device_batch_free(ImgDeviceBatch *batch);

#endif
