/* Includes Python.h. Adds declarations that its headers contain only for a newer limited API,
 * although all versions of Python from 3.9 on support them: the buffer protocol (3.11) and text as
 * UTF-8 (3.10). */
#ifndef IMGTOOL_APP_PYTHON_MODULE_PYTHON_API_H
#define IMGTOOL_APP_PYTHON_MODULE_PYTHON_API_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if !defined(Py_LIMITED_API) || Py_LIMITED_API >= 0x030B0000
#error "this module is made for the limited API of Python 3.9"
#endif

typedef struct ImgPyBuffer {
    void *buf;
    PyObject *obj; /* object that owns the memory; owned reference */
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;

/* Request flags of the buffer protocol. */
enum {
    PyBUF_SIMPLE = 0,
    PyBUF_WRITABLE = 0x1,
    PyBUF_FORMAT = 0x4,
    PyBUF_ND = 0x8,
    PyBUF_STRIDES = 0x10 | PyBUF_ND,
    PyBUF_C_CONTIGUOUS = 0x20 | PyBUF_STRIDES,
    PyBUF_F_CONTIGUOUS = 0x40 | PyBUF_STRIDES,
    PyBUF_RECORDS_RO = PyBUF_STRIDES | PyBUF_FORMAT
};
#ifndef PyBUF_READ /* The headers of some versions define these names. */
#define PyBUF_READ 0x100
#endif
#ifndef Py_bf_getbuffer
#define Py_bf_getbuffer 1
#endif

PyAPI_FUNC(int) PyObject_CheckBuffer(PyObject *object);
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(int) PyBuffer_FillInfo(Py_buffer *view, PyObject *object, void *data, Py_ssize_t size,
                                  int readonly, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);

#endif
