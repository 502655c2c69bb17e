/* Runs pipelines on pixels on a GPU, and copies pixels to a GPU and back. */
#include "app/python/module/module.h"

#include <stdlib.h>

enum { ROW_ALIGNMENT = 16 };

typedef struct DeviceCall {
    imgtool_context *context;
    int device;
    void *stream;
    imgtool_picture from; /* the source, with aligned rows */
    /* copy of the source with aligned rows; owned; NULL: the rows of the source are aligned */
    void *copy;
    imgtool_picture to;
    void *workspace;
    imgtool_error error;
} DeviceCall;

/* --- Without the GIL -------------------------------------------------------------------------- */

/* Allocates device memory for a picture whose size and format are set. */
static imgtool_status allocate_on_device(DeviceCall *call, imgtool_picture *picture)
{
    const size_t row = img_py_row_bytes(picture);
    size_t bytes;
    picture->stride = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    picture->pixels = NULL;
    picture->owned = false;
    if (!img_py_total(picture->stride, picture->height, &bytes))
        bytes = PTRDIFF_MAX; /* The size overflows, so the allocation must fail with a message. */
    return imgtool_device_allocate(call->context, bytes, &picture->pixels, &call->error);
}

/* Returns true if all rows are aligned, and the last row is readable up to the next multiple of 16
 * bytes. The rows of Arrays of this module are padded (`is_own`). */
static bool is_aligned(const imgtool_picture *picture, bool is_own)
{
    return (uintptr_t)picture->pixels % ROW_ALIGNMENT == 0 &&
           picture->stride % ROW_ALIGNMENT == 0 &&
           (is_own || img_py_row_bytes(picture) % ROW_ALIGNMENT == 0);
}

static imgtool_status align(DeviceCall *call, const Source *source)
{
    call->from = source->picture;
    if (is_aligned(&call->from, source->is_own))
        return IMGTOOL_OK;
    imgtool_status status = allocate_on_device(call, &call->from);
    call->copy = call->from.pixels;
    if (status == IMGTOOL_OK)
        status = imgtool_device_copy(call->context, &source->picture, &call->from, call->stream,
                                     &call->error);
    return status;
}

static imgtool_status queue(DeviceCall *call, const imgtool_pipeline *pipeline)
{
    size_t bytes = 0;
    imgtool_status status = imgtool_pipeline_plan(call->context, pipeline, &call->from, NULL,
                                                  &call->to, NULL, &call->error);
    if (status == IMGTOOL_OK)
        status =
            imgtool_device_workspace(call->context, pipeline, &call->from, &bytes, &call->error);
    if (status == IMGTOOL_OK && bytes > 0)
        status = imgtool_device_allocate(call->context, bytes, &call->workspace, &call->error);
    if (status == IMGTOOL_OK)
        status = allocate_on_device(call, &call->to);
    if (status == IMGTOOL_OK)
        status = imgtool_run_device(call->context, pipeline, &call->from, &call->to,
                                    call->workspace, call->stream, &call->error);
    return status;
}

/* Waits for the stream, and frees the working memory. Waits also after a failure, because memory
 * must not be freed while queued work uses it. */
static imgtool_status finish(DeviceCall *call, imgtool_status status)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const imgtool_status waited = imgtool_device_wait(call->context, call->stream, &error);
    if (status == IMGTOOL_OK && waited != IMGTOOL_OK) {
        call->error = error;
        status = waited;
    }
    imgtool_device_free(call->device, call->workspace);
    imgtool_device_free(call->device, call->copy);
    return status;
}

static imgtool_status run(DeviceCall *call, const char *steps, const Source *source)
{
    imgtool_pipeline *pipeline = NULL;
    imgtool_status status = imgtool_pipeline_parse(call->context, steps, &pipeline, &call->error);
    if (status == IMGTOOL_OK && source->owner_stream != NULL)
        status = imgtool_device_wait(call->context, source->owner_stream, &call->error);
    if (status == IMGTOOL_OK) {
        status = align(call, source);
        if (status == IMGTOOL_OK)
            status = queue(call, pipeline);
        status = finish(call, status);
    }
    imgtool_pipeline_destroy(pipeline);
    return status;
}

PyObject *img_py_run_on_device(PyObject *module, Worker *worker, const char *steps,
                               const Source *source)
{
    DeviceCall call = {.context = worker->context,
                       .device = source->device,
                       .stream = source->stream,
                       .to = IMGTOOL_PICTURE_INIT,
                       .error = IMGTOOL_ERROR_INIT};
    img_py_release_gil(worker);
    const imgtool_status status = img_py_acquire_gil(worker, run(&call, steps, source));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &call.to, source->device, NULL);
    imgtool_device_free(call.device, call.to.pixels);
    return img_py_raise_error(PyModule_GetState(module), &call.error, NULL);
}

/* --- Copies between host and device ----------------------------------------------------------- */

/* Copies the pixels of `from` to new memory on `device`, which may be ON_HOST, and returns them as
 * an Array. */
static PyObject *copy_to(PyObject *module, Worker *worker, const imgtool_picture *from, int device)
{
    DeviceCall call = {.context = worker->context, .to = *from, .error = IMGTOOL_ERROR_INIT};
    img_py_release_gil(worker);
    imgtool_status status = device == ON_HOST ? img_py_allocate_picture(&call.to, &call.error)
                                              : allocate_on_device(&call, &call.to);
    if (status == IMGTOOL_OK)
        status = imgtool_device_copy(worker->context, from, &call.to, NULL, &call.error);
    status = img_py_acquire_gil(worker, status);
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &call.to, device, NULL);
    img_py_free_pixels(&call.to, device);
    return img_py_raise_error(PyModule_GetState(module), &call.error, NULL);
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
    Worker *worker = img_py_worker_take_device(state, device);
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
    Worker *worker = img_py_worker_take_device(state, array->device);
    if (worker == NULL)
        return NULL;
    PyObject *result = copy_to(array->module, worker, &array->picture, ON_HOST);
    img_py_worker_put(state, worker);
    return result;
}
