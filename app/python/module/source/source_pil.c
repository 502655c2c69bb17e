/* Reads images of Pillow. They support neither the buffer protocol nor DLPack, but their method
 * tobytes copies the pixels. */
#include "app/python/module/module.h"

#include <string.h>

bool img_py_is_pil(PyObject *object)
{
    return PyObject_HasAttrString(object, "mode") && PyObject_HasAttrString(object, "tobytes") &&
           PyObject_HasAttrString(object, "__array_interface__");
}

typedef struct Mode {
    const char *name;
    int32_t bits, channels;
} Mode;

/* Returns the mode with this name if its bytes are samples of a picture. Otherwise returns NULL. */
static const Mode *find_mode(PyObject *mode)
{
    static const Mode modes[] = {{"1", 8, 1},   {"L", 8, 1},    {"LA", 8, 2},
                                 {"RGB", 8, 3}, {"RGBA", 8, 4}, {"I;16", 16, 1}};
    const char *name = PyUnicode_Check(mode) ? PyUnicode_AsUTF8AndSize(mode, NULL) : NULL;
    for (size_t i = 0; name != NULL && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(name, modes[i].name) == 0)
            return &modes[i];
    return NULL;
}

/* Returns the image after conversion of its palette, as in imgtool.read: to RGB, or to RGBA if
 * there is transparency. An image without a palette is returned as it is. */
static PyObject *expand_palette(PyObject *image)
{
    PyObject *mode = PyObject_GetAttrString(image, "mode");
    PyObject *info = PyObject_GetAttrString(image, "info");
    const bool alpha = mode != NULL && PyUnicode_CompareWithASCIIString(mode, "PA") == 0;
    const bool palette = mode != NULL && PyUnicode_CompareWithASCIIString(mode, "P") == 0;
    const bool key = info != NULL && PyMapping_HasKeyString(info, "transparency") != 0;
    Py_XDECREF(mode);
    Py_XDECREF(info);
    if (PyErr_Occurred() != NULL)
        return NULL;
    if (alpha || palette)
        return PyObject_CallMethod(image, "convert", "s", alpha || key ? "RGBA" : "RGB");
    Py_INCREF(image);
    return image;
}

static bool read_size(PyObject *image, Samples *samples)
{
    PyObject *size = PyObject_GetAttrString(image, "size");
    const bool known =
        size != NULL && PyArg_ParseTuple(size, "nn", &samples->shape[1], &samples->shape[0]);
    Py_XDECREF(size);
    return known;
}

/* Gets the bytes of the image. For an image of mode "1" the bytes are 0 and 255. */
static bool read_bytes(PyObject *image, const Mode *mode, Source *source)
{
    PyObject *bytes = strcmp(mode->name, "1") == 0
                          ? PyObject_CallMethod(image, "tobytes", "ss", "raw", "L")
                          : PyObject_CallMethod(image, "tobytes", NULL);
    source->owner = bytes;
    return bytes != NULL && PyObject_GetBuffer(bytes, &source->buffer, PyBUF_SIMPLE) == 0;
}

static bool open_mode(const State *state, PyObject *image, const Mode *mode, Source *source,
                      Samples *samples)
{
    size_t row, bytes;
    if (!read_size(image, samples) || !read_bytes(image, mode, source))
        return false;
    samples->bits = mode->bits;
    samples->shape[2] = mode->channels;
    samples->dimensions = DIMENSIONS_MAX;
    samples->data = source->buffer.buf;
    img_py_pack(samples);
    row = (size_t)mode->channels * (size_t)img_py_sample_size(mode->bits);
    if (samples->shape[1] > 0 && img_py_total(row, samples->shape[1], &row) &&
        img_py_total(row, samples->shape[0], &bytes) && bytes == (size_t)source->buffer.len)
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE, "array: the image's bytes do not match its size");
    return false;
}

bool img_py_source_by_pil(const State *state, PyObject *object, Source *source, Samples *samples)
{
    PyObject *image = expand_palette(object);
    PyObject *name = image != NULL ? PyObject_GetAttrString(image, "mode") : NULL;
    const Mode *mode = name != NULL ? find_mode(name) : NULL;
    bool taken = false;
    if (mode != NULL)
        taken = open_mode(state, image, mode, source, samples);
    else if (name != NULL && PyErr_Occurred() == NULL)
        img_py_raise(
            state, IMGTOOL_E_USAGE,
            "array: an image of Pillow has the mode 1, L, LA, P, RGB, RGBA or I;16, not %s; "
            "use image.convert(\"RGB\")",
            PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : "?");
    Py_XDECREF(name);
    Py_XDECREF(image);
    return taken;
}
