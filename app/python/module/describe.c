/* Makes the results of imgtool.operations and imgtool.devices. */
#include "app/python/module/module.h"

/* --- Operations ------------------------------------------------------------------------------- */

typedef const char *WordFunction(size_t operation, size_t option, size_t index);

static PyObject *list_words(WordFunction *word, size_t operation, size_t option)
{
    PyObject *list = PyList_New(0);
    const char *text;
    for (size_t i = 0; list != NULL && (text = word(operation, option, i)) != NULL; i++) {
        PyObject *item = PyUnicode_FromString(text);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *describe_option(size_t operation, size_t index)
{
    static const char *const values[] = {"integer", "decimal", "choice", "color", "numbers",
                                         "size",    "ratio",   "file",   "range"};
    imgtool_option option = IMGTOOL_OPTION_INIT;
    if (!imgtool_option_get(operation, index, &option))
        Py_RETURN_NONE;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:d,s:d,s:N,s:N,s:N}", "name", option.name, "help",
                         option.help, "value", values[option.value], "default", option.default_text,
                         "minimum", option.minimum, "maximum", option.maximum, "stands_alone",
                         PyBool_FromLong(option.stands_alone), "choices",
                         list_words(imgtool_option_choice, operation, index), "flags",
                         list_words(imgtool_option_flag, operation, index));
}

static PyObject *describe_options(size_t operation, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *option = describe_option(operation, i);
        if (option == NULL || PyList_Append(list, option) != 0)
            Py_CLEAR(list);
        Py_XDECREF(option);
    }
    return list;
}

static PyObject *describe_operation(size_t index)
{
    imgtool_operation operation = IMGTOOL_OPERATION_INIT;
    if (!imgtool_operation_get(index, &operation))
        Py_RETURN_NONE;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:N,s:N}", "name", operation.name, "synopsis",
                         operation.synopsis, "help", operation.help, "example", operation.example,
                         "is_measurement", PyBool_FromLong(operation.is_measurement), "options",
                         describe_options(index, operation.options));
}

PyObject *img_py_operations(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (size_t i = 0; list != NULL && i < imgtool_operation_count(); i++) {
        PyObject *operation = describe_operation(i);
        if (operation == NULL || PyList_Append(list, operation) != 0)
            Py_CLEAR(list);
        Py_XDECREF(operation);
    }
    return list;
}

/* --- Devices ---------------------------------------------------------------------------------- */

enum { DEVICES_MOST = 64 };

PyObject *img_py_devices(PyObject *module, PyObject *unused)
{
    imgtool_device devices[DEVICES_MOST] = {IMGTOOL_DEVICE_INIT};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_status status;
    size_t count = 0;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS status = imgtool_devices(devices, DEVICES_MOST, &count, &error);
    Py_END_ALLOW_THREADS if (status != IMGTOOL_OK) return img_py_raise_error(
        PyModule_GetState(module), &error, NULL);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count && i < DEVICES_MOST; i++) {
        const imgtool_device *device = &devices[i];
        PyObject *item =
            Py_BuildValue("{s:i,s:s,s:(ii),s:K}", "index", device->index, "name", device->name,
                          "compute_capability", device->compute_major, device->compute_minor,
                          "memory_bytes", (unsigned long long)device->memory_bytes);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}
