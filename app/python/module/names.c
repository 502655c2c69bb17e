/* Converts names of colours, sample types, backends and file formats to values of the library. */
#include "app/python/module/module.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const colors[] = {"as it is", "gray", "gray+alpha", "rgb",
                                     "rgba",     "bgra", "palette"};
enum { COLORS = sizeof colors / sizeof *colors };

const char *img_py_color_name(imgtool_color color)
{
    return colors[color];
}

const char *img_py_dtype_name(int32_t bits)
{
    return bits == 32 ? "float32" : bits == 16 ? "uint16" : "uint8";
}

bool img_py_read_color(const State *state, PyObject *name, imgtool_color *color)
{
    *color = IMGTOOL_AS_IT_IS;
    if (name == NULL || name == Py_None)
        return true;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : "";
    for (int i = IMGTOOL_GRAY; text != NULL && i < COLORS; i++)
        if (strcmp(text, colors[i]) == 0) {
            *color = (imgtool_color)i;
            return true;
        }
    if (text != NULL)
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "color: gray, gray+alpha, rgb, rgba, bgra, palette or None, not \"%s\"", text);
    return false;
}

/* Returns a dtype as text. For uint8, numpy.uint8, dtype('uint8') and torch.uint8, the text ends
 * with "uint8". */
static PyObject *dtype_text(PyObject *dtype)
{
    if (PyType_Check(dtype))
        return PyObject_GetAttrString(dtype, "__name__");
    return PyObject_Str(dtype);
}

bool img_py_read_dtype(const State *state, PyObject *dtype, int32_t *bits)
{
    static const int32_t known[] = {8, 16, 32};
    *bits = 0;
    if (dtype == NULL || dtype == Py_None)
        return true;
    PyObject *word = dtype_text(dtype);
    const char *text = word != NULL ? PyUnicode_AsUTF8AndSize(word, NULL) : NULL;
    const char *dot = text != NULL ? strrchr(text, '.') : NULL;
    const char *last = dot != NULL ? dot + 1 : text;
    for (size_t i = 0; last != NULL && i < sizeof known / sizeof *known; i++)
        if (strcmp(last, img_py_dtype_name(known[i])) == 0)
            *bits = known[i];
    if (text != NULL && *bits == 0)
        img_py_raise(state, IMGTOOL_E_USAGE, "dtype: uint8, uint16, float32 or None, not %s", text);
    Py_XDECREF(word);
    return *bits != 0;
}

/* Reads a text such as "cuda:1". Returns false if it is not one. */
static bool read_device_text(const char *text, int *index)
{
    char *end;
    *index = ON_HOST;
    if (strcmp(text, "cpu") == 0)
        return true;
    if (strncmp(text, "cuda", 4) != 0)
        return false;
    *index = 0;
    if (text[4] == '\0')
        return true;
    if (text[4] != ':' || text[5] < '0' || text[5] > '9')
        return false;
    const long number = strtol(text + 5, &end, 10);
    *index = number < INT_MAX ? (int)number : INT_MAX;
    return *end == '\0';
}

bool img_py_read_device(const State *state, PyObject *device, int *index)
{
    *index = ON_HOST;
    if (device == NULL || device == Py_None)
        return true;
    if (PyLong_Check(device)) {
        const long number = PyLong_AsLong(device);
        *index = number >= 0 && number < INT_MAX ? (int)number : INT_MAX;
        return PyErr_Occurred() == NULL;
    }
    PyObject *word = PyObject_Str(device);
    const char *text = word != NULL ? PyUnicode_AsUTF8AndSize(word, NULL) : NULL;
    const bool good = text != NULL && read_device_text(text, index);
    if (text != NULL && !good)
        img_py_raise(state, IMGTOOL_E_USAGE, "device: None, cpu, cuda or cuda:1, not \"%s\"", text);
    Py_XDECREF(word);
    return good;
}

bool img_py_read_backend(const State *state, const char *name, imgtool_backend *backend)
{
    static const char *const names[] = {"auto", "cpu", "cuda"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *backend = (imgtool_backend)i;
            return true;
        }
    img_py_raise(state, IMGTOOL_E_USAGE, "backend: auto, cpu or cuda, not \"%s\"", name);
    return false;
}

/* --- File formats ----------------------------------------------------------------------------- */

static const struct {
    const char *name, *extension;
    imgtool_file_format format;
} formats[] = {{"png", ".png", IMGTOOL_PNG},
               {"jpeg", ".jpeg", IMGTOOL_JPEG},
               {"jpeg", ".jpg", IMGTOOL_JPEG},
               {"bmp", ".bmp", IMGTOOL_BMP},
               {"tga", ".tga", IMGTOOL_TGA}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Returns true if `path` is an existing PNG file. Does not block if the path is a pipe. */
static bool is_png(const char *path)
{
    static const char signature[] = "\x89PNG\r\n\x1a\n";
    char head[sizeof signature - 1];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return false;
    const bool is = read(file, head, sizeof head) == (ssize_t)sizeof head &&
                    memcmp(head, signature, sizeof head) == 0;
    (void)close(file);
    return is;
}

/* Rejects any format other than PNG if `path` is an existing PNG. This PNG may be the only
 * original. An extension such as .jpg in its name must not replace it by a file of a format that
 * stores less. */
static bool check_format(const State *state, imgtool_file_format format, const char *path)
{
    if (format == IMGTOOL_PNG || !is_png(path))
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE,
                 "%s is a PNG whatever its name says: give format=\"png\", or the one that is to "
                 "replace it",
                 path);
    return false;
}

bool img_py_read_format(const State *state, const char *name, const char *path,
                        imgtool_file_format *format)
{
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;
    *format = IMGTOOL_PNG;
    for (int i = 0; i < FORMATS; i++)
        if (name != NULL ? strcmp(name, formats[i].name) == 0
                         : dot != NULL && strcasecmp(dot, formats[i].extension) == 0) {
            *format = formats[i].format;
            return name != NULL || check_format(state, *format, path);
        }
    if (name != NULL)
        img_py_raise(state, IMGTOOL_E_USAGE, "format: png, jpeg, bmp or tga, not \"%s\"", name);
    return name == NULL;
}
