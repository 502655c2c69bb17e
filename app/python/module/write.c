/* imgtool.write and imgtool.encode. */
#include "app/python/module/module.h"

#include <string.h>
#include <strings.h>

typedef struct Writing {
    const State *state;
    Worker *worker;
    Source source;
    imgtool_metadata *metadata;
    imgtool_encoding encoding;
    imgtool_error error;
} Writing;

/* Of the two functions, in the order of their format. */
typedef struct Options {
    PyObject *array, *color, *metadata;
    const char *format;
    int level, quality, index, interlaced;
    Limits limits;
} Options;

/* --- What is asked for ------------------------------------------------------------------------ */

static const struct {
    const char *name, *extension;
    imgtool_file_format format;
} formats[] = {{"png", ".png", IMGTOOL_PNG},
               {"jpeg", ".jpeg", IMGTOOL_JPEG},
               {"jpeg", ".jpg", IMGTOOL_JPEG},
               {"bmp", ".bmp", IMGTOOL_BMP},
               {"tga", ".tga", IMGTOOL_TGA}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* `name` NULL: by the path's extension, if it has a known one; else PNG. */
static bool read_format(const State *state, const char *name, const char *path,
                        imgtool_file_format *format)
{
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;
    *format = IMGTOOL_PNG;
    for (int i = 0; i < FORMATS; i++)
        if (name != NULL ? strcmp(name, formats[i].name) == 0
                         : dot != NULL && strcasecmp(dot, formats[i].extension) == 0) {
            *format = formats[i].format;
            return true;
        }
    if (name != NULL)
        img_py_refuse(state, IMGTOOL_E_USAGE, "format: png, jpeg, bmp or tga, not \"%s\"", name);
    return name == NULL;
}

static Options default_options(void)
{
    const imgtool_encoding usual = IMGTOOL_ENCODING_INIT;
    return (Options){.level = usual.level, .quality = usual.quality, .index = usual.index};
}

static bool begin(Writing *writing, PyObject *module, const Options *options, const char *path)
{
    const imgtool_config config = img_py_config(&options->limits);
    State *state = PyModule_GetState(module);
    imgtool_color color;
    *writing =
        (Writing){.state = state, .encoding = IMGTOOL_ENCODING_INIT, .error = IMGTOOL_ERROR_INIT};
    imgtool_encoding *encoding = &writing->encoding;
    encoding->level = options->level;
    encoding->quality = options->quality;
    encoding->index = options->index != 0;
    encoding->interlaced = options->interlaced != 0;
    if (!read_format(state, options->format, path, &encoding->format) ||
        !img_py_read_color(state, options->color, &color) ||
        !img_py_source_open_host(state, options->array, color, &writing->source))
        return false;
    writing->worker = img_py_worker_take(state, &config);
    if (writing->worker != NULL &&
        img_py_read_metadata(state, writing->worker, options->metadata, writing->source.metadata,
                             &writing->metadata)) {
        encoding->metadata = writing->metadata;
        return true;
    }
    if (writing->worker != NULL)
        img_py_worker_put(state, writing->worker);
    img_py_source_close(&writing->source);
    return false;
}

static void end(Writing *writing, PyObject *module)
{
    imgtool_metadata_destroy(writing->metadata);
    img_py_worker_put(PyModule_GetState(module), writing->worker);
    img_py_source_close(&writing->source);
}

/* --- To memory, and from there to a file object ------------------------------------------------
 */

/* Hands the file in memory to `take`. */
static PyObject *encode(PyObject *module, const Options *options,
                        PyObject *(*take)(void *data, size_t bytes, void *user), void *user)
{
    Writing writing;
    PyObject *result = NULL;
    void *data = NULL;
    size_t bytes = 0;
    if (!begin(&writing, module, options, NULL))
        return NULL;
    img_py_release(writing.worker);
    imgtool_status status = imgtool_write_memory(writing.worker->context, &writing.source.picture,
                                                 &writing.encoding, &data, &bytes, &writing.error);
    status = img_py_acquire(writing.worker, status);
    if (status == IMGTOOL_OK)
        result = take(data, bytes, user);
    else
        img_py_fail(writing.state, &writing.error, NULL);
    imgtool_free(writing.worker->context, data);
    end(&writing, module);
    return result;
}

static PyObject *as_bytes(void *data, size_t bytes, void *unused)
{
    (void)unused;
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
}

/* Files without buffers take what they can. What was lent is taken back at the end: nobody may read
 * it later. */
static PyObject *to_object(void *data, size_t bytes, void *file)
{
    size_t done = 0;
    while (done < bytes) {
        PyObject *view =
            PyMemoryView_FromMemory((char *)data + done, (Py_ssize_t)(bytes - done), PyBUF_READ);
        PyObject *taken = view != NULL ? PyObject_CallMethod(file, "write", "O", view) : NULL;
        PyObject *released = taken != NULL ? PyObject_CallMethod(view, "release", NULL) : NULL;
        const Py_ssize_t count =
            released != NULL && PyLong_Check(taken) ? PyLong_AsSsize_t(taken) : 0;
        Py_XDECREF(view);
        Py_XDECREF(taken);
        if (released == NULL || PyErr_Occurred() != NULL)
            return NULL;
        Py_DECREF(released);
        done = count > 0 ? done + (size_t)count : bytes;
    }
    Py_RETURN_NONE;
}

/* --- To a file -------------------------------------------------------------------------------- */

static PyObject *to_path(PyObject *module, const Options *options, PyObject *path)
{
    PyObject *name = NULL, *result = NULL;
    Writing writing;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    if (begin(&writing, module, options, text)) {
        img_py_release(writing.worker);
        imgtool_status status = imgtool_write_file(writing.worker->context, &writing.source.picture,
                                                   &writing.encoding, text, &writing.error);
        status = img_py_acquire(writing.worker, status);
        if (status == IMGTOOL_OK) {
            Py_INCREF(Py_None);
            result = Py_None;
        } else {
            img_py_fail(writing.state, &writing.error, path);
        }
        end(&writing, module);
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
        return encode(module, &options, to_object, target);
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
    return encode(module, &options, as_bytes, NULL);
}
