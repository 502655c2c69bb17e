/* Reads pixels through DLPack and CUDA's array interface, for example those of PyTorch, CuPy and
 * Numba. */
#include "app/python/module/module.h"

#include <string.h>

#include "app/python/module/dlpack.h"

/* --- DLPack ----------------------------------------------------------------------------------- */

/* Number of CUDA's legacy default stream in DLPack and in the CUDA array interface. Work on this
 * stream waits for earlier work on all other streams, except non-blocking ones. */
enum { DEFAULT_STREAM = 1 };

bool img_py_has_dlpack(PyObject *object)
{
    return PyObject_HasAttrString(object, "__dlpack__") &&
           PyObject_HasAttrString(object, "__dlpack_device__");
}

static bool read_kind(PyObject *object, long *kind)
{
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    PyObject *first = device != NULL ? PySequence_GetItem(device, 0) : NULL;
    PyObject *number = first != NULL ? PyNumber_Long(first) : NULL;
    if (number != NULL)
        *kind = PyLong_AsLong(number);
    Py_XDECREF(number);
    Py_XDECREF(first);
    Py_XDECREF(device);
    return PyErr_Occurred() == NULL;
}

/* Calls __dlpack__ and returns the capsule. If the pixels are on a device, the owner makes them
 * ready on `stream`. */
static PyObject *export_capsule(PyObject *object, bool on_device, void *stream)
{
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *arguments = PyTuple_New(0), *keywords = NULL, *capsule = NULL;
    if (on_device)
        keywords = Py_BuildValue("{s:N}", "stream",
                                 stream != NULL ? PyLong_FromVoidPtr(stream)
                                                : PyLong_FromLong(DEFAULT_STREAM));
    if (method != NULL && arguments != NULL && (keywords != NULL || !on_device))
        capsule = PyObject_Call(method, arguments, keywords);
    Py_XDECREF(method);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    return capsule;
}

/* Takes the tensor out of the capsule, which no longer owns it from then on. */
static DlpackManaged *consume_capsule(PyObject *capsule)
{
    DlpackManaged *managed = PyCapsule_GetPointer(capsule, DLPACK_CAPSULE);
    return managed != NULL && PyCapsule_SetName(capsule, DLPACK_TAKEN) == 0 ? managed : NULL;
}

void img_py_release_capsule(PyObject *capsule)
{
    DlpackManaged *managed = PyCapsule_GetPointer(capsule, DLPACK_TAKEN);
    if (managed != NULL && managed->release != NULL)
        managed->release(managed);
    Py_DECREF(capsule);
}

/* Reads the sample type of the tensor. Types that must be converted to uint8 are allowed in host
 * memory only. */
static void read_type(const DlpackTensor *tensor, bool on_device, Samples *samples)
{
    const int bits = tensor->sample.bits, code = tensor->sample.code;
    const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    samples->size = bits / 8;
    samples->bits = 0;
    if (tensor->sample.lanes != 1 || !whole)
        return;
    if (code == DLPACK_UNSIGNED && bits <= 16)
        samples->bits = bits;
    else if (code == DLPACK_FLOAT && bits == 32)
        samples->bits = 32;
    else if (!on_device && (code != DLPACK_FLOAT || bits == 64))
        samples->values = code == DLPACK_UNSIGNED  ? VALUES_UNSIGNED
                          : code == DLPACK_INTEGER ? VALUES_SIGNED
                          : code == DLPACK_FLOAT   ? VALUES_FLOAT
                          : code == DLPACK_BOOL    ? VALUES_BOOL
                                                   : VALUES_PLAIN;
    if (samples->values != VALUES_PLAIN)
        samples->bits = 8;
}

/* Reads the strides, and converts them from samples to bytes. The shape must be set before. */
static bool read_strides(const DlpackTensor *tensor, Samples *samples)
{
    const int size = samples->size;
    if (tensor->strides == NULL)
        img_py_pack(samples);
    for (int i = 0; i < samples->dimensions && tensor->strides != NULL; i++)
        if (__builtin_mul_overflow(tensor->strides[i], size, &samples->strides[i]))
            return false;
    return true;
}

static bool read_tensor(const State *state, const DlpackTensor *tensor, bool on_device,
                        Samples *samples)
{
    read_type(tensor, on_device, samples);
    if (samples->bits == 0) {
        img_py_raise(state, IMGTOOL_E_USAGE, "array: samples are uint8, uint16 or float32%s",
                     on_device ? "" : ", bool, integers or float64");
        return false;
    }
    samples->data = (char *)tensor->data + tensor->offset;
    samples->dimensions = tensor->dimensions > DIMENSIONS_MAX ? 0 : tensor->dimensions;
    for (int i = 0; i < samples->dimensions; i++)
        samples->shape[i] = (Py_ssize_t)tensor->shape[i];
    if (read_strides(tensor, samples))
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE, "array: its strides are larger than memory");
    return false;
}

bool img_py_source_by_dlpack(const State *state, PyObject *object, void *stream, Source *source,
                             Samples *samples)
{
    long kind = 0;
    if (!read_kind(object, &kind))
        return false;
    const bool on_device = kind == DLPACK_CUDA || kind == DLPACK_CUDA_MANAGED;
    if (!on_device && kind != DLPACK_CPU && kind != DLPACK_CUDA_HOST) {
        img_py_raise(state, IMGTOOL_E_UNSUPPORTED,
                     "array: DLPack's device of kind %ld is neither host memory nor CUDA", kind);
        return false;
    }
    PyObject *capsule = export_capsule(object, on_device, stream);
    const DlpackManaged *managed = capsule != NULL ? consume_capsule(capsule) : NULL;
    if (managed == NULL) {
        Py_XDECREF(capsule);
        return false;
    }
    source->capsule = capsule;
    if (on_device)
        source->device = managed->tensor.device.index;
    return read_tensor(state, &managed->tensor, on_device, samples);
}

/* --- CUDA's array interface ------------------------------------------------------------------- */

static bool read_lengths(PyObject *sequence, Py_ssize_t *lengths, int *count)
{
    const Py_ssize_t size = PySequence_Size(sequence);
    *count = size <= DIMENSIONS_MAX ? (int)size : 0;
    for (int i = 0; i < *count; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        lengths[i] = item != NULL ? PyLong_AsSsize_t(item) : -1;
        Py_XDECREF(item);
    }
    return PyErr_Occurred() == NULL;
}

static int32_t bits_of_text(PyObject *type)
{
    const char *text =
        type != NULL && PyUnicode_Check(type) ? PyUnicode_AsUTF8AndSize(type, NULL) : NULL;
    if (text == NULL || strlen(text) != 3 || *text == '>')
        return 0;
    return strcmp(text + 1, "u1") == 0   ? 8
           : strcmp(text + 1, "u2") == 0 ? 16
           : strcmp(text + 1, "f4") == 0 ? 32
                                         : 0;
}

static bool read_shape_and_strides(PyObject *shape, PyObject *strides, Samples *samples)
{
    int count = 0;
    if (shape == NULL || !read_lengths(shape, samples->shape, &samples->dimensions))
        return false;
    if (strides == NULL || strides == Py_None) {
        img_py_pack(samples);
        return true;
    }
    return read_lengths(strides, samples->strides, &count) && count == samples->dimensions;
}

/* Reads shape and strides. Holds references to these two objects, because reading their items may
 * run Python code that changes the dict `interface`. */
static bool read_layout(PyObject *interface, Samples *samples)
{
    PyObject *shape = PyDict_GetItemString(interface, "shape");
    PyObject *strides = PyDict_GetItemString(interface, "strides");
    Py_XINCREF(shape);
    Py_XINCREF(strides);
    const bool done = read_shape_and_strides(shape, strides, samples);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return done;
}

static bool read_pointer(PyObject *interface, Samples *samples)
{
    PyObject *data = PyDict_GetItemString(interface, "data");
    PyObject *pointer = data != NULL ? PySequence_GetItem(data, 0) : NULL;
    if (pointer != NULL)
        samples->data = PyLong_AsVoidPtr(pointer);
    Py_XDECREF(pointer);
    return pointer != NULL && PyErr_Occurred() == NULL;
}

/* Chooses the stream for the work. If the caller passed no `stream`, the work runs on the owner's
 * stream. Otherwise it runs on `stream`, after waiting for the owner's stream. */
static bool read_stream(PyObject *interface, void *stream, Source *source)
{
    PyObject *named = PyDict_GetItemString(interface, "stream");
    void *owners = named != NULL && named != Py_None ? PyLong_AsVoidPtr(named) : NULL;
    if (stream == NULL)
        source->stream = owners;
    else if (owners != stream)
        source->owner_stream = owners;
    return PyErr_Occurred() == NULL;
}

bool img_py_source_by_cuda_interface(const State *state, PyObject *object, void *stream,
                                     Source *source, Samples *samples)
{
    PyObject *interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
    if (interface == NULL)
        return false;
    source->owner = interface;
    source->device = ON_SOME_DEVICE;
    if (PyDict_Check(interface))
        samples->bits = bits_of_text(PyDict_GetItemString(interface, "typestr"));
    if (samples->bits != 0 && read_layout(interface, samples) && read_pointer(interface, samples) &&
        read_stream(interface, stream, source)) {
        Py_INCREF(object); /* The Source keeps the object alive, and so its pixels. */
        source->owner = object;
        Py_DECREF(interface);
        return true;
    }
    if (PyErr_Occurred() == NULL)
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "array: __cuda_array_interface__ is not that of uint8, uint16 or float32");
    return false;
}
