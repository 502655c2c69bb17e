/* imgtool.read and imgtool.info. */
#include "app/python/module/module.h"

#include <stdlib.h>

typedef struct Reading {
    const State *state;
    Worker *worker;
    Input input;
    imgtool_format format; /* that is asked for */
    imgtool_reader *reader;
    imgtool_info info;
    imgtool_picture picture;
    imgtool_metadata *metadata;
    imgtool_error error;
} Reading;

/* --- Without the GIL -------------------------------------------------------------------------- */

static imgtool_status open_reader(Reading *reading, const char *name)
{
    imgtool_context *context = reading->worker->context;
    const Py_buffer *bytes = &reading->input.bytes;
    imgtool_status status =
        name != NULL ? imgtool_open_file(context, name, &reading->reader, &reading->error)
                     : imgtool_open_memory(context, bytes->buf, (size_t)bytes->len,
                                           &reading->reader, &reading->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_load(reading->reader, &reading->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_info(reading->reader, &reading->info, &reading->error);
    return status;
}

/* Where nobody says what to make of palettes and few bits, samples are what NumPy's users expect.
 */
static void choose_format(Reading *reading)
{
    const imgtool_info *info = &reading->info;
    imgtool_format *format = &reading->format;
    if (format->color == IMGTOOL_AS_IT_IS)
        format->color = info->format.color != IMGTOOL_PALETTE ? info->format.color
                        : info->has_alpha                     ? IMGTOOL_RGBA
                                                              : IMGTOOL_RGB;
    if (format->bits != 0)
        return;
    if (format->color == IMGTOOL_PALETTE)
        format->bits = info->format.bits;
    else
        format->bits = info->format.bits == 16 && format->color != IMGTOOL_BGRA ? 16 : 8;
}

static imgtool_status decode(Reading *reading)
{
    imgtool_picture *picture = &reading->picture;
    choose_format(reading);
    picture->width = reading->info.width;
    picture->height = reading->info.height;
    picture->format = reading->format;
    if (imgtool_pixel_size(reading->format) == 0) { /* the library says it better */
        picture->pixels = NULL;
        return imgtool_reader_decode(reading->reader, picture, &reading->error);
    }
    imgtool_status status = img_py_allocate_picture(picture, &reading->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_decode(reading->reader, picture, &reading->error);
    if (status != IMGTOOL_OK)
        return status;
    const imgtool_metadata *metadata = imgtool_reader_metadata(reading->reader, &reading->error);
    if (metadata == NULL || imgtool_metadata_count(metadata) == 0)
        return IMGTOOL_OK;
    status = imgtool_metadata_copy(reading->worker->context, metadata, &reading->metadata,
                                   &reading->error);
    if (status == IMGTOOL_OK)
        status = imgtool_metadata_convert(reading->metadata, reading->info.format, reading->format,
                                          &reading->error);
    return status;
}

/* --- With it ---------------------------------------------------------------------------------- */

static PyObject *list_warnings(const imgtool_reader *reader)
{
    PyObject *list = PyList_New(0), *tuple = NULL;
    const char *text;
    for (size_t i = 0; list != NULL && (text = imgtool_reader_warning(reader, i)) != NULL; i++) {
        PyObject *item = PyUnicode_DecodeFSDefault(text);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    if (list != NULL)
        tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

static PyObject *make_array(PyObject *module, Reading *reading)
{
    Array *array = img_py_array_make(module, &reading->picture, ON_HOST, reading->metadata);
    if (array == NULL)
        return NULL;
    array->warnings = list_warnings(reading->reader);
    if (array->warnings == NULL)
        Py_CLEAR(array);
    return (PyObject *)array;
}

static PyObject *list_types(imgtool_reader *reader)
{
    const imgtool_metadata *metadata = imgtool_reader_metadata(reader, NULL);
    const size_t count = metadata != NULL ? imgtool_metadata_count(metadata) : 0;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
        PyObject *item = imgtool_metadata_chunk(metadata, i, &chunk)
                             ? Py_BuildValue("sn", chunk.type, (Py_ssize_t)chunk.bytes)
                             : NULL;
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *make_info(Reading *reading)
{
    const imgtool_info *info = &reading->info;
    const imgtool_metadata *metadata = imgtool_reader_metadata(reading->reader, NULL);
    return Py_BuildValue("{s:i,s:i,s:s,s:i,s:N,s:N,s:N,s:K,s:i,s:N}", "width", info->width,
                         "height", info->height, "color", img_py_color_name(info->format.color),
                         "bits", info->format.bits, "interlaced", PyBool_FromLong(info->interlaced),
                         "has_alpha", PyBool_FromLong(info->has_alpha), "animated",
                         PyBool_FromLong(info->animated), "file_bytes",
                         (unsigned long long)info->file_bytes, "orientation",
                         metadata != NULL ? imgtool_metadata_orientation(metadata) : 0, "chunks",
                         list_types(reading->reader));
}

static bool begin(Reading *reading, PyObject *module, const Limits *limits, PyObject *source)
{
    const imgtool_config config = img_py_config(limits);
    State *state = PyModule_GetState(module);
    *reading = (Reading){.state = state,
                         .format = reading->format,
                         .info = IMGTOOL_INFO_INIT,
                         .picture = IMGTOOL_PICTURE_INIT,
                         .error = IMGTOOL_ERROR_INIT};
    if (!img_py_input_open(source, &reading->input)) {
        img_py_input_close(&reading->input);
        return false;
    }
    reading->worker = img_py_worker_take(state, &config);
    if (reading->worker == NULL)
        img_py_input_close(&reading->input);
    return reading->worker != NULL;
}

static void end(Reading *reading, PyObject *module)
{
    imgtool_reader_destroy(reading->reader);
    img_py_worker_put(PyModule_GetState(module), reading->worker);
    img_py_input_close(&reading->input);
}

static imgtool_status work(Reading *reading, bool decodes)
{
    const char *name = reading->input.name != NULL ? PyBytes_AsString(reading->input.name) : NULL;
    img_py_release(reading->worker);
    imgtool_status status = open_reader(reading, name);
    if (status == IMGTOOL_OK && decodes)
        status = decode(reading);
    return img_py_acquire(reading->worker, status);
}

PyObject *img_py_read(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source",     "color",      "dtype", "threads",
                            "max_pixels", "max_memory", NULL};
    const State *state = PyModule_GetState(module);
    PyObject *source, *color = NULL, *dtype = NULL, *result = NULL;
    Limits limits = {0, 0, 0};
    Reading reading;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$OOiO&O&:read", names, &source, &color,
                                     &dtype, &limits.threads, img_py_read_limit, &limits.max_pixels,
                                     img_py_read_limit, &limits.max_memory) ||
        !img_py_read_color(state, color, &reading.format.color) ||
        !img_py_read_dtype(state, dtype, &reading.format.bits) ||
        !begin(&reading, module, &limits, source))
        return NULL;
    if (work(&reading, true) == IMGTOOL_OK) {
        result = make_array(module, &reading);
    } else {
        free(reading.picture.pixels);
        imgtool_metadata_destroy(reading.metadata);
        img_py_fail(state, &reading.error, reading.input.path);
    }
    end(&reading, module);
    return result;
}

PyObject *img_py_info(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "max_pixels", "max_memory", NULL};
    const State *state = PyModule_GetState(module);
    PyObject *source, *result = NULL;
    Limits limits = {1, 0, 0};
    Reading reading = {.format = {IMGTOOL_AS_IT_IS, 0}};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$O&O&:info", names, &source,
                                     img_py_read_limit, &limits.max_pixels, img_py_read_limit,
                                     &limits.max_memory) ||
        !begin(&reading, module, &limits, source))
        return NULL;
    if (work(&reading, false) == IMGTOOL_OK)
        result = make_info(&reading);
    else
        img_py_fail(state, &reading.error, reading.input.path);
    end(&reading, module);
    return result;
}
