/* Shares the pixels of an Array with other libraries: by the buffer protocol, the array interfaces
 * of NumPy and CUDA, and DLPack. */
#include "app/python/module/module.h"

#include <stdlib.h>

#include "app/python/module/dlpack.h"

/* --- Buffers ---------------------------------------------------------------------------------- */

static bool has_gaps(const Array *array)
{
    return array->picture.height > 1 && array->picture.stride != img_py_row_bytes(&array->picture);
}

/* Returns the reason why the pixels cannot be shared with these flags (PyBUF_...), or NULL if they
 * can. A consumer that does not request strides assumes that rows are contiguous. */
static const char *reason_against(const Array *array, int flags)
{
    if (array->device != ON_HOST)
        return "the pixels are on a GPU: use to_host() first";
    const bool strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    const bool packed = !strided || (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS;
    if (packed && has_gaps(array))
        return "there are gaps between the rows";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS)
        return "the pixels lie row by row";
    return NULL;
}

int img_py_get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Array *array = (Array *)self;
    const int32_t bits = array->picture.format.bits;
    const char *reason = reason_against(array, flags);
    view->obj = NULL;
    if (reason != NULL) {
        PyErr_SetString(PyExc_BufferError, reason);
        return -1;
    }
    const bool strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    *view = (Py_buffer){
        .buf = array->picture.pixels,
        .len = (Py_ssize_t)img_py_row_bytes(&array->picture) * array->shape[0],
        .itemsize = img_py_sample_size(bits),
        /* Without a shape, the buffer is one sequence of bytes. */
        .ndim = (flags & PyBUF_ND) != 0 ? array->dimensions : 1,
        .format = (flags & PyBUF_FORMAT) != 0 ? bits == 32   ? "f"
                                                : bits == 16 ? "H"
                                                             : "B"
                                              : NULL,
        .shape = (flags & PyBUF_ND) != 0 ? array->shape : NULL,
        .strides = strided ? array->strides : NULL,
    };
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

/* --- Array interfaces ------------------------------------------------------------------------- */

static PyObject *make_tuple(const Py_ssize_t *values, int count)
{
    return count == 2 ? Py_BuildValue("(nn)", values[0], values[1])
                      : Py_BuildValue("(nnn)", values[0], values[1], values[2]);
}

static const char *type_text(int32_t bits)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (bits == 32)
        return little ? "<f4" : ">f4";
    return bits == 16 ? little ? "<u2" : ">u2" : "|u1";
}

static PyObject *make_interface(const Array *array)
{
    PyObject *shape = make_tuple(array->shape, array->dimensions);
    PyObject *strides = NULL, *made = NULL;
    if (has_gaps(array)) {
        strides = make_tuple(array->strides, array->dimensions);
    } else {
        Py_INCREF(Py_None);
        strides = Py_None;
    }
    if (shape != NULL && strides != NULL)
        made = Py_BuildValue("{s:O,s:O,s:s,s:(NO),s:i}", "shape", shape, "strides", strides,
                             "typestr", type_text(array->picture.format.bits), "data",
                             PyLong_FromVoidPtr(array->picture.pixels), Py_False, "version", 3);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return made;
}

PyObject *img_py_array_interface(PyObject *self, void *unused)
{
    (void)unused;
    if (((Array *)self)->device == ON_HOST)
        return make_interface((Array *)self);
    PyErr_SetString(PyExc_AttributeError, "the pixels are on a GPU: use to_host() first");
    return NULL;
}

/* Returns the CUDA array interface of the pixels. It names no stream, because all work on the
 * pixels is complete. */
PyObject *img_py_cuda_array_interface(PyObject *self, void *unused)
{
    (void)unused;
    if (((Array *)self)->device != ON_HOST)
        return make_interface((Array *)self);
    PyErr_SetString(PyExc_AttributeError, "the pixels are in host memory");
    return NULL;
}

/* --- DLPack ----------------------------------------------------------------------------------- */

typedef struct Exported {
    DlpackManaged managed;
    int64_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
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

/* Destructor of a capsule. Frees the tensor if no consumer has taken it. It runs with the GIL of
 * its own interpreter, so it must not call PyGILState_Ensure, which would wait for the GIL of the
 * main interpreter. */
static void discard(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, DLPACK_CAPSULE))
        return;
    DlpackManaged *managed = PyCapsule_GetPointer(capsule, DLPACK_CAPSULE);
    Py_DECREF((PyObject *)managed->owner);
    free(managed);
}

static void fill(Exported *exported, Array *array)
{
    const int32_t bits = array->picture.format.bits;
    DlpackTensor *tensor = &exported->managed.tensor;
    for (int i = 0; i < array->dimensions; i++) {
        exported->shape[i] = array->shape[i];
        exported->strides[i] = array->strides[i] / img_py_sample_size(bits);
    }
    tensor->data = array->picture.pixels;
    tensor->device.type = array->device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA;
    tensor->device.index = array->device == ON_HOST ? 0 : array->device;
    tensor->dimensions = array->dimensions;
    tensor->sample.code = bits == 32 ? DLPACK_FLOAT : DLPACK_UNSIGNED;
    tensor->sample.bits = (uint8_t)bits;
    tensor->sample.lanes = 1;
    tensor->shape = exported->shape;
    tensor->strides = exported->strides;
    exported->managed.owner = array;
    exported->managed.release = release;
}

PyObject *img_py_dlpack_device(PyObject *self, PyObject *unused)
{
    const int device = ((Array *)self)->device;
    (void)unused;
    return Py_BuildValue("ii", device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA,
                         device == ON_HOST ? 0 : device);
}

/* Returns true if the consumer requests the pixels themselves, on their own device. imgtool makes
 * no copy for a consumer. */
static bool can_export(PyObject *self, PyObject *device, PyObject *copy)
{
    bool same = true;
    if (device != Py_None) {
        PyObject *own = img_py_dlpack_device(self, NULL);
        const int equal = own != NULL ? PyObject_RichCompareBool(device, own, Py_EQ) : -1;
        Py_XDECREF(own);
        if (equal < 0)
            return false;
        same = equal == 1;
    }
    if (same && copy != Py_True)
        return true;
    PyErr_SetString(PyExc_BufferError,
                    "imgtool shares its pixels, and neither copies nor sends them");
    return false;
}

/* Exports the pixels as a DLPack capsule. The argument `stream` is ignored, because all work on the
 * pixels is complete. */
PyObject *img_py_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, &stream, &version,
                                     &device, &copy) ||
        !can_export(self, device, copy))
        return NULL;
    Exported *exported = calloc(1, sizeof *exported);
    if (exported == NULL)
        return PyErr_NoMemory();
    fill(exported, (Array *)self);
    PyObject *capsule = PyCapsule_New(&exported->managed, DLPACK_CAPSULE, discard);
    if (capsule == NULL)
        free(exported);
    else
        Py_INCREF(self);
    return capsule;
}
