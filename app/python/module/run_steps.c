/* Implements imgtool.run, imgtool.parse and imgtool.convert. */
#include "app/python/module/module.h"

#include <stdlib.h>
#include <string.h>

typedef struct RunCall {
    State *state;
    Worker *worker;
    Source source;
    imgtool_metadata *metadata;
    /* The source with its transparency as a channel. It has no pixels if the source is used as it
     * is. */
    imgtool_picture expanded;
    imgtool_picture result;
    imgtool_error error;
} RunCall;

typedef struct Options {
    const char *steps;
    PyObject *array, *color;
    const char *backend;
    int device;
    PyObject *stream;
    Limits limits;
} Options;

/* --- Without the GIL -------------------------------------------------------------------------- */

/* Returns the picture on which the steps run: the expanded one if it exists, otherwise the
 * source. */
static const imgtool_picture *picture_of(const RunCall *call)
{
    return call->expanded.pixels != NULL ? &call->expanded : &call->source.picture;
}

/* Allocates the result, because an Array has no gaps between its rows, but a result that the
 * library allocates may have gaps. */
static imgtool_status allocate_planned(RunCall *call, const imgtool_pipeline *pipeline)
{
    imgtool_picture *result = &call->result;
    const imgtool_status status =
        imgtool_pipeline_plan(call->worker->context, pipeline, picture_of(call), call->metadata,
                              result, NULL, &call->error);
    return status == IMGTOOL_OK ? img_py_allocate_picture(result, &call->error) : status;
}

static void close_gaps(imgtool_picture *picture)
{
    const size_t row = img_py_row_bytes(picture), stride = picture->stride;
    uint8_t *pixels = picture->pixels;
    for (size_t y = 1; stride != row && y < (size_t)picture->height; y++)
        memmove(pixels + y * row, pixels + y * stride, row);
    picture->stride = row;
}

/* Runs the pipeline. If the size of the result depends on pixels, the library allocates the result,
 * because the planned size may be too small or much too large. */
static imgtool_status run_pipeline(RunCall *call, const imgtool_pipeline *pipeline)
{
    imgtool_status status = IMGTOOL_OK;
    const bool measures = imgtool_pipeline_measures(pipeline);
    if (imgtool_metadata_count(call->metadata) > 0)
        status = imgtool_expand(call->worker->context, pipeline, &call->source.picture,
                                &call->expanded, call->metadata, &call->error);
    if (status == IMGTOOL_OK && !measures)
        status = allocate_planned(call, pipeline);
    if (status == IMGTOOL_OK)
        status = imgtool_run(call->worker->context, pipeline, picture_of(call), &call->result,
                             call->metadata, &call->error);
    imgtool_picture_free(call->worker->context, &call->expanded);
    if (status == IMGTOOL_OK && measures)
        close_gaps(&call->result);
    return status;
}

/* If the array has no metadata, makes a place for a palette that the steps may make. */
static imgtool_status make_metadata(RunCall *call)
{
    return call->metadata != NULL
               ? IMGTOOL_OK
               : imgtool_metadata_create(call->worker->context, &call->metadata, &call->error);
}

static void drop_empty_metadata(RunCall *call)
{
    if (imgtool_metadata_count(call->metadata) > 0)
        return;
    imgtool_metadata_destroy(call->metadata);
    call->metadata = NULL;
}

static imgtool_status run_steps(RunCall *call, const char *steps)
{
    imgtool_pipeline *pipeline = NULL;
    imgtool_status status =
        imgtool_pipeline_parse(call->worker->context, steps, &pipeline, &call->error);
    if (status == IMGTOOL_OK)
        status = make_metadata(call);
    if (status == IMGTOOL_OK)
        status = run_pipeline(call, pipeline);
    if (status == IMGTOOL_OK)
        drop_empty_metadata(call);
    imgtool_pipeline_destroy(pipeline);
    return status;
}

/* --- With the GIL ----------------------------------------------------------------------------- */

static PyObject *run_on_host(PyObject *module, RunCall *call, const char *steps)
{
    if (!img_py_read_metadata(call->state, call->worker, NULL, call->source.metadata,
                              &call->metadata))
        return NULL;
    img_py_release_gil(call->worker);
    const imgtool_status status = img_py_acquire_gil(call->worker, run_steps(call, steps));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &call->result, ON_HOST, call->metadata);
    free(call->result.pixels);
    imgtool_metadata_destroy(call->metadata);
    return img_py_raise_error(call->state, &call->error, NULL);
}

/* Sets the backend and the device. Pixels that are on a GPU are processed on that GPU. */
static bool read_config(const State *state, const Options *options, const Source *source,
                        imgtool_config *config)
{
    *config = img_py_config(&options->limits);
    if (!img_py_read_backend(state, options->backend, &config->backend))
        return false;
    config->device = options->device;
    if (source->device == ON_HOST)
        return true;
    config->device = source->device;
    if (config->backend == IMGTOOL_BACKEND_CPU) {
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "backend: the pixels are on a GPU; use to_host for the CPU");
        return false;
    }
    config->backend = IMGTOOL_BACKEND_CUDA;
    return true;
}

static PyObject *run_options(PyObject *module, const Options *options, imgtool_color color,
                             void *stream)
{
    imgtool_config config;
    PyObject *result = NULL;
    RunCall call = {.state = PyModule_GetState(module),
                    .expanded = IMGTOOL_PICTURE_INIT,
                    .result = IMGTOOL_PICTURE_INIT,
                    .error = IMGTOOL_ERROR_INIT};
    if (!img_py_source_open(call.state, options->array, color, stream, &call.source))
        return NULL;
    if (call.source.device == ON_SOME_DEVICE)
        call.source.device = options->device;
    if (read_config(call.state, options, &call.source, &config))
        call.worker = img_py_worker_take(call.state, &config);
    if (call.worker != NULL) {
        result = call.source.device == ON_HOST
                     ? run_on_host(module, &call, options->steps)
                     : img_py_run_on_device(module, call.worker, options->steps, &call.source);
        img_py_worker_put(call.state, call.worker);
    }
    img_py_source_close(&call.source);
    return result;
}

PyObject *img_py_run(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"steps",  "array",   "color",      "backend",    "device",
                            "stream", "threads", "max_pixels", "max_memory", NULL};
    Options options = {.backend = "auto", .stream = Py_None};
    imgtool_color color;
    void *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "sO|$OsiOiO&O&:run", names, &options.steps,
                                     &options.array, &options.color, &options.backend,
                                     &options.device, &options.stream, &options.limits.threads,
                                     img_py_read_limit, &options.limits.max_pixels,
                                     img_py_read_limit, &options.limits.max_memory) ||
        !img_py_read_color(PyModule_GetState(module), options.color, &color))
        return NULL;
    if (options.stream != Py_None)
        stream = PyLong_AsVoidPtr(options.stream);
    return PyErr_Occurred() == NULL ? run_options(module, &options, color, stream) : NULL;
}

PyObject *img_py_parse(PyObject *module, PyObject *args)
{
    const Limits limits = {1, 0, 0};
    const imgtool_config config = img_py_config(&limits);
    State *state = PyModule_GetState(module);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pipeline *pipeline = NULL;
    const char *steps;
    char *text = NULL;
    if (!PyArg_ParseTuple(args, "s:parse", &steps))
        return NULL;
    Worker *worker = img_py_worker_take(state, &config);
    if (worker == NULL)
        return NULL;
    img_py_release_gil(worker);
    imgtool_status status = imgtool_pipeline_parse(worker->context, steps, &pipeline, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_text(worker->context, pipeline, &text, &error);
    status = img_py_acquire_gil(worker, status);
    PyObject *result =
        status == IMGTOOL_OK ? PyUnicode_FromString(text) : img_py_raise_error(state, &error, NULL);
    imgtool_free(worker->context, text);
    imgtool_pipeline_destroy(pipeline);
    img_py_worker_put(state, worker);
    return result;
}

/* --- Formats ---------------------------------------------------------------------------------- */

static imgtool_status convert(RunCall *call)
{
    const imgtool_picture *from = &call->source.picture;
    imgtool_picture *to = &call->result;
    imgtool_status status = img_py_allocate_picture(to, &call->error);
    if (status == IMGTOOL_OK)
        status = imgtool_convert(call->worker->context, from, to, &call->error);
    if (status == IMGTOOL_OK && call->metadata != NULL)
        status = imgtool_metadata_convert(call->metadata, from->format, to->format, &call->error);
    return status;
}

static PyObject *convert_source(PyObject *module, RunCall *call, imgtool_format format)
{
    const imgtool_picture *from = &call->source.picture;
    imgtool_picture *to = &call->result;
    to->width = from->width;
    to->height = from->height;
    to->format.color = format.color != IMGTOOL_AS_IT_IS ? format.color : from->format.color;
    to->format.bits = format.bits != 0                   ? format.bits
                      : to->format.color == IMGTOOL_BGRA ? 8
                                                         : from->format.bits;
    if (!img_py_read_metadata(call->state, call->worker, NULL, call->source.metadata,
                              &call->metadata))
        return NULL;
    img_py_release_gil(call->worker);
    const imgtool_status status = img_py_acquire_gil(call->worker, convert(call));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, to, ON_HOST, call->metadata);
    free(to->pixels);
    imgtool_metadata_destroy(call->metadata);
    return img_py_raise_error(call->state, &call->error, NULL);
}

PyObject *img_py_convert(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"array", "color", "dtype", "threads", NULL};
    PyObject *array, *color = NULL, *dtype = NULL, *result = NULL;
    Limits limits = {0, ANY_PIXELS, 0};
    imgtool_format format;
    RunCall call = {.state = PyModule_GetState(module),
                    .result = IMGTOOL_PICTURE_INIT,
                    .error = IMGTOOL_ERROR_INIT};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$OOi:convert", names, &array, &color,
                                     &dtype, &limits.threads) ||
        !img_py_read_color(call.state, color, &format.color) ||
        !img_py_read_dtype(call.state, dtype, &format.bits) ||
        !img_py_source_open_floats(call.state, array, &call.source))
        return NULL;
    const imgtool_config config = img_py_config(&limits);
    call.worker = img_py_worker_take(call.state, &config);
    if (call.worker != NULL) {
        result = convert_source(module, &call, format);
        img_py_worker_put(call.state, call.worker);
    }
    img_py_source_close(&call.source);
    return result;
}
