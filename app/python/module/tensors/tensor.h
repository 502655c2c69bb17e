/* Declarations for tensors and batches: the types Tensor, Pool and Reader. The rules of module.h
 * apply. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_TENSORS_TENSOR_H
#define IMGTOOL_APP_PYTHON_MODULE_TENSORS_TENSOR_H

#include "app/python/module/module.h"

/* --- Elements --------------------------------------------------------------------------------- */

/* How the elements of a tensor are named and exchanged. */
typedef struct Element {
    const char *name;
    const char *format; /* of the buffer protocol; the bits of a bfloat16 are an integer there */
    const char *type;   /* of the array interfaces */
    int size;           /* in bytes */
    int code;           /* of DLPack */
} Element;

const Element *img_py_element(imgtool_element element);

/* --- Tensors: tensor.c ------------------------------------------------------------------------ */

enum { TENSOR_DIMENSIONS = 4 };

typedef struct Tensor {
    PyObject_HEAD imgtool_tensor tensor;
    int device; /* index of the GPU; ON_HOST: host memory */
    /* Stream whose work completes the numbers; NULL: they are complete. */
    void *stream;
    bool owns_stream;  /* the stream is the tensor's own, and returns to the pool with the memory */
    void *consumer;    /* stream of the caller that reads the numbers (img_py_tensor_deliver) */
    PyObject *pool;    /* where the memory comes from and returns to; NULL: there is none */
    PyObject *owner;   /* object of the caller that has the memory; NULL: the tensor owns it */
    Py_buffer buffer;  /* of the caller's object; buffer.obj is NULL if it is not used */
    PyObject *capsule; /* DLPack capsule of the caller's object; NULL: it is not used */
    PyObject *errors;  /* a list with None or an exception for each picture; NULL: no errors */
    PyObject *module;  /* reference that keeps the type's code and state alive */
    Py_ssize_t shape[TENSOR_DIMENSIONS], strides[TENSOR_DIMENSIONS]; /* strides in bytes */
} Tensor;

/* --- Memory and streams: pool.c, tensor_device.c ---------------------------------------------- */

/* Memory that no tensor uses, and a stream for work on it. Both may be NULL. */
typedef struct Block {
    void *memory, *stream;
    size_t bytes;
    int device;
} Block;

void img_py_free_block(const Block *block);
/* Takes a block of exactly this size. Returns false if the pool has none. */
bool img_py_pool_take(PyObject *object, size_t bytes, int device, Block *block);
void img_py_pool_put(PyObject *object, Block block);
bool img_py_make_pool_type(State *state);

/* Allocates memory of the device for the tensor, unless it has memory. If the tensor has a pool,
 * creates a stream of its own. */
bool img_py_tensor_allocate_on_device(State *state, Tensor *tensor, size_t bytes);

/* _follow(stream): the work that is queued on the tensor's stream from now on waits for the work
 * that is queued on `stream` now. */
PyObject *img_py_tensor_follow(PyObject *self, PyObject *stream);
/* _deliver(stream): the work that is queued on `stream` from now on finds the numbers. When the
 * tensor is freed, its memory is not written again before the work that is queued on `stream` then
 * is done. */
PyObject *img_py_tensor_deliver(PyObject *self, PyObject *stream);
/* _mark(stream): the numbers are complete when the work on `stream`, which the caller owns, is. */
PyObject *img_py_tensor_mark(PyObject *self, PyObject *stream);
/* Lets the consumer of a DLPack capsule find the numbers. `stream` is as in __dlpack__. */
bool img_py_tensor_make_ready(Tensor *tensor, PyObject *stream);
PyObject *img_py_tensor_to_host(PyObject *self, PyObject *unused);

/* Makes a tensor without memory. */
Tensor *img_py_tensor_new(PyObject *module, const imgtool_tensor *form, int device);
bool img_py_tensor_allocate(State *state, Tensor *tensor);

/* --- Exchange: tensor_exchange.c, tensor_out.c ------------------------------------------------ */

int img_py_tensor_buffer(PyObject *self, Py_buffer *view, int flags);
PyObject *img_py_tensor_interface(PyObject *self, void *unused);
PyObject *img_py_tensor_cuda_interface(PyObject *self, void *unused);
PyObject *img_py_tensor_dlpack(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *img_py_tensor_dlpack_device(PyObject *self, PyObject *unused);

/* Takes the memory of the caller's object `out`, which must have the tensor's shape, elements and
 * device (tensor_out.c). */
bool img_py_tensor_borrow(const State *state, Tensor *tensor, PyObject *out);

/* --- Batches: sources.c, reader.c ------------------------------------------------------------- */

/* Sources and steps of a batch, converted from Python objects. */
typedef struct Batch {
    imgtool_batch batch;
    imgtool_source *sources;
    PyObject **paths;   /* the paths as the caller passed them; NULL for files in memory */
    PyObject **names;   /* the same as bytes; NULL for files in memory */
    Py_buffer *buffers; /* files in memory */
    size_t count;
    imgtool_pipeline **parsed; /* different pipelines, owned */
    size_t parsed_count;
    const imgtool_pipeline **each; /* the pipeline of each picture; NULL: one for all */
} Batch;

/* Converts a sequence of sources. After success or failure, call img_py_batch_close. */
bool img_py_batch_open(const State *state, PyObject *sources, bool indices, Batch *batch);
/* Parses the steps: None, a text, or a sequence with a text or None for each source. */
bool img_py_batch_parse(const State *state, Worker *worker, PyObject *steps, Batch *batch);
void img_py_batch_close(Batch *batch);

#endif
