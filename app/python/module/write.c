/* imgtool.write and imgtool.encode. */
#include "app/python/module/module.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

/* Is there a PNG by that name? It does not block on a pipe. */
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

/* A PNG whose name says otherwise may be the only original: the name must not replace it by a
 * format that keeps less. */
static bool check_format(const State *state, imgtool_file_format format, const char *path)
{
    if (format == IMGTOOL_PNG || !is_png(path))
        return true;
    img_py_refuse(state, IMGTOOL_E_USAGE,
                  "%s is a PNG whatever its name says: give format=\"png\", or the one that is to "
                  "replace it",
                  path);
    return false;
}

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
            return name != NULL || check_format(state, *format, path);
        }
    if (name != NULL)
        img_py_refuse(state, IMGTOOL_E_USAGE, "format: png, jpeg, bmp or tga, not \"%s\"", name);
    return name == NULL;
}

static Options default_options(void)
{
    const imgtool_encoding usual = IMGTOOL_ENCODING_INIT;
    return (Options){.level = usual.level,
                     .quality = usual.quality,
                     .index = usual.index,
                     .limits = {.max_pixels = ANY_PIXELS}};
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

/* --- To memory -------------------------------------------------------------------------------- */

/* *data is malloc's, as that of all contexts of this module. */
static bool encode(PyObject *module, const Options *options, void **data, size_t *bytes)
{
    Writing writing;
    if (!begin(&writing, module, options, NULL))
        return false;
    *data = NULL;
    img_py_release(writing.worker);
    imgtool_status status = imgtool_write_memory(writing.worker->context, &writing.source.picture,
                                                 &writing.encoding, data, bytes, &writing.error);
    status = img_py_acquire(writing.worker, status);
    end(&writing, module);
    if (status == IMGTOOL_OK)
        return true;
    free(*data);
    img_py_fail(writing.state, &writing.error, NULL);
    return false;
}

static PyObject *to_object(PyObject *module, const Options *options, PyObject *target)
{
    void *data;
    size_t bytes;
    return encode(module, options, &data, &bytes)
               ? img_py_hand_over(PyModule_GetState(module), target, data, bytes)
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
    Writing writing;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    if (begin(&writing, module, options, text)) {
        img_py_release(writing.worker);
        imgtool_status status;
        do
            status = imgtool_write_file(writing.worker->context, &writing.source.picture,
                                        &writing.encoding, text, &writing.error);
        while (img_py_is_to_repeat(writing.worker, status, &writing.error));
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
