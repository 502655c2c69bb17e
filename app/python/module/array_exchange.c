/* Shares the pixels of an Array with other libraries: by the buffer protocol, the array interfaces
 * of NumPy and CUDA, and DLPack. */
#include "app/python/module/module.h"

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

PyObject *img_py_dlpack_device(PyObject *self, PyObject *unused)
{
    (void)unused;
    return img_py_dlpack_device_of(((Array *)self)->device);
}

/* Exports the pixels as a DLPack capsule. The argument `stream` is ignored, because all work on the
 * pixels is complete. */
PyObject *img_py_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    const Array *array = (Array *)self;
    const int32_t bits = array->picture.format.bits;
    PyObject *stream;
    if (!img_py_dlpack_read(args, keywords, array->device, &stream))
        return NULL;
    return img_py_dlpack_export(
        self, array->picture.pixels, array->device, array->dimensions, array->shape, array->strides,
        bits == 32 ? DLPACK_FLOAT : DLPACK_UNSIGNED, img_py_sample_size(bits));
}
