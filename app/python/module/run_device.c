/* Pipelines on pixels that are on a GPU, and the way there and back. */
#include "app/python/module/module.h"

#include <stdlib.h>

enum { ROW_ALIGNMENT = 16 };

typedef struct OnDevice {
    imgtool_context *context;
    int device;
    void *stream;
    imgtool_picture from; /* as steps read it */
    void *copy;           /* of the source, where its rows are not as steps want them */
    imgtool_picture to;
    void *workspace;
    imgtool_error error;
} OnDevice;

/* --- Without the GIL -------------------------------------------------------------------------- */

/* `picture` has its size and format. */
static imgtool_status place(OnDevice *work, imgtool_picture *picture)
{
    const size_t row = img_py_row_bytes(picture);
    size_t bytes;
    picture->stride = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    picture->pixels = NULL;
    picture->owned = false;
    if (!img_py_total(picture->stride, picture->height, &bytes))
        bytes = PTRDIFF_MAX; /* the device says it */
    return imgtool_device_allocate(work->context, bytes, &picture->pixels, &work->error);
}

/* What is behind the last row is readable, too, in memory of this module. */
static bool is_aligned(const imgtool_picture *picture, bool is_own)
{
    return (uintptr_t)picture->pixels % ROW_ALIGNMENT == 0 &&
           picture->stride % ROW_ALIGNMENT == 0 &&
           (is_own || img_py_row_bytes(picture) % ROW_ALIGNMENT == 0);
}

static imgtool_status align(OnDevice *work, const Source *source)
{
    work->from = source->picture;
    if (is_aligned(&work->from, source->is_own))
        return IMGTOOL_OK;
    imgtool_status status = place(work, &work->from);
    work->copy = work->from.pixels;
    if (status == IMGTOOL_OK)
        status = imgtool_device_copy(work->context, &source->picture, &work->from, work->stream,
                                     &work->error);
    return status;
}

static imgtool_status queue(OnDevice *work, const imgtool_pipeline *pipeline)
{
    size_t bytes = 0;
    imgtool_status status = imgtool_pipeline_plan(work->context, pipeline, &work->from, NULL,
                                                  &work->to, NULL, &work->error);
    if (status == IMGTOOL_OK)
        status =
            imgtool_device_workspace(work->context, pipeline, &work->from, &bytes, &work->error);
    if (status == IMGTOOL_OK && bytes > 0)
        status = imgtool_device_allocate(work->context, bytes, &work->workspace, &work->error);
    if (status == IMGTOOL_OK)
        status = place(work, &work->to);
    if (status == IMGTOOL_OK)
        status = imgtool_run_device(work->context, pipeline, &work->from, &work->to,
                                    work->workspace, work->stream, &work->error);
    return status;
}

/* Also after a failure, so that memory is not freed before the work that reads it is done. */
static imgtool_status finish(OnDevice *work, imgtool_status status)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const imgtool_status waited = imgtool_device_wait(work->context, work->stream, &error);
    if (status == IMGTOOL_OK && waited != IMGTOOL_OK) {
        work->error = error;
        status = waited;
    }
    imgtool_device_free(work->device, work->workspace);
    imgtool_device_free(work->device, work->copy);
    return status;
}

static imgtool_status run(OnDevice *work, const char *steps, const Source *source)
{
    imgtool_pipeline *pipeline = NULL;
    imgtool_status status = imgtool_pipeline_parse(work->context, steps, &pipeline, &work->error);
    if (status == IMGTOOL_OK && source->owner_stream != NULL)
        status = imgtool_device_wait(work->context, source->owner_stream, &work->error);
    if (status == IMGTOOL_OK) {
        status = align(work, source);
        if (status == IMGTOOL_OK)
            status = queue(work, pipeline);
        status = finish(work, status);
    }
    imgtool_pipeline_destroy(pipeline);
    return status;
}

PyObject *img_py_run_on_device(PyObject *module, Worker *worker, const char *steps,
                               const Source *source)
{
    OnDevice work = {.context = worker->context,
                     .device = source->device,
                     .stream = source->stream,
                     .to = IMGTOOL_PICTURE_INIT,
                     .error = IMGTOOL_ERROR_INIT};
    img_py_release(worker);
    const imgtool_status status = img_py_acquire(worker, run(&work, steps, source));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &work.to, source->device, NULL);
    imgtool_device_free(work.device, work.to.pixels);
    return img_py_fail(PyModule_GetState(module), &work.error, NULL);
}

/* --- There and back --------------------------------------------------------------------------- */

static Worker *take_worker(State *state, int device)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.backend = IMGTOOL_BACKEND_CUDA;
    config.device = device;
    config.threads = 1;
    return img_py_worker_take(state, &config);
}

/* Into new memory; `device` may be ON_HOST. */
static PyObject *copy_to(PyObject *module, Worker *worker, const imgtool_picture *from, int device)
{
    OnDevice work = {.context = worker->context, .to = *from, .error = IMGTOOL_ERROR_INIT};
    img_py_release(worker);
    imgtool_status status =
        device == ON_HOST ? img_py_allocate_picture(&work.to, &work.error) : place(&work, &work.to);
    if (status == IMGTOOL_OK)
        status = imgtool_device_copy(worker->context, from, &work.to, NULL, &work.error);
    status = img_py_acquire(worker, status);
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &work.to, device, NULL);
    img_py_free_pixels(&work.to, device);
    return img_py_fail(PyModule_GetState(module), &work.error, NULL);
}

PyObject *img_py_to_device(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"array", "device", "color", NULL};
    State *state = PyModule_GetState(module);
    PyObject *array, *color_name = NULL, *result = NULL;
    int device = 0;
    imgtool_color color;
    Source source;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|i$O:to_device", names, &array, &device,
                                     &color_name) ||
        !img_py_read_color(state, color_name, &color) ||
        !img_py_source_open_host(state, array, color, &source))
        return NULL;
    Worker *worker = take_worker(state, device);
    if (worker != NULL) {
        result = copy_to(module, worker, &source.picture, device);
        img_py_worker_put(state, worker);
    }
    img_py_source_close(&source);
    return result;
}

PyObject *img_py_to_host(PyObject *self, PyObject *unused)
{
    Array *array = (Array *)self;
    State *state = PyModule_GetState(array->module);
    (void)unused;
    if (array->device == ON_HOST) {
        Py_INCREF(self);
        return self;
    }
    Worker *worker = take_worker(state, array->device);
    if (worker == NULL)
        return NULL;
    PyObject *result = copy_to(array->module, worker, &array->picture, ON_HOST);
    img_py_worker_put(state, worker);
    return result;
}
