/* Exports memory of imgtool's objects as DLPack capsules. */
#include "app/python/module/dlpack.h"

#include <stdlib.h>

typedef struct Exported {
    DlpackManaged managed;
    int64_t shape[DLPACK_DIMENSIONS_MAX], strides[DLPACK_DIMENSIONS_MAX];
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

PyObject *img_py_dlpack_device_of(int device)
{
    return Py_BuildValue("ii", device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA,
                         device == ON_HOST ? 0 : device);
}

/* Returns 1 if `wanted` is None or names the device, 0 if it names another one, and -1 after an
 * exception. */
static int is_own(PyObject *wanted, int device)
{
    if (wanted == Py_None)
        return 1;
    PyObject *own = img_py_dlpack_device_of(device);
    const int equal = own != NULL ? PyObject_RichCompareBool(wanted, own, Py_EQ) : -1;
    Py_XDECREF(own);
    return equal;
}

bool img_py_dlpack_read(PyObject *args, PyObject *keywords, int device, PyObject **stream)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *version = Py_None, *wanted = Py_None, *copy = Py_None;
    *stream = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, stream, &version,
                                     &wanted, &copy))
        return false;
    const int own = is_own(wanted, device);
    if (own > 0 && copy != Py_True)
        return true;
    if (own >= 0)
        PyErr_SetString(PyExc_BufferError,
                        "imgtool shares its memory, and neither copies nor sends it");
    return false;
}

PyObject *img_py_dlpack_export(PyObject *owner, void *data, int device, int dimensions,
                               const Py_ssize_t *shape, const Py_ssize_t *strides, int code,
                               int sample_size)
{
    Exported *exported = calloc(1, sizeof *exported);
    if (exported == NULL)
        return PyErr_NoMemory();
    for (int i = 0; i < dimensions; i++) {
        exported->shape[i] = shape[i];
        exported->strides[i] = strides[i] / sample_size;
    }
    exported->managed = (DlpackManaged){
        .tensor = {.data = data,
                   .device = {device == ON_HOST ? DLPACK_CPU : DLPACK_CUDA,
                              device == ON_HOST ? 0 : device},
                   .dimensions = dimensions,
                   .sample = {(uint8_t)code, (uint8_t)(8 * sample_size), 1},
                   .shape = exported->shape,
                   .strides = exported->strides},
        .owner = owner,
        .release = release,
    };
    PyObject *capsule = PyCapsule_New(&exported->managed, DLPACK_CAPSULE, discard);
    if (capsule == NULL)
        free(exported);
    else
        Py_INCREF(owner);
    return capsule;
}
