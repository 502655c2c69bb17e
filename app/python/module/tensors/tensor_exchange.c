/* Shares the memory of a Tensor with other libraries, and borrows memory of theirs for it. */
#include "app/python/module/tensors/tensor.h"

#include "app/python/module/dlpack.h"

/* --- Buffers and array interfaces ------------------------------------------------------------- */

int img_py_tensor_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Tensor *tensor = (Tensor *)self;
    const Element *element = img_py_element(tensor->tensor.element);
    view->obj = NULL;
    if (tensor->device != ON_HOST) {
        PyErr_SetString(PyExc_BufferError, "the tensor is on a GPU");
        return -1;
    }
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) {
        PyErr_SetString(PyExc_BufferError, "the last dimension of a tensor is the fastest");
        return -1;
    }
    *view = (Py_buffer){
        .buf = tensor->tensor.data,
        .len = (Py_ssize_t)imgtool_tensor_bytes(&tensor->tensor),
        .itemsize = element->size,
        .ndim = (flags & PyBUF_ND) != 0 ? TENSOR_DIMENSIONS : 1,
        .format = (flags & PyBUF_FORMAT) != 0 ? (char *)(uintptr_t)element->format : NULL,
        .shape = (flags & PyBUF_ND) != 0 ? tensor->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? tensor->strides : NULL,
    };
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

static PyObject *make_interface(const Tensor *tensor)
{
    return Py_BuildValue("{s:(nnnn),s:O,s:s,s:(NO),s:i}", "shape", tensor->shape[0],
                         tensor->shape[1], tensor->shape[2], tensor->shape[3], "strides", Py_None,
                         "typestr", img_py_element(tensor->tensor.element)->type, "data",
                         PyLong_FromVoidPtr(tensor->tensor.data), Py_False, "version", 3);
}

/* Adds the stream for which the consumer must wait. */
static bool add_stream(const Tensor *tensor, PyObject *interface)
{
    PyObject *stream = tensor->stream != NULL ? PyLong_FromVoidPtr(tensor->stream) : NULL;
    const bool added = stream != NULL && PyDict_SetItemString(interface, "stream", stream) == 0;
    Py_XDECREF(stream);
    return added || tensor->stream == NULL;
}

PyObject *img_py_tensor_interface(PyObject *self, void *unused)
{
    (void)unused;
    if (((Tensor *)self)->device == ON_HOST)
        return make_interface((Tensor *)self);
    PyErr_SetString(PyExc_AttributeError, "the tensor is on a GPU");
    return NULL;
}

PyObject *img_py_tensor_cuda_interface(PyObject *self, void *unused)
{
    const Tensor *tensor = (Tensor *)self;
    (void)unused;
    if (tensor->device == ON_HOST) {
        PyErr_SetString(PyExc_AttributeError, "the tensor is in host memory");
        return NULL;
    }
    PyObject *interface = make_interface(tensor);
    if (interface != NULL && !add_stream(tensor, interface))
        Py_CLEAR(interface);
    return interface;
}

/* --- DLPack ----------------------------------------------------------------------------------- */

PyObject *img_py_tensor_dlpack_device(PyObject *self, PyObject *unused)
{
    (void)unused;
    return img_py_dlpack_device_of(((Tensor *)self)->device);
}

PyObject *img_py_tensor_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    Tensor *tensor = (Tensor *)self;
    const Element *element = img_py_element(tensor->tensor.element);
    PyObject *stream;
    if (!img_py_dlpack_read(args, keywords, tensor->device, &stream) ||
        !img_py_tensor_make_ready(tensor, stream))
        return NULL;
    return img_py_dlpack_export(self, tensor->tensor.data, tensor->device, TENSOR_DIMENSIONS,
                                tensor->shape, tensor->strides, element->code, element->size);
}
