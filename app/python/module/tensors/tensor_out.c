/* Borrows memory of the caller's objects for tensors: through the buffer protocol and DLPack. */
#include <string.h>

#include "app/python/module/dlpack.h"
#include "app/python/module/tensors/tensor.h"

static bool fail(const State *state, const char *reason)
{
    img_py_raise(state, IMGTOOL_E_USAGE, "out: %s", reason);
    return false;
}

/* Checks that the memory has the tensor's shape, without gaps. `strides` are in bytes, or NULL. */
static bool check_layout(const State *state, const Tensor *tensor, int dimensions,
                         const int64_t *shape, const int64_t *strides)
{
    bool same = dimensions == TENSOR_DIMENSIONS;
    for (int i = 0; same && i < TENSOR_DIMENSIONS; i++)
        same = shape[i] == tensor->shape[i];
    if (!same) {
        img_py_raise(state, IMGTOOL_E_USAGE, "out: its shape is not (%zd, %zd, %zd, %zd)",
                     tensor->shape[0], tensor->shape[1], tensor->shape[2], tensor->shape[3]);
        return false;
    }
    /* The stride of a dimension of length 1 has no meaning. */
    for (int i = 0; strides != NULL && i < TENSOR_DIMENSIONS; i++)
        if (shape[i] > 1 && strides[i] != tensor->strides[i])
            return fail(state, "it has gaps, or another order of dimensions");
    return true;
}

static bool check_element(const State *state, const Tensor *tensor, bool same)
{
    if (same)
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE, "out: its elements are not %s",
                 img_py_element(tensor->tensor.element)->name);
    return false;
}

static bool by_buffer(const State *state, Tensor *tensor, PyObject *out)
{
    const Element *element = img_py_element(tensor->tensor.element);
    int64_t shape[TENSOR_DIMENSIONS], strides[TENSOR_DIMENSIONS];
    if (PyObject_GetBuffer(out, &tensor->buffer, PyBUF_WRITABLE | PyBUF_STRIDES | PyBUF_FORMAT) !=
        0)
        return false;
    const Py_buffer *buffer = &tensor->buffer;
    for (int i = 0; i < TENSOR_DIMENSIONS && i < buffer->ndim; i++) {
        shape[i] = buffer->shape[i];
        strides[i] = buffer->strides[i];
    }
    const char *format = buffer->format != NULL ? buffer->format : "B";
    const bool same = strcmp(format, element->format) == 0 && buffer->itemsize == element->size;
    tensor->tensor.data = buffer->buf;
    return check_element(state, tensor, same) &&
           check_layout(state, tensor, buffer->ndim, shape, strides);
}

static const DlpackTensor *open_dlpack(Tensor *tensor, PyObject *out)
{
    PyObject *capsule = PyObject_CallMethod(out, "__dlpack__", NULL);
    DlpackManaged *managed = capsule != NULL ? PyCapsule_GetPointer(capsule, DLPACK_CAPSULE) : NULL;
    if (managed == NULL || PyCapsule_SetName(capsule, DLPACK_TAKEN) != 0) {
        Py_XDECREF(capsule);
        return NULL;
    }
    tensor->capsule = capsule;
    return &managed->tensor;
}

static bool is_on_device(const Tensor *tensor, const DlpackTensor *given)
{
    const int type = given->device.type;
    if (tensor->device == ON_HOST)
        return type == DLPACK_CPU || type == DLPACK_CUDA_HOST;
    return (type == DLPACK_CUDA || type == DLPACK_CUDA_MANAGED) &&
           given->device.index == tensor->device;
}

static bool by_dlpack(const State *state, Tensor *tensor, PyObject *out)
{
    const Element *element = img_py_element(tensor->tensor.element);
    const DlpackTensor *given = open_dlpack(tensor, out);
    int64_t strides[TENSOR_DIMENSIONS];
    if (given == NULL)
        return false;
    if (!is_on_device(tensor, given))
        return fail(state, tensor->device == ON_HOST ? "it is not in host memory"
                                                     : "it is not in memory of the device");
    for (int i = 0; given->strides != NULL && i < TENSOR_DIMENSIONS && i < given->dimensions; i++)
        strides[i] = given->strides[i] * element->size;
    const bool same = given->sample.code == element->code && given->sample.lanes == 1 &&
                      given->sample.bits == 8 * element->size;
    tensor->tensor.data = (char *)given->data + given->offset;
    return check_element(state, tensor, same) &&
           check_layout(state, tensor, given->dimensions, given->shape,
                        given->strides != NULL ? strides : NULL);
}

bool img_py_tensor_borrow(const State *state, Tensor *tensor, PyObject *out)
{
    Py_INCREF(out);
    tensor->owner = out; /* first, so that the tensor never frees the caller's memory */
    if (tensor->device == ON_HOST && PyObject_CheckBuffer(out))
        return by_buffer(state, tensor, out);
    if (img_py_has_dlpack(out))
        return by_dlpack(state, tensor, out);
    return fail(state, "an object with a writable buffer or DLPack");
}
