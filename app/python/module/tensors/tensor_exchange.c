/* Shares the memory of a Tensor with other libraries, and borrows memory of theirs for it. */
#include "app/python/module/tensors/tensor.h"

#include <stdlib.h>
#include <string.h>

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

typedef struct Exported {
    DlpackManaged managed;
    int64_t shape[TENSOR_DIMENSIONS], strides[TENSOR_DIMENSIONS];
} Exported;

/* Frees the exported tensor. The consumer calls this function on any thread, possibly without the
 * GIL, and possibly after the interpreter has ended. */
static void release(DlpackManaged *managed)
{
    if (Py_IsInitialized()) {
        const PyGILState_STATE before = PyGILState_Ensure();
        Py_DECREF((PyObject *)managed->owner);
        PyGILState_Release(before);
    }
    free(managed);
}

/* Destructor of a capsule. Frees the tensor if no consumer has taken it. */
static void discard(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, DLPACK_CAPSULE))
        return;
    DlpackManaged *managed = PyCapsule_GetPointer(capsule, DLPACK_CAPSULE);
    Py_DECREF((PyObject *)managed->owner);
    free(managed);
}

static void fill(Exported *exported, Tensor *tensor)
{
    const Element *element = img_py_element(tensor->tensor.element);
    DlpackTensor *to = &exported->managed.tensor;
    for (int i = 0; i < TENSOR_DIMENSIONS; i++) {
        exported->shape[i] = tensor->shape[i];
        exported->strides[i] = tensor->strides[i] / element->size;
    }
    to->data = tensor->tensor.data;
    to->device.type = tensor->device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA;
    to->device.index = tensor->device == ON_HOST ? 0 : tensor->device;
    to->dimensions = TENSOR_DIMENSIONS;
    to->sample.code = (uint8_t)element->code;
    to->sample.bits = (uint8_t)(8 * element->size);
    to->sample.lanes = 1;
    to->shape = exported->shape;
    to->strides = exported->strides;
    exported->managed.owner = tensor;
    exported->managed.release = release;
}

PyObject *img_py_tensor_dlpack_device(PyObject *self, PyObject *unused)
{
    const int device = ((Tensor *)self)->device;
    (void)unused;
    return Py_BuildValue("ii", device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA,
                         device == ON_HOST ? 0 : device);
}

/* Returns true if the consumer requests the memory itself, on its own device. */
static bool can_export(PyObject *self, PyObject *device, PyObject *copy)
{
    int same = 1;
    if (device != Py_None) {
        PyObject *own = img_py_tensor_dlpack_device(self, NULL);
        same = own != NULL ? PyObject_RichCompareBool(device, own, Py_EQ) : -1;
        Py_XDECREF(own);
    }
    if (same > 0 && copy != Py_True)
        return true;
    if (same >= 0)
        PyErr_SetString(PyExc_BufferError,
                        "imgtool shares its memory, and neither copies nor sends it");
    return false;
}

PyObject *img_py_tensor_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, &stream, &version,
                                     &device, &copy) ||
        !can_export(self, device, copy) || !img_py_tensor_make_ready((Tensor *)self, stream))
        return NULL;
    Exported *exported = calloc(1, sizeof *exported);
    if (exported == NULL)
        return PyErr_NoMemory();
    fill(exported, (Tensor *)self);
    PyObject *capsule = PyCapsule_New(&exported->managed, DLPACK_CAPSULE, discard);
    if (capsule == NULL)
        free(exported);
    else
        Py_INCREF(self);
    return capsule;
}
