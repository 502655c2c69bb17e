/* Implements imgtool.write and imgtool.encode. */
#include "app/python/module/module.h"

#include <stdlib.h>

typedef struct WriteCall {
    const State *state;
    Worker *worker;
    Source source;
    imgtool_metadata *metadata;
    imgtool_encoding encoding;
    imgtool_error error;
} WriteCall;

/* Arguments of imgtool.write and imgtool.encode, in the order of their format string. */
typedef struct Options {
    PyObject *array, *color, *metadata;
    const char *format;
    int level, quality, index, interlaced;
    Limits limits;
} Options;

/* --- Arguments -------------------------------------------------------------------------------- */

static Options default_options(void)
{
    const imgtool_encoding usual = IMGTOOL_ENCODING_INIT;
    return (Options){.level = usual.level,
                     .quality = usual.quality,
                     .index = usual.index,
                     .limits = {.max_pixels = ANY_PIXELS}};
}

static bool begin(WriteCall *call, PyObject *module, const Options *options, const char *path)
{
    const imgtool_config config = img_py_config(&options->limits);
    State *state = PyModule_GetState(module);
    imgtool_color color;
    *call =
        (WriteCall){.state = state, .encoding = IMGTOOL_ENCODING_INIT, .error = IMGTOOL_ERROR_INIT};
    imgtool_encoding *encoding = &call->encoding;
    encoding->level = options->level;
    encoding->quality = options->quality;
    encoding->index = options->index != 0;
    encoding->interlaced = options->interlaced != 0;
    if (!img_py_read_format(state, options->format, path, &encoding->format) ||
        !img_py_read_color(state, options->color, &color) ||
        !img_py_source_open_host(state, options->array, color, &call->source))
        return false;
    call->worker = img_py_worker_take(state, &config);
    if (call->worker != NULL && img_py_read_metadata(state, call->worker, options->metadata,
                                                     call->source.metadata, &call->metadata)) {
        encoding->metadata = call->metadata;
        return true;
    }
    if (call->worker != NULL)
        img_py_worker_put(state, call->worker);
    img_py_source_close(&call->source);
    return false;
}

static void end(WriteCall *call, PyObject *module)
{
    imgtool_metadata_destroy(call->metadata);
    img_py_worker_put(PyModule_GetState(module), call->worker);
    img_py_source_close(&call->source);
}

/* --- To memory -------------------------------------------------------------------------------- */

/* Encodes a picture to memory. *data is memory of malloc, because contexts of this module have no
 * other allocator. */
static bool encode(PyObject *module, const Options *options, void **data, size_t *bytes)
{
    WriteCall call;
    if (!begin(&call, module, options, NULL))
        return false;
    *data = NULL;
    img_py_release_gil(call.worker);
    imgtool_status status = imgtool_write_memory(call.worker->context, &call.source.picture,
                                                 &call.encoding, data, bytes, &call.error);
    status = img_py_acquire_gil(call.worker, status);
    end(&call, module);
    if (status == IMGTOOL_OK)
        return true;
    free(*data);
    img_py_raise_error(call.state, &call.error, NULL);
    return false;
}

static PyObject *to_object(PyObject *module, const Options *options, PyObject *target)
{
    void *data;
    size_t bytes;
    return encode(module, options, &data, &bytes)
               ? img_py_write_all(PyModule_GetState(module), target, data, bytes)
               : NULL;
}

static PyObject *to_bytes(PyObject *module, const Options *options)
{
    void *data;
    size_t bytes;
    if (!encode(module, options, &data, &bytes))
        return NULL;
    PyObject *result = PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
    free(data);
    return result;
}

/* --- To a file -------------------------------------------------------------------------------- */

static PyObject *to_path(PyObject *module, const Options *options, PyObject *path)
{
    PyObject *name = NULL, *result = NULL;
    WriteCall call;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    if (begin(&call, module, options, text)) {
        img_py_release_gil(call.worker);
        imgtool_status status;
        do
            status = imgtool_write_file(call.worker->context, &call.source.picture, &call.encoding,
                                        text, &call.error);
        while (img_py_should_retry(call.worker, status, &call.error));
        status = img_py_acquire_gil(call.worker, status);
        if (status == IMGTOOL_OK) {
            Py_INCREF(Py_None);
            result = Py_None;
        } else {
            img_py_raise_error(call.state, &call.error, path);
        }
        end(&call, module);
    }
    Py_DECREF(name);
    return result;
}

/* --- Functions -------------------------------------------------------------------------------- */

PyObject *img_py_write(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"target",     "array", "level",    "format",  "quality", "index",
                            "interlaced", "color", "metadata", "threads", NULL};
    Options options = default_options();
    PyObject *target;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$izippOOi:write", names, &target,
                                     &options.array, &options.level, &options.format,
                                     &options.quality, &options.index, &options.interlaced,
                                     &options.color, &options.metadata, &options.limits.threads))
        return NULL;
    if (PyObject_HasAttrString(target, "write"))
        return to_object(module, &options, target);
    return to_path(module, &options, target);
}

PyObject *img_py_encode(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"array",      "level", "format",   "quality", "index",
                            "interlaced", "color", "metadata", "threads", NULL};
    Options options = default_options();
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$izippOOi:encode", names, &options.array,
                                     &options.level, &options.format, &options.quality,
                                     &options.index, &options.interlaced, &options.color,
                                     &options.metadata, &options.limits.threads))
        return NULL;
    return to_bytes(module, &options);
}
