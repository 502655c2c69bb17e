/* Reads inputs from Python (a path, an open file, or bytes in memory), and writes outputs to
 * objects with a write method. */
#include "app/python/module/module.h"

#include <errno.h>
#include <stdlib.h>

/* --- Inputs ----------------------------------------------------------------------------------- */

static bool take_bytes(PyObject *object, Input *input)
{
    return PyObject_GetBuffer(object, &input->bytes, PyBUF_SIMPLE) == 0;
}

static bool take_file(PyObject *file, Input *input)
{
    PyObject *bytes = PyObject_CallMethod(file, "read", NULL);
    const bool good = bytes != NULL && take_bytes(bytes, input);
    Py_XDECREF(bytes);
    return good;
}

bool img_py_input_open(PyObject *source, Input *input)
{
    *input = (Input){.path = NULL};
    if (!PyUnicode_Check(source) && PyObject_CheckBuffer(source))
        return take_bytes(source, input);
    if (PyObject_HasAttrString(source, "read"))
        return take_file(source, input);
    if (!PyUnicode_FSConverter(source, &input->name))
        return false;
    Py_INCREF(source);
    input->path = source;
    return true;
}

void img_py_input_close(Input *input)
{
    if (input->bytes.obj != NULL)
        PyBuffer_Release(&input->bytes);
    Py_CLEAR(input->path);
    Py_CLEAR(input->name);
}

/* --- Encoded files ---------------------------------------------------------------------------- */

/* A Python object that owns the bytes of an encoded file. Memory views of the bytes hold a
 * reference to it, so `write` may keep the view that it gets. */
typedef struct File {
    PyObject_HEAD void *data;
    size_t bytes;
} File;

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const File *file = (File *)self;
    return PyBuffer_FillInfo(view, self, file->data, (Py_ssize_t)file->bytes, 1, flags);
}

static void deallocate(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((File *)self)->data);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "A file in memory."},
    {Py_tp_dealloc, (void *)deallocate},
    {Py_bf_getbuffer, (void *)get_buffer},
    {0, NULL},
};
static PyType_Spec spec = {"imgtool._imgtool.File", sizeof(File), 0, Py_TPFLAGS_DEFAULT, slots};

bool img_py_make_file_type(State *state)
{
    state->file_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return state->file_type != NULL;
}

/* Returns a memoryview of `data`. Takes ownership of `data`, which malloc allocated, also on
 * failure. */
static PyObject *view_of(const State *state, void *data, size_t bytes)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->file_type, Py_tp_alloc);
    File *file = (File *)allocate(state->file_type, 0);
    if (file == NULL) {
        free(data);
        return NULL;
    }
    file->data = data;
    file->bytes = bytes;
    PyObject *view = PyMemoryView_FromObject((PyObject *)file);
    Py_DECREF((PyObject *)file);
    return view;
}

/* --- Results of write ------------------------------------------------------------------------- */

/* Returns 1 for an unbuffered (raw) file, and 0 for any other file. Returns -1 if an exception is
 * set. */
static int is_raw(PyObject *target)
{
    PyObject *module = PyImport_ImportModule("io");
    PyObject *type = module != NULL ? PyObject_GetAttrString(module, "RawIOBase") : NULL;
    const int answer = type != NULL ? PyObject_IsInstance(target, type) : -1;
    Py_XDECREF(module);
    Py_XDECREF(type);
    return answer;
}

/* Raises BlockingIOError with `done`, the number of written bytes, as Python's buffered files
 * do. */
static void raise_blocked(size_t done)
{
    PyObject *error =
        PyObject_CallFunction(PyExc_BlockingIOError, "isn", EAGAIN,
                              "the file takes no more without blocking", (Py_ssize_t)done);
    if (error != NULL)
        PyErr_SetObject(PyExc_BlockingIOError, error);
    Py_XDECREF(error);
}

/* Returns how many of the remaining `rest` bytes the method `write` has accepted. `taken` is its
 * return value. If that is not a number, a raw file has accepted nothing, because it would have
 * blocked, and any other file has accepted all bytes. Returns 0 if an exception is set. */
static size_t count_taken(const State *state, PyObject *target, PyObject *taken, size_t done,
                          size_t rest)
{
    if (!PyIndex_Check(taken)) {
        const int raw = is_raw(target);
        if (raw > 0)
            raise_blocked(done);
        return raw == 0 ? rest : 0;
    }
    /* Numbers beyond the range of Py_ssize_t are clipped. */
    const Py_ssize_t count = PyNumber_AsSsize_t(taken, NULL);
    if (PyErr_Occurred() != NULL)
        return 0;
    if (count > 0 && (size_t)count <= rest)
        return (size_t)count;
    img_py_raise(state, IMGTOOL_E_IO, "the file's write says that it took %zd of %zu bytes", count,
                 rest);
    return 0;
}

/* --- Calling write ---------------------------------------------------------------------------- */

PyObject *img_py_write_all(const State *state, PyObject *target, void *data, size_t bytes)
{
    PyObject *view = view_of(state, data, bytes);
    size_t done = 0, count = view != NULL;
    while (count > 0 && done < bytes) {
        PyObject *rest = PySequence_GetSlice(view, (Py_ssize_t)done, (Py_ssize_t)bytes);
        PyObject *taken = rest != NULL ? PyObject_CallMethod(target, "write", "O", rest) : NULL;
        count = taken != NULL ? count_taken(state, target, taken, done, bytes - done) : 0;
        done += count;
        Py_XDECREF(rest);
        Py_XDECREF(taken);
    }
    Py_XDECREF(view);
    if (count == 0)
        return NULL;
    Py_RETURN_NONE;
}
