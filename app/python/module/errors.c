/* Defines the exceptions. Each status of the library has one class, derived from imgtool.Error. */
#include "app/python/module/module.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Kind {
    imgtool_status status;
    const char *name, *doc;
    PyObject **python_base; /* Python's own class that is a second base class; NULL: none */
} Kind;

/* --- Classes ---------------------------------------------------------------------------------- */

/* Creates an exception class with the base classes `base` and `python_base` (NULL: none), and adds
 * it to the module. */
static PyObject *make_class(PyObject *module, const char *name, const char *doc, PyObject *base,
                            PyObject *python_base)
{
    char full[64];
    snprintf(full, sizeof full, "imgtool.%s", name);
    PyObject *bases =
        python_base != NULL ? PyTuple_Pack(2, base, python_base) : PyTuple_Pack(1, base);
    PyObject *made = bases != NULL ? PyErr_NewExceptionWithDoc(full, doc, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (made != NULL && PyObject_SetAttrString(module, name, made) != 0)
        Py_CLEAR(made);
    return made;
}

static bool make_base(PyObject *module, State *state)
{
    static const char doc[] = "Base class of imgtool's exceptions.\n\n"
                              "path: the file, or None.\n"
                              "problem: the message without the path.\n"
                              "status: the kind of problem, in a few words.";
    state->errors[0] = make_class(module, "Error", doc, PyExc_Exception, NULL);
    PyObject *nothing = PyUnicode_FromString("");
    const bool good = state->errors[0] != NULL && nothing != NULL &&
                      PyObject_SetAttrString(state->errors[0], "path", Py_None) == 0 &&
                      PyObject_SetAttrString(state->errors[0], "problem", nothing) == 0 &&
                      PyObject_SetAttrString(state->errors[0], "status", nothing) == 0;
    Py_XDECREF(nothing);
    return good;
}

bool img_py_make_errors(PyObject *module, State *state)
{
    const Kind kinds[] = {
        {IMGTOOL_E_USAGE, "UsageError", "An argument is invalid.", &PyExc_ValueError},
        {IMGTOOL_E_IO, "FileError", "A file cannot be read or written.", &PyExc_OSError},
        {IMGTOOL_E_FORMAT, "FormatError", "A file is damaged or of a kind that is not supported.",
         &PyExc_ValueError},
        {IMGTOOL_E_LIMIT, "LimitError", "max_pixels or max_memory is exceeded.", NULL},
        {IMGTOOL_E_MEMORY, "NoMemoryError", "Memory is exhausted.", &PyExc_MemoryError},
        {IMGTOOL_E_UNSUPPORTED, "UnsupportedError", "The operation does not support this picture.",
         &PyExc_ValueError},
        {IMGTOOL_E_UNAVAILABLE, "UnavailableError", "Not in this build or on this machine.",
         &PyExc_RuntimeError},
        {IMGTOOL_E_DEVICE, "DeviceError", "A GPU failed during the work.", &PyExc_RuntimeError},
        {IMGTOOL_E_CANCELLED, "CancelledError", "The work was interrupted.", NULL},
    };
    if (!make_base(module, state))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const Kind *kind = &kinds[i];
        state->errors[kind->status] =
            make_class(module, kind->name, kind->doc, state->errors[0],
                       kind->python_base != NULL ? *kind->python_base : NULL);
        if (state->errors[kind->status] == NULL)
            return false;
    }
    PyObject *file = state->errors[IMGTOOL_E_IO];
    state->missing_file = make_class(module, "MissingFileError", "The file does not exist.", file,
                                     PyExc_FileNotFoundError);
    state->forbidden_file =
        make_class(module, "ForbiddenFileError", "Permission to use the file is denied.", file,
                   PyExc_PermissionError);
    return state->missing_file != NULL && state->forbidden_file != NULL;
}

/* --- Raising ---------------------------------------------------------------------------------- */

/* Returns the errno of the system error that the library's message contains, as the text of
 * strerror or in the library's own words. Returns 0 if it contains none. */
static int errno_of(const char *message)
{
    static const int numbers[] = {ENOENT, EACCES, EPERM,  EISDIR, ENOTDIR,
                                  ENOSPC, EROFS,  EMFILE, ELOOP,  ENAMETOOLONG};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strstr(message, strerror(numbers[i])) != NULL)
            return numbers[i];
    if (strstr(message, "is a directory") != NULL)
        return EISDIR;
    return strstr(message, "directory does not exist") != NULL ? ENOENT : 0;
}

static PyObject *exception_class(const State *state, imgtool_status status, int number)
{
    if (status == IMGTOOL_E_IO && number == ENOENT)
        return state->missing_file;
    if (status == IMGTOOL_E_IO && (number == EACCES || number == EPERM))
        return state->forbidden_file;
    return state->errors[(int)status < STATUSES ? status : 0];
}

/* Sets an attribute of the exception. Steals the reference to `value`, which may be NULL after an
 * error. */
static bool set_attribute(PyObject *exception, const char *name, PyObject *value)
{
    const bool done = value != NULL && PyObject_SetAttrString(exception, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* Returns the message without the path at its start: "is a PNG file" for "in.png: is a PNG
 * file". */
static const char *message_without_path(const char *message, PyObject *path)
{
    PyObject *bytes = NULL;
    const char *problem = message;
    if (path != NULL && PyUnicode_FSConverter(path, &bytes)) {
        const size_t length = strlen(PyBytes_AsString(bytes));
        if (strncmp(message, PyBytes_AsString(bytes), length) == 0 && message[length] == ':')
            problem = message + length + 1 + (message[length + 1] == ' ');
        Py_DECREF(bytes);
    }
    PyErr_Clear();
    return problem;
}

/* Sets the attributes of an OSError from which Python forms its text: errno, strerror and
 * filename. */
static bool describe_system(PyObject *exception, const char *problem, PyObject *path, int number)
{
    return set_attribute(exception, "errno", PyLong_FromLong(number)) &&
           set_attribute(exception, "strerror", PyUnicode_DecodeFSDefault(problem)) &&
           (path == NULL || PyObject_SetAttrString(exception, "filename", path) == 0);
}

static bool describe(PyObject *exception, const imgtool_error *error, PyObject *path, int number)
{
    const char *problem = message_without_path(error->message, path);
    bool good = set_attribute(exception, "problem", PyUnicode_DecodeFSDefault(problem)) &&
                set_attribute(exception, "status",
                              PyUnicode_FromString(imgtool_status_text(error->status)));
    if (good && path != NULL)
        good = PyObject_SetAttrString(exception, "path", path) == 0;
    if (good && number != 0)
        good = describe_system(exception, problem, path, number);
    return good;
}

PyObject *img_py_make_error(const State *state, const imgtool_error *error, PyObject *path)
{
    const int number = error->status == IMGTOOL_E_IO ? errno_of(error->message) : 0;
    PyObject *kind = exception_class(state, error->status, number);
    PyObject *message = PyUnicode_DecodeFSDefault(error->message);
    PyObject *exception =
        message != NULL ? PyObject_CallFunctionObjArgs(kind, message, NULL) : NULL;
    Py_XDECREF(message);
    if (exception != NULL && !describe(exception, error, path, number))
        Py_CLEAR(exception);
    return exception;
}

PyObject *img_py_raise_error(const State *state, const imgtool_error *error, PyObject *path)
{
    if (PyErr_Occurred() != NULL)
        return NULL;
    PyObject *exception = img_py_make_error(state, error, path);
    if (exception != NULL)
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *img_py_raise(const State *state, imgtool_status status, const char *format, ...)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    va_list arguments;
    error.status = status;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    return img_py_raise_error(state, &error, NULL);
}
