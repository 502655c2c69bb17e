/* Makes a picture of the pixels that a caller passes. The picture borrows the pixels if they have
 * the layout of a picture; otherwise they are copied. */
#include "app/python/module/module.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Samples to a picture --------------------------------------------------------------------- */

static bool read_shape(const State *state, const Samples *samples, imgtool_picture *picture,
                       Py_ssize_t *channels)
{
    *channels = samples->dimensions == 3 ? samples->shape[2] : 1;
    const bool empty = samples->dimensions < 2 || samples->shape[0] < 1 || samples->shape[1] < 1;
    if (empty || samples->shape[0] > INT32_MAX || samples->shape[1] > INT32_MAX || *channels < 1 ||
        *channels > 4) {
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "array: a picture has the shape (height, width) or (height, width, 1 to 4)");
        return false;
    }
    picture->height = (int32_t)samples->shape[0];
    picture->width = (int32_t)samples->shape[1];
    return true;
}

static bool read_channels(const State *state, Py_ssize_t channels, imgtool_color wanted,
                          imgtool_color *color)
{
    static const imgtool_color usual[] = {IMGTOOL_GRAY, IMGTOOL_GRAY_ALPHA, IMGTOOL_RGB,
                                          IMGTOOL_RGBA};
    *color = wanted != IMGTOOL_AS_IT_IS ? wanted : usual[channels - 1];
    if (img_py_channels(*color) == channels)
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE, "color: %s has %d channels, and the array %d",
                 img_py_color_name(*color), img_py_channels(*color), (int)channels);
    return false;
}

/* Returns true if the samples have the layout of a picture: channels of a pixel contiguous and
 * aligned, pixels contiguous, and rows in order without overlap. `row` is the size of a row in
 * bytes. */
static bool has_picture_layout(const Samples *samples, Py_ssize_t channels, size_t row)
{
    const Py_ssize_t size = img_py_sample_size(samples->bits);
    const Py_ssize_t down = samples->strides[0];
    if ((uintptr_t)samples->data % (uintptr_t)size != 0 || samples->strides[1] != channels * size)
        return false;
    if (samples->dimensions == 3 && channels > 1 && samples->strides[2] != size)
        return false;
    return samples->shape[0] == 1 || (down >= (Py_ssize_t)row && down % size == 0);
}

static bool copy_samples(const State *state, Source *source, const Samples *samples, size_t row)
{
    if (source->device != ON_HOST) {
        img_py_raise(state, IMGTOOL_E_UNSUPPORTED,
                     "array: pixels on a GPU must be contiguous, row by row; copy them first");
        return false;
    }
    size_t bytes;
    if (img_py_total(row, samples->shape[0], &bytes))
        source->copy = img_py_allocate(bytes);
    if (source->copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    Py_BEGIN_ALLOW_THREADS img_py_gather(samples, source->copy);
    Py_END_ALLOW_THREADS source->picture.pixels = source->copy;
    source->picture.stride = row;
    return true;
}

/* Copies floats of 4 or 8 bytes to a picture of 4-byte floats. */
static bool copy_doubles(Source *source, const Samples *samples)
{
    imgtool_picture *picture = &source->picture;
    size_t bytes;
    picture->format.bits = 32;
    picture->stride = img_py_row_bytes(picture);
    if (img_py_total(picture->stride, samples->shape[0], &bytes))
        source->copy = img_py_allocate(bytes);
    if (source->copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    Py_BEGIN_ALLOW_THREADS img_py_doubles_to_floats(samples, source->copy);
    Py_END_ALLOW_THREADS picture->pixels = source->copy;
    return true;
}

/* Converts samples of another type to uint8 in new memory. Raises an exception if a value is out of
 * range. */
static bool copy_values(const State *state, Source *source, const Samples *samples, size_t row)
{
    size_t bytes;
    double wrong = 0;
    bool right;
    void *copy = img_py_total(row, samples->shape[0], &bytes) ? img_py_allocate(bytes) : NULL;
    if (copy == NULL) {
        PyErr_NoMemory();
        return false;
    }
    Py_BEGIN_ALLOW_THREADS right = img_py_values_to_bytes(samples, copy, &wrong);
    Py_END_ALLOW_THREADS free(source->copy);
    source->copy = source->picture.pixels = copy;
    source->picture.stride = row;
    if (!right)
        img_py_raise_value(state, samples, wrong);
    return right;
}

/* Converts a picture of floats to uint8, in place of the floats. */
static bool floats_to_bytes(const State *state, Source *source)
{
    imgtool_picture *picture = &source->picture;
    const int channels = img_py_channels(picture->format.color);
    const Py_ssize_t size = sizeof(float);
    const Samples floats = {.data = picture->pixels,
                            .dimensions = 3,
                            .shape = {picture->height, picture->width, channels},
                            .strides = {(Py_ssize_t)picture->stride, channels * size, size},
                            .values = VALUES_FLOAT,
                            .size = (int)size};
    picture->format.bits = 8;
    return copy_values(state, source, &floats, img_py_row_bytes(picture));
}

bool img_py_source_take(const State *state, Source *source, const Samples *samples,
                        imgtool_color color)
{
    imgtool_picture *picture = &source->picture;
    Py_ssize_t channels;
    picture->format.bits = samples->bits;
    if (!read_shape(state, samples, picture, &channels) ||
        !read_channels(state, channels, color, &picture->format.color))
        return false;
    const size_t row = img_py_row_bytes(picture);
    if (samples->values == VALUES_FLOAT)
        return copy_doubles(source, samples);
    if (samples->values != VALUES_PLAIN)
        return copy_values(state, source, samples, row);
    if (!has_picture_layout(samples, channels, row))
        return copy_samples(state, source, samples, row);
    picture->pixels = samples->data;
    picture->stride = samples->shape[0] == 1 ? row : (size_t)samples->strides[0];
    return true;
}

/* --- Protocols -------------------------------------------------------------------------------- */

/* Reads the sample type from a format of Python's struct module. Sets 0 bits for an unsupported
 * type. */
static void read_type(const char *format, Py_ssize_t size, Samples *samples)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    samples->bits = 8;
    samples->size = (int)size;
    if (format == NULL)
        return;
    if (*format == '@' || *format == '=' || *format == '|' || *format == (little ? '<' : '>'))
        format++;
    if (strcmp(format, "B") == 0 && size == 1)
        return;
    if (strcmp(format, "H") == 0 && size == 2)
        samples->bits = 16;
    else if (strcmp(format, "f") == 0 && size == 4)
        samples->bits = 32;
    else if (strlen(format) == 1 && (size == 1 || size == 2 || size == 4 || size == 8))
        samples->values = img_py_values_of(*format);
    else
        samples->bits = 0;
    if (samples->bits == 8 && samples->values == VALUES_PLAIN)
        samples->bits = 0;
}

/* The product of the shape can overflow, but only for a shape that is rejected later. So it is not
 * checked here. */
void img_py_pack(Samples *samples)
{
    size_t packed = samples->values != VALUES_PLAIN ? (size_t)samples->size
                                                    : (size_t)img_py_sample_size(samples->bits);
    for (int i = samples->dimensions - 1; i >= 0; i--) {
        samples->strides[i] = (Py_ssize_t)packed;
        packed *= (size_t)samples->shape[i];
    }
}

static bool open_buffer(const State *state, PyObject *object, Source *source, Samples *samples)
{
    Py_buffer *buffer = &source->buffer;
    if (PyObject_GetBuffer(object, buffer, PyBUF_RECORDS_RO) != 0)
        return false;
    samples->data = buffer->buf;
    samples->dimensions = buffer->ndim > DIMENSIONS_MAX ? 0 : buffer->ndim;
    read_type(buffer->format, buffer->itemsize, samples);
    for (int i = 0; i < samples->dimensions; i++)
        samples->shape[i] = buffer->shape[i];
    img_py_pack(samples);
    /* Objects of ctypes have no strides; they keep the strides that img_py_pack has set. */
    for (int i = 0; i < samples->dimensions && buffer->strides != NULL; i++)
        samples->strides[i] = buffer->strides[i];
    if (samples->bits != 0)
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE,
                 "array: samples are uint8, uint16, floats, bool or integers of this machine, not "
                 "\"%s\"",
                 buffer->format);
    return false;
}

/* Uses an Array of this module directly. An Array has a colour type and metadata, which other
 * objects lack. */
static void open_array(Array *array, Source *source)
{
    source->picture = array->picture;
    source->device = array->device;
    source->metadata = array->metadata;
    source->is_own = true;
    Py_INCREF((PyObject *)array);
    source->owner = (PyObject *)array;
}

static bool open_object(const State *state, PyObject *object, void *stream, Source *source,
                        Samples *samples)
{
    /* Arrays of CuPy claim to support the buffer protocol, but it fails for pixels on a GPU. */
    const bool on_device = PyObject_HasAttrString(object, "__cuda_array_interface__");
    if (!on_device && PyObject_CheckBuffer(object))
        return open_buffer(state, object, source, samples);
    if (img_py_has_dlpack(object))
        return img_py_source_by_dlpack(state, object, stream, source, samples);
    if (on_device)
        return img_py_source_by_cuda_interface(state, object, stream, source, samples);
    if (img_py_is_pil(object))
        return img_py_source_by_pil(state, object, source, samples);
    PyErr_Format(
        PyExc_TypeError,
        "array: pixels come as imgtool.Array, by the buffer protocol as of NumPy, by DLPack, "
        "by __cuda_array_interface__ or as an image of Pillow, not as %R",
        (PyObject *)Py_TYPE(object));
    return false;
}

static bool open_any(const State *state, PyObject *object, imgtool_color color, void *stream,
                     Source *source)
{
    Samples samples = {.dimensions = 0};
    *source = (Source){.picture = IMGTOOL_PICTURE_INIT, .device = ON_HOST, .stream = stream};
    if (img_py_is_array(state, object)) {
        open_array((Array *)object, source);
        if (color == IMGTOOL_AS_IT_IS || color == source->picture.format.color ||
            read_channels(state, img_py_channels(source->picture.format.color), color,
                          &source->picture.format.color))
            return true;
    } else if (open_object(state, object, stream, source, &samples) &&
               img_py_source_take(state, source, &samples, color)) {
        return true;
    }
    img_py_source_close(source);
    return false;
}

static bool open_on_host(const State *state, PyObject *object, imgtool_color color, Source *source)
{
    if (!open_any(state, object, color, NULL, source))
        return false;
    if (source->device == ON_HOST)
        return true;
    img_py_source_close(source);
    img_py_raise(state, IMGTOOL_E_USAGE, "array: the pixels are on a GPU; use to_host first");
    return false;
}

bool img_py_source_open_floats(const State *state, PyObject *object, Source *source)
{
    return open_on_host(state, object, IMGTOOL_AS_IT_IS, source);
}

static bool convert_floats(const State *state, Source *source)
{
    if (source->device != ON_HOST || source->picture.format.bits != 32 ||
        floats_to_bytes(state, source))
        return true;
    img_py_source_close(source);
    return false;
}

bool img_py_source_open_host(const State *state, PyObject *object, imgtool_color color,
                             Source *source)
{
    return open_on_host(state, object, color, source) && convert_floats(state, source);
}

bool img_py_source_open(const State *state, PyObject *object, imgtool_color color, void *stream,
                        Source *source)
{
    return open_any(state, object, color, stream, source) && convert_floats(state, source);
}

void img_py_source_close(Source *source)
{
    if (source->buffer.obj != NULL)
        PyBuffer_Release(&source->buffer);
    if (source->capsule != NULL)
        img_py_release_capsule(source->capsule);
    Py_CLEAR(source->owner);
    source->capsule = NULL;
    free(source->copy);
    source->copy = NULL;
}
