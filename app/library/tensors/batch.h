/* Private to the library: the caller's tensors and batches, and reading one picture of a batch on
 * the CPU. */
#ifndef IMGTOOL_APP_LIBRARY_TENSORS_BATCH_H
#define IMGTOOL_APP_LIBRARY_TENSORS_BATCH_H

#include "app/library/context.h"
#include "app/library/tensors/worker.h"
#include "io/metadata/metadata.h"
#include "io/tensor/tensor.h"

/* --- Tensors: tensor.c ------------------------------------------------------------------------ */

/* Checks the caller's tensor, and converts it to *own. The tensor must have data unless its count
 * is 0. Errors: USAGE. */
imgtool_status img_lib_read_tensor(const imgtool_tensor *tensor, ImgTensor *own,
                                   imgtool_error *error);

/* Returns the bytes of one picture of a tensor that img_lib_read_tensor made. */
size_t img_lib_place_bytes(const ImgTensor *tensor);

/* --- Batches ---------------------------------------------------------------------------------- */

/* A batch of the caller that was checked. Sources and pipelines are borrowed. */
typedef struct ImgLibBatch {
    imgtool_batch own;
    size_t source_bytes; /* distance in bytes from one source to the next */
} ImgLibBatch;

/* Checks the caller's batch: sizes of structs, pointers and the number of pictures, but no files.
 * Errors: USAGE. */
imgtool_status img_lib_check_batch(const imgtool_batch *given, ImgLibBatch *batch,
                                   imgtool_error *error);

/* Checks that the batch fits the tensor: the number of pictures, and one channel for indices. Sets
 * tensor->indices. Errors: USAGE. */
imgtool_status img_lib_batch_fits(const ImgLibBatch *batch, ImgTensor *tensor,
                                  imgtool_error *error);

/* Returns source number `index`. */
imgtool_source img_lib_batch_source(const ImgLibBatch *batch, size_t index);

/* Returns the steps for picture number `index`, or NULL if there are none. */
const imgtool_pipeline *img_lib_batch_pipeline(const ImgLibBatch *batch, size_t index);

/* Returns the name of a source in messages: its path, or "memory". */
const char *img_lib_source_name(const imgtool_source *source);

/* --- Results ---------------------------------------------------------------------------------- */

/* Checks the caller's array of results, which may be NULL. Errors: USAGE. */
imgtool_status img_lib_check_results(const imgtool_error *results, imgtool_error *error);

/* Sets result number `index`. Does nothing if `results` is NULL. */
void img_lib_set_result(imgtool_error *results, size_t index, imgtool_status status,
                        const char *message);

/* --- One picture on the CPU ------------------------------------------------------------------- */

/* How a picture is decoded before the steps run. */
typedef struct ImgLibDecode {
    bool with_alpha; /* transparent colours and palette entries become an alpha channel */
    bool indices;    /* palettes stay indices; otherwise they become RGB or RGBA */
} ImgLibDecode;

/* Returns the decoding for a tensor. */
ImgLibDecode img_lib_decode_for(const ImgTensor *tensor);

/* Returns the format in which a file is decoded. `metadata` is NULL if only the header is known. */
imgtool_format img_lib_decode_format(ImgLibDecode how, ImgFormat file, const ImgMetadata *metadata);

/* Reads `bytes` bytes of an open file from position `offset`. Fails with IMG_E_IO. */
ImgStatus img_lib_read_at(int file, uint64_t offset, void *data, size_t bytes, ImgError *err);

/* Opens source number `index`. A file in memory is borrowed by *reader; a part of a file is in
 * memory of the worker until its next call. */
imgtool_status img_lib_open_source(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                   imgtool_reader **reader, imgtool_error *error);

/* Reads picture number `index` on the calling thread: opens, decodes and runs the steps. *picture
 * borrows memory of the worker until its next call. Messages begin with the name of the source. */
imgtool_status img_lib_read_picture_at(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                       ImgLibDecode how, ImgView *picture, imgtool_error *error);

/* Reads picture number `index` on the calling thread, and writes it to place `place` of `tensor`,
 * which is in host memory. On failure fills the place with zeros. */
imgtool_status img_lib_read_one(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                const ImgTensor *tensor, int32_t place, imgtool_error *error);

#endif
