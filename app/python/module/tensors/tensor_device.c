/* Tensors on a GPU: memory, streams, and copies to host memory. */
#include "app/python/module/tensors/tensor.h"

bool img_py_tensor_allocate_on_device(State *state, Tensor *tensor, size_t bytes)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_status status = IMGTOOL_OK;
    Worker *worker = img_py_worker_take_device(state, tensor->device);
    if (worker == NULL)
        return false;
    img_py_release_gil(worker);
    if (tensor->tensor.data == NULL)
        status = imgtool_device_allocate(worker->context, bytes, &tensor->tensor.data, &error);
    if (status == IMGTOOL_OK && tensor->pool != NULL)
        status = imgtool_stream_create(worker->context, &tensor->stream, &error);
    status = img_py_acquire_gil(worker, status);
    img_py_worker_put(state, worker);
    tensor->owns_stream = tensor->stream != NULL;
    if (status != IMGTOOL_OK)
        img_py_raise_error(state, &error, NULL);
    return status == IMGTOOL_OK;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static bool wait_for(const Tensor *tensor, void *stream, void *other)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (stream == other || imgtool_stream_wait(tensor->device, stream, other, &error) == IMGTOOL_OK)
        return true;
    img_py_raise_error(PyModule_GetState(tensor->module), &error, NULL);
    return false;
}

PyObject *img_py_tensor_follow(PyObject *self, PyObject *stream)
{
    const Tensor *tensor = (Tensor *)self;
    unsigned long long number;
    if (img_py_read_limit(stream, &number) == 0 ||
        (tensor->owns_stream && !wait_for(tensor, tensor->stream, (void *)(uintptr_t)number)))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *img_py_tensor_deliver(PyObject *self, PyObject *stream)
{
    Tensor *tensor = (Tensor *)self;
    unsigned long long number;
    if (img_py_read_limit(stream, &number) == 0)
        return NULL;
    tensor->consumer = (void *)(uintptr_t)number;
    if (tensor->owns_stream && !wait_for(tensor, tensor->consumer, tensor->stream))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *img_py_tensor_mark(PyObject *self, PyObject *stream)
{
    Tensor *tensor = (Tensor *)self;
    unsigned long long number;
    if (img_py_read_limit(stream, &number) == 0)
        return NULL;
    if (!tensor->owns_stream)
        tensor->stream = (void *)(uintptr_t)number;
    Py_RETURN_NONE;
}

bool img_py_tensor_make_ready(Tensor *tensor, PyObject *stream)
{
    long long number = 0; /* None: the default stream */
    if (stream != Py_None)
        number = PyLong_AsLongLong(stream);
    if (PyErr_Occurred() != NULL)
        return false;
    /* -1: the consumer wants no synchronisation */
    return tensor->stream == NULL || number == -1 ||
           wait_for(tensor, (void *)(uintptr_t)number, tensor->stream);
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* Returns the memory of a tensor as a picture of bytes, with one row for each picture. */
static imgtool_picture picture_of(const Tensor *tensor)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    const size_t bytes = imgtool_tensor_bytes(&tensor->tensor);
    picture.format = (imgtool_format){IMGTOOL_GRAY, 8};
    picture.height = tensor->tensor.count;
    picture.stride = bytes / (size_t)tensor->tensor.count;
    picture.width = picture.stride <= INT32_MAX ? (int32_t)picture.stride : 0;
    picture.pixels = tensor->tensor.data;
    return picture;
}

static bool copy_to_host(State *state, const Tensor *from, const Tensor *to)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (from->tensor.count == 0)
        return true;
    const imgtool_picture source = picture_of(from), target = picture_of(to);
    Worker *worker = img_py_worker_take_device(state, from->device);
    if (worker == NULL)
        return false;
    img_py_release_gil(worker);
    const imgtool_status status = img_py_acquire_gil(
        worker, imgtool_device_copy(worker->context, &source, &target, from->stream, &error));
    img_py_worker_put(state, worker);
    if (status != IMGTOOL_OK)
        img_py_raise_error(state, &error, NULL);
    return status == IMGTOOL_OK;
}

PyObject *img_py_tensor_to_host(PyObject *self, PyObject *unused)
{
    Tensor *tensor = (Tensor *)self;
    State *state = PyModule_GetState(tensor->module);
    (void)unused;
    if (tensor->device == ON_HOST) {
        Py_INCREF(self);
        return self;
    }
    Tensor *copy = img_py_tensor_new(tensor->module, &tensor->tensor, ON_HOST);
    if (copy == NULL)
        return NULL;
    Py_XINCREF(tensor->errors);
    copy->errors = tensor->errors;
    if (!img_py_tensor_allocate(state, copy) || !copy_to_host(state, tensor, copy))
        Py_CLEAR(copy);
    return (PyObject *)copy;
}
