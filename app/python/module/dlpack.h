/* The structures of DLPack that capsules contain, whose layout its specification fixes, and how
 * imgtool's objects export them. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_DLPACK_H
#define IMGTOOL_APP_PYTHON_MODULE_DLPACK_H

#include <stdint.h>

#include "app/python/module/module.h"

enum { DLPACK_CPU = 1, DLPACK_CUDA = 2, DLPACK_CUDA_HOST = 3, DLPACK_CUDA_MANAGED = 13 };
enum {
    DLPACK_INTEGER = 0,
    DLPACK_UNSIGNED = 1,
    DLPACK_FLOAT = 2,
    DLPACK_BFLOAT = 4,
    DLPACK_BOOL = 6
};

typedef struct DlpackTensor {
    void *data;
    struct {
        int32_t type, index;
    } device;
    int32_t dimensions;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } sample;
    int64_t *shape;
    int64_t *strides; /* strides in samples; NULL: no gaps between rows */
    uint64_t offset;  /* offset in bytes from `data` to the first sample */
} DlpackTensor;

typedef struct DlpackManaged {
    DlpackTensor tensor;
    void *owner;
    /* function that the consumer calls once, when it no longer uses the tensor */
    void (*release)(struct DlpackManaged *self);
} DlpackManaged;

/* The names of a capsule before and after a consumer has taken its tensor. A capsule with the
 * second name no longer owns the tensor. */
#define DLPACK_CAPSULE "dltensor"
#define DLPACK_TAKEN   "used_dltensor"

/* --- Exporting: dlpack.c ---------------------------------------------------------------------- */

enum { DLPACK_DIMENSIONS_MAX = 4 };

/* Returns the tuple (type, index) of a device: the index of a GPU, or ON_HOST. */
PyObject *img_py_dlpack_device_of(int device);

/* Reads the arguments of __dlpack__ and sets *stream, which is borrowed. Returns false, with an
 * exception, unless the consumer requests the memory itself on its own device: imgtool makes no
 * copy for a consumer. */
bool img_py_dlpack_read(PyObject *args, PyObject *keywords, int device, PyObject **stream);

/* Returns a capsule with the memory of `owner`, to which it holds a reference. `strides` is in
 * bytes. */
PyObject *img_py_dlpack_export(PyObject *owner, void *data, int device, int dimensions,
                               const Py_ssize_t *shape, const Py_ssize_t *strides, int code,
                               int sample_size);

#endif
