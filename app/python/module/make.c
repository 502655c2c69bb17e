/* Implements imgtool._imgtool._make, which creates an Array from pickled pixels. */
#include "app/python/module/module.h"

#include <stdlib.h>
#include <string.h>

static bool copy_pixels(const State *state, const Py_buffer *pixels, imgtool_picture *picture)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    size_t bytes;
    const bool fits = picture->width > 0 && picture->height > 0 &&
                      img_py_total(img_py_row_bytes(picture), picture->height, &bytes);
    if (!fits || bytes != (size_t)pixels->len) {
        img_py_raise(state, IMGTOOL_E_USAGE, "array: the pixels do not match its shape");
        return false;
    }
    if (img_py_allocate_picture(picture, &error) != IMGTOOL_OK) {
        img_py_raise_error(state, &error, NULL);
        return false;
    }
    memcpy(picture->pixels, pixels->buf, bytes);
    return true;
}

static bool copy_metadata(State *state, PyObject *from, imgtool_metadata **metadata)
{
    const Limits limits = {1, 0, 0};
    const imgtool_config config = img_py_config(&limits);
    *metadata = NULL;
    if (from == Py_None)
        return true;
    Worker *worker = img_py_worker_take(state, &config);
    if (worker == NULL)
        return false;
    const bool done = img_py_read_metadata(state, worker, from, NULL, metadata);
    img_py_worker_put(state, worker);
    return done;
}

static PyObject *make(PyObject *module, const Py_buffer *pixels, imgtool_picture *picture,
                      PyObject *from)
{
    State *state = PyModule_GetState(module);
    imgtool_metadata *metadata;
    if (!copy_pixels(state, pixels, picture))
        return NULL;
    if (copy_metadata(state, from, &metadata))
        return (PyObject *)img_py_array_make(module, picture, ON_HOST, metadata);
    free(picture->pixels);
    return NULL;
}

PyObject *img_py_make(PyObject *module, PyObject *args)
{
    const State *state = PyModule_GetState(module);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    PyObject *color, *dtype, *from, *result = NULL;
    Py_buffer pixels;
    if (!PyArg_ParseTuple(args, "y*iiOOO:_make", &pixels, &picture.height, &picture.width, &color,
                          &dtype, &from))
        return NULL;
    if (img_py_read_color(state, color, &picture.format.color) &&
        img_py_read_dtype(state, dtype, &picture.format.bits)) {
        if (imgtool_pixel_size(picture.format) > 0)
            result = make(module, &pixels, &picture, from);
        else
            img_py_raise(state, IMGTOOL_E_USAGE, "array: no such color and dtype");
    }
    PyBuffer_Release(&pixels);
    return result;
}
