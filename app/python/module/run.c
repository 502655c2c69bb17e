/* imgtool.run, imgtool.parse and imgtool.convert. */
#include "app/python/module/module.h"

#include <stdlib.h>
#include <string.h>

typedef struct Running {
    State *state;
    Worker *worker;
    Source source;
    imgtool_metadata *metadata;
    imgtool_picture expanded; /* of the source, where a step would drop its transparency */
    imgtool_picture result;
    imgtool_error error;
} Running;

typedef struct Options {
    const char *steps;
    PyObject *array, *color;
    const char *backend;
    int device;
    PyObject *stream;
    Limits limits;
} Options;

/* --- Without the GIL -------------------------------------------------------------------------- */

/* The picture that the steps run on. */
static const imgtool_picture *picture_of(const Running *running)
{
    return running->expanded.pixels != NULL ? &running->expanded : &running->source.picture;
}

/* Rows without gaps, which the library's may have. */
static imgtool_status allocate_planned(Running *running, const imgtool_pipeline *pipeline)
{
    imgtool_picture *result = &running->result;
    const imgtool_status status =
        imgtool_pipeline_plan(running->worker->context, pipeline, picture_of(running),
                              running->metadata, result, NULL, &running->error);
    return status == IMGTOOL_OK ? img_py_allocate_picture(result, &running->error) : status;
}

static void close_gaps(imgtool_picture *picture)
{
    const size_t row = img_py_row_bytes(picture), stride = picture->stride;
    uint8_t *pixels = picture->pixels;
    for (size_t y = 1; stride != row && y < (size_t)picture->height; y++)
        memmove(pixels + y * row, pixels + y * stride, row);
    picture->stride = row;
}

/* Where pixels decide on the size, the library allocates: the plan's may be too small, or much too
 * large. */
static imgtool_status run_pipeline(Running *running, const imgtool_pipeline *pipeline)
{
    imgtool_status status = IMGTOOL_OK;
    const bool measures = imgtool_pipeline_measures(pipeline);
    if (running->metadata != NULL)
        status = imgtool_expand(running->worker->context, pipeline, &running->source.picture,
                                &running->expanded, running->metadata, &running->error);
    if (status == IMGTOOL_OK && !measures)
        status = allocate_planned(running, pipeline);
    if (status == IMGTOOL_OK)
        status = imgtool_run(running->worker->context, pipeline, picture_of(running),
                             &running->result, running->metadata, &running->error);
    imgtool_picture_free(running->worker->context, &running->expanded);
    if (status == IMGTOOL_OK && measures)
        close_gaps(&running->result);
    return status;
}

static imgtool_status run_steps(Running *running, const char *steps)
{
    imgtool_pipeline *pipeline = NULL;
    imgtool_status status =
        imgtool_pipeline_parse(running->worker->context, steps, &pipeline, &running->error);
    if (status == IMGTOOL_OK)
        status = run_pipeline(running, pipeline);
    imgtool_pipeline_destroy(pipeline);
    return status;
}

/* --- With it ---------------------------------------------------------------------------------- */

static PyObject *run_on_host(PyObject *module, Running *running, const char *steps)
{
    if (!img_py_read_metadata(running->state, running->worker, NULL, running->source.metadata,
                              &running->metadata))
        return NULL;
    img_py_release(running->worker);
    const imgtool_status status = img_py_acquire(running->worker, run_steps(running, steps));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &running->result, ON_HOST, running->metadata);
    free(running->result.pixels);
    imgtool_metadata_destroy(running->metadata);
    return img_py_fail(running->state, &running->error, NULL);
}

/* Pixels that are on a GPU stay there. */
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
        img_py_refuse(state, IMGTOOL_E_USAGE,
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
    Running running = {.state = PyModule_GetState(module),
                       .expanded = IMGTOOL_PICTURE_INIT,
                       .result = IMGTOOL_PICTURE_INIT,
                       .error = IMGTOOL_ERROR_INIT};
    if (!img_py_source_open(running.state, options->array, color, stream, &running.source))
        return NULL;
    if (running.source.device == ON_SOME_DEVICE)
        running.source.device = options->device;
    if (read_config(running.state, options, &running.source, &config))
        running.worker = img_py_worker_take(running.state, &config);
    if (running.worker != NULL) {
        result =
            running.source.device == ON_HOST
                ? run_on_host(module, &running, options->steps)
                : img_py_run_on_device(module, running.worker, options->steps, &running.source);
        img_py_worker_put(running.state, running.worker);
    }
    img_py_source_close(&running.source);
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
    img_py_release(worker);
    imgtool_status status = imgtool_pipeline_parse(worker->context, steps, &pipeline, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_pipeline_text(worker->context, pipeline, &text, &error);
    status = img_py_acquire(worker, status);
    PyObject *result =
        status == IMGTOOL_OK ? PyUnicode_FromString(text) : img_py_fail(state, &error, NULL);
    imgtool_free(worker->context, text);
    imgtool_pipeline_destroy(pipeline);
    img_py_worker_put(state, worker);
    return result;
}

/* --- Formats ---------------------------------------------------------------------------------- */

static imgtool_status convert(Running *running)
{
    const imgtool_picture *from = &running->source.picture;
    imgtool_picture *to = &running->result;
    imgtool_status status = img_py_allocate_picture(to, &running->error);
    if (status == IMGTOOL_OK)
        status = imgtool_convert(running->worker->context, from, to, &running->error);
    if (status == IMGTOOL_OK && running->metadata != NULL)
        status =
            imgtool_metadata_convert(running->metadata, from->format, to->format, &running->error);
    return status;
}

static PyObject *convert_source(PyObject *module, Running *running, imgtool_format format)
{
    const imgtool_picture *from = &running->source.picture;
    imgtool_picture *to = &running->result;
    to->width = from->width;
    to->height = from->height;
    to->format.color = format.color != IMGTOOL_AS_IT_IS ? format.color : from->format.color;
    to->format.bits = format.bits != 0                   ? format.bits
                      : to->format.color == IMGTOOL_BGRA ? 8
                                                         : from->format.bits;
    if (!img_py_read_metadata(running->state, running->worker, NULL, running->source.metadata,
                              &running->metadata))
        return NULL;
    img_py_release(running->worker);
    const imgtool_status status = img_py_acquire(running->worker, convert(running));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, to, ON_HOST, running->metadata);
    free(to->pixels);
    imgtool_metadata_destroy(running->metadata);
    return img_py_fail(running->state, &running->error, NULL);
}

PyObject *img_py_convert(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"array", "color", "dtype", "threads", NULL};
    PyObject *array, *color = NULL, *dtype = NULL, *result = NULL;
    Limits limits = {0, ANY_PIXELS, 0};
    imgtool_format format;
    Running running = {.state = PyModule_GetState(module),
                       .result = IMGTOOL_PICTURE_INIT,
                       .error = IMGTOOL_ERROR_INIT};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$OOi:convert", names, &array, &color,
                                     &dtype, &limits.threads) ||
        !img_py_read_color(running.state, color, &format.color) ||
        !img_py_read_dtype(running.state, dtype, &format.bits) ||
        !img_py_source_open_floats(running.state, array, &running.source))
        return NULL;
    const imgtool_config config = img_py_config(&limits);
    running.worker = img_py_worker_take(running.state, &config);
    if (running.worker != NULL) {
        result = convert_source(module, &running, format);
        img_py_worker_put(running.state, running.worker);
    }
    img_py_source_close(&running.source);
    return result;
}
