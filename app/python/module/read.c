/* Implements imgtool.read and imgtool.info. */
#include "app/python/module/module.h"

#include <stdlib.h>

typedef struct ReadCall {
    const State *state;
    Worker *worker;
    Input input;
    /* The format that the caller requests; after choose_format, the format of the result. */
    imgtool_format format;
    imgtool_reader *reader;
    imgtool_info info;
    imgtool_picture picture;
    imgtool_metadata *metadata;
    imgtool_error error;
} ReadCall;

/* --- Without the GIL -------------------------------------------------------------------------- */

static imgtool_status open_reader(ReadCall *call, const char *name)
{
    imgtool_context *context = call->worker->context;
    const Py_buffer *bytes = &call->input.bytes;
    imgtool_status status = name != NULL
                                ? imgtool_open_file(context, name, &call->reader, &call->error)
                                : imgtool_open_memory(context, bytes->buf, (size_t)bytes->len,
                                                      &call->reader, &call->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_load(call->reader, &call->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_info(call->reader, &call->info, &call->error);
    return status;
}

/* Chooses the format if the caller requested none. Palettes become RGB or RGBA, and samples of
 * fewer than 8 bits become 8 bits, as users of NumPy expect. */
static void choose_format(ReadCall *call)
{
    const imgtool_info *info = &call->info;
    imgtool_format *format = &call->format;
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

static imgtool_status decode(ReadCall *call)
{
    imgtool_picture *picture = &call->picture;
    choose_format(call);
    picture->width = call->info.width;
    picture->height = call->info.height;
    picture->format = call->format;
    /* The format is invalid. The library's message about it is better than one that is made
     * here. */
    if (imgtool_pixel_size(call->format) == 0) {
        picture->pixels = NULL;
        return imgtool_reader_decode(call->reader, picture, &call->error);
    }
    imgtool_status status = img_py_allocate_picture(picture, &call->error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_decode(call->reader, picture, &call->error);
    if (status != IMGTOOL_OK)
        return status;
    const imgtool_metadata *metadata = imgtool_reader_metadata(call->reader, &call->error);
    if (metadata == NULL || imgtool_metadata_count(metadata) == 0)
        return IMGTOOL_OK;
    status = imgtool_metadata_copy(call->worker->context, metadata, &call->metadata, &call->error);
    if (status == IMGTOOL_OK)
        status =
            imgtool_metadata_convert(call->metadata, call->info.format, call->format, &call->error);
    return status;
}

/* --- With the GIL ----------------------------------------------------------------------------- */

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

static PyObject *make_array(PyObject *module, ReadCall *call)
{
    Array *array = img_py_array_make(module, &call->picture, ON_HOST, call->metadata);
    if (array == NULL)
        return NULL;
    array->warnings = list_warnings(call->reader);
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

static PyObject *make_info(ReadCall *call)
{
    const imgtool_info *info = &call->info;
    const imgtool_metadata *metadata = imgtool_reader_metadata(call->reader, NULL);
    return Py_BuildValue("{s:i,s:i,s:s,s:i,s:N,s:N,s:N,s:K,s:i,s:N}", "width", info->width,
                         "height", info->height, "color", img_py_color_name(info->format.color),
                         "bits", info->format.bits, "interlaced", PyBool_FromLong(info->interlaced),
                         "has_alpha", PyBool_FromLong(info->has_alpha), "animated",
                         PyBool_FromLong(info->animated), "file_bytes",
                         (unsigned long long)info->file_bytes, "orientation",
                         metadata != NULL ? imgtool_metadata_orientation(metadata) : 0, "chunks",
                         list_types(call->reader));
}

static bool begin(ReadCall *call, PyObject *module, const Limits *limits, PyObject *source)
{
    const imgtool_config config = img_py_config(limits);
    State *state = PyModule_GetState(module);
    *call = (ReadCall){.state = state,
                       .format = call->format,
                       .info = IMGTOOL_INFO_INIT,
                       .picture = IMGTOOL_PICTURE_INIT,
                       .error = IMGTOOL_ERROR_INIT};
    if (!img_py_input_open(source, &call->input)) {
        img_py_input_close(&call->input);
        return false;
    }
    call->worker = img_py_worker_take(state, &config);
    if (call->worker == NULL)
        img_py_input_close(&call->input);
    return call->worker != NULL;
}

static void end(ReadCall *call, PyObject *module)
{
    imgtool_reader_destroy(call->reader);
    img_py_worker_put(PyModule_GetState(module), call->worker);
    img_py_input_close(&call->input);
}

static imgtool_status execute(ReadCall *call, bool decodes)
{
    const char *name = call->input.name != NULL ? PyBytes_AsString(call->input.name) : NULL;
    img_py_release_gil(call->worker);
    imgtool_status status = open_reader(call, name);
    if (status == IMGTOOL_OK && decodes)
        status = decode(call);
    return img_py_acquire_gil(call->worker, status);
}

/* Reads a stream: None or an integer. Used with the format "O&" of PyArg_Parse. */
static int read_stream(PyObject *object, void *number)
{
    return object == Py_None ? 1 : img_py_read_limit(object, number);
}

PyObject *img_py_read(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source",     "color",  "dtype",  "threads", "max_pixels",
                            "max_memory", "device", "stream", NULL};
    const State *state = PyModule_GetState(module);
    PyObject *source, *color = NULL, *dtype = NULL, *device = NULL, *result = NULL;
    unsigned long long stream = 0;
    int index;
    Limits limits = {0, 0, 0};
    ReadCall call;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$OOiO&O&OO&:read", names, &source, &color,
                                     &dtype, &limits.threads, img_py_read_limit, &limits.max_pixels,
                                     img_py_read_limit, &limits.max_memory, &device, read_stream,
                                     &stream) ||
        !img_py_read_device(state, device, &index) ||
        !img_py_read_color(state, color, &call.format.color) ||
        !img_py_read_dtype(state, dtype, &call.format.bits))
        return NULL;
    if (index != ON_HOST && (call.format.color != IMGTOOL_AS_IT_IS || call.format.bits != 0))
        return img_py_raise(state, IMGTOOL_E_USAGE,
                            "color and dtype: a file is read to a device as it is");
    if (index != ON_HOST)
        return img_py_read_on_device(module, source, &limits, index, (void *)(uintptr_t)stream);
    if (!begin(&call, module, &limits, source))
        return NULL;
    if (execute(&call, true) == IMGTOOL_OK) {
        result = make_array(module, &call);
    } else {
        free(call.picture.pixels);
        imgtool_metadata_destroy(call.metadata);
        img_py_raise_error(state, &call.error, call.input.path);
    }
    end(&call, module);
    return result;
}

PyObject *img_py_info(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "max_pixels", "max_memory", NULL};
    const State *state = PyModule_GetState(module);
    PyObject *source, *result = NULL;
    Limits limits = {1, 0, 0};
    ReadCall call = {.format = {IMGTOOL_AS_IT_IS, 0}};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$O&O&:info", names, &source,
                                     img_py_read_limit, &limits.max_pixels, img_py_read_limit,
                                     &limits.max_memory) ||
        !begin(&call, module, &limits, source))
        return NULL;
    if (execute(&call, false) == IMGTOOL_OK)
        result = make_info(&call);
    else
        img_py_raise_error(state, &call.error, call.input.path);
    end(&call, module);
    return result;
}
