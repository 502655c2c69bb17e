/* What is read: a file by its name, an open one, or one in memory. */
#include "app/python/module/module.h"

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
