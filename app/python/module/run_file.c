/* Implements imgtool.run_file and imgtool.optimize. */
#include "app/python/module/module.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Texts that the library passes during the call, each terminated by a zero byte. */
typedef struct Notes {
    char *texts;
    size_t bytes;
} Notes;

typedef struct FileCall {
    const State *state;
    Worker *worker;
    PyObject *from, *to, *temporary; /* paths as bytes in the encoding of the file system */
    imgtool_encoding encoding;
    imgtool_file_run run;
    Notes notes;
    imgtool_error error;
} FileCall;

/* Arguments of imgtool.run_file, in the order of their format string. */
typedef struct Options {
    const char *steps;
    PyObject *source, *target;
    const char *format;
    int level, quality, index, accepts_losses;
    PyObject *temporary;
    const char *backend;
    int device;
    Limits limits;
} Options;

/* --- Without the GIL -------------------------------------------------------------------------- */

/* Drops a note for which there is no memory. */
static void add_note(void *user, const char *text)
{
    Notes *notes = user;
    const size_t bytes = strlen(text) + 1;
    char *texts = realloc(notes->texts, notes->bytes + bytes);
    if (texts == NULL)
        return;
    memcpy(texts + notes->bytes, text, bytes);
    notes->texts = texts;
    notes->bytes += bytes;
}

static imgtool_status run_steps(FileCall *call, const char *steps)
{
    const char *from = PyBytes_AsString(call->from), *to = PyBytes_AsString(call->to);
    imgtool_context *context = call->worker->context;
    imgtool_pipeline *pipeline = NULL;
    imgtool_status status = IMGTOOL_OK;
    if (*steps != '\0')
        status = imgtool_pipeline_parse(context, steps, &pipeline, &call->error);
    if (status != IMGTOOL_OK)
        return status;
    do {
        call->notes.bytes = 0;
        status = imgtool_run_file(context, pipeline, from, to, &call->run, &call->error);
    } while (img_py_should_retry(call->worker, status, &call->error));
    imgtool_pipeline_destroy(pipeline);
    return status;
}

/* --- With the GIL ----------------------------------------------------------------------------- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool read_paths(FileCall *call, const Options *options)
{
    return PyUnicode_FSConverter(options->source, &call->from) &&
           PyUnicode_FSConverter(options->target, &call->to) &&
           (options->temporary == Py_None ||
            PyUnicode_FSConverter(options->temporary, &call->temporary));
}

/* Sets how the result is encoded. A file that replaces its source stays a PNG unless the caller
 * names another format. */
static bool read_encoding(FileCall *call, const Options *options)
{
    const char *from = PyBytes_AsString(call->from), *to = PyBytes_AsString(call->to);
    imgtool_encoding *encoding = &call->encoding;
    encoding->level = options->level;
    encoding->quality = options->quality;
    encoding->index = options->index != 0;
    return img_py_read_format(call->state, options->format, is_same_file(from, to) ? NULL : to,
                              &encoding->format);
}

static bool begin(FileCall *call, State *state, const Options *options)
{
    imgtool_config config = img_py_config(&options->limits);
    config.device = options->device;
    if (!read_paths(call, options) || !read_encoding(call, options) ||
        !img_py_read_backend(state, options->backend, &config.backend))
        return false;
    call->run.encoding = &call->encoding;
    call->run.temporary = call->temporary != NULL ? PyBytes_AsString(call->temporary) : NULL;
    call->run.accepts_losses = options->accepts_losses != 0;
    call->run.note = add_note;
    call->run.user = &call->notes;
    call->worker = img_py_worker_take(state, &config);
    return call->worker != NULL;
}

static void end(FileCall *call, State *state)
{
    if (call->worker != NULL)
        img_py_worker_put(state, call->worker);
    free(call->notes.texts);
    Py_XDECREF(call->from);
    Py_XDECREF(call->to);
    Py_XDECREF(call->temporary);
}

static PyObject *list_notes(const Notes *notes)
{
    PyObject *list = PyList_New(0);
    for (size_t at = 0; list != NULL && at < notes->bytes; at += strlen(notes->texts + at) + 1) {
        PyObject *item = PyUnicode_DecodeFSDefault(notes->texts + at);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static bool is_about(const imgtool_error *error, PyObject *name)
{
    const char *path = name != NULL ? PyBytes_AsString(name) : "";
    const size_t length = strlen(path);
    return length > 0 && strncmp(error->message, path, length) == 0 &&
           error->message[length] == ':';
}

/* Returns the argument that contains the path named in the error. Returns NULL if the error
 * concerns no path, for example an invalid step. */
static PyObject *path_of(const FileCall *call, const Options *options)
{
    if (is_about(&call->error, call->from))
        return options->source;
    if (is_about(&call->error, call->to))
        return options->target;
    return is_about(&call->error, call->temporary) ? options->temporary : NULL;
}

PyObject *img_py_run_file(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"steps",   "source",  "target",         "format",     "level",
                            "quality", "index",   "accepts_losses", "temporary",  "backend",
                            "device",  "threads", "max_pixels",     "max_memory", NULL};
    State *state = PyModule_GetState(module);
    FileCall call = {.state = state,
                     .encoding = IMGTOOL_ENCODING_INIT,
                     .run = IMGTOOL_FILE_RUN_INIT,
                     .error = IMGTOOL_ERROR_INIT};
    Options options = {.level = call.encoding.level,
                       .quality = call.encoding.quality,
                       .index = call.encoding.index,
                       .temporary = Py_None,
                       .backend = "auto"};
    PyObject *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "sOO|$ziippOsiiO&O&:run_file", names, &options.steps, &options.source,
            &options.target, &options.format, &options.level, &options.quality, &options.index,
            &options.accepts_losses, &options.temporary, &options.backend, &options.device,
            &options.limits.threads, img_py_read_limit, &options.limits.max_pixels,
            img_py_read_limit, &options.limits.max_memory))
        return NULL;
    if (begin(&call, state, &options)) {
        img_py_release_gil(call.worker);
        const imgtool_status status =
            img_py_acquire_gil(call.worker, run_steps(&call, options.steps));
        result = status == IMGTOOL_OK
                     ? list_notes(&call.notes)
                     : img_py_raise_error(state, &call.error, path_of(&call, &options));
    }
    end(&call, state);
    return result;
}

/* --- optimize ------------------------------------------------------------------------------- */

typedef struct OptimizeCall {
    Worker *worker;
    PyObject *from, *to; /* paths as bytes in the encoding of the file system */
    imgtool_optimization settings;
    uint64_t saved;
    imgtool_error error;
} OptimizeCall;

/* Arguments of imgtool.optimize, in the order of their format string. */
typedef struct OptimizeOptions {
    PyObject *source, *target;
    int effort, clear_alpha, keep_type, keep_alpha, keep_color, accepts_losses;
    Limits limits;
} OptimizeOptions;

static imgtool_status optimize(OptimizeCall *call)
{
    imgtool_status status = IMGTOOL_OK;
    do
        status = imgtool_optimize(call->worker->context, PyBytes_AsString(call->from),
                                  PyBytes_AsString(call->to), &call->settings, &call->saved,
                                  &call->error);
    while (img_py_should_retry(call->worker, status, &call->error));
    return status;
}

static bool begin_optimizing(OptimizeCall *call, State *state, const OptimizeOptions *options)
{
    imgtool_config config = img_py_config(&options->limits);
    config.backend = IMGTOOL_BACKEND_CPU;
    if (!PyUnicode_FSConverter(options->source, &call->from) ||
        !PyUnicode_FSConverter(options->target, &call->to))
        return false;
    call->settings.effort = options->effort;
    call->settings.clear_alpha = options->clear_alpha != 0;
    call->settings.keep_type = options->keep_type != 0;
    call->settings.keep_alpha = options->keep_alpha != 0;
    call->settings.keep_color = options->keep_color != 0;
    call->settings.accepts_losses = options->accepts_losses != 0;
    call->worker = img_py_worker_take(state, &config);
    return call->worker != NULL;
}

static void end_optimizing(OptimizeCall *call, State *state)
{
    if (call->worker != NULL)
        img_py_worker_put(state, call->worker);
    Py_XDECREF(call->from);
    Py_XDECREF(call->to);
}

static PyObject *path_of_optimizing(const OptimizeCall *call, const OptimizeOptions *options)
{
    if (is_about(&call->error, call->from))
        return options->source;
    return is_about(&call->error, call->to) ? options->target : NULL;
}

PyObject *img_py_optimize(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source",    "target",     "effort",     "clear_alpha",
                            "keep_type", "keep_alpha", "keep_color", "accepts_losses",
                            "threads",   "max_pixels", "max_memory", NULL};
    State *state = PyModule_GetState(module);
    OptimizeCall call = {.settings = IMGTOOL_OPTIMIZATION_INIT, .error = IMGTOOL_ERROR_INIT};
    OptimizeOptions options = {.effort = call.settings.effort};
    PyObject *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "OO|$ipppppiO&O&:optimize", names, &options.source, &options.target,
            &options.effort, &options.clear_alpha, &options.keep_type, &options.keep_alpha,
            &options.keep_color, &options.accepts_losses, &options.limits.threads,
            img_py_read_limit, &options.limits.max_pixels, img_py_read_limit,
            &options.limits.max_memory))
        return NULL;
    if (begin_optimizing(&call, state, &options)) {
        img_py_release_gil(call.worker);
        const imgtool_status status = img_py_acquire_gil(call.worker, optimize(&call));
        result = status == IMGTOOL_OK
                     ? PyLong_FromUnsignedLongLong(call.saved)
                     : img_py_raise_error(state, &call.error, path_of_optimizing(&call, &options));
    }
    end_optimizing(&call, state);
    return result;
}
