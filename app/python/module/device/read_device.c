/* Reads a file into memory of a GPU. */
#include "app/python/module/module.h"

static imgtool_source source_of(const Input *input)
{
    imgtool_source source = IMGTOOL_SOURCE_INIT;
    if (input->name != NULL) {
        source.path = PyBytes_AsString(input->name);
    } else {
        source.data = input->bytes.buf != NULL ? input->bytes.buf : "";
        source.bytes = (uint64_t)input->bytes.len;
    }
    return source;
}

static PyObject *read_opened(PyObject *module, Worker *worker, const Input *input, int device,
                             void *stream)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    const imgtool_source source = source_of(input);
    img_py_release_gil(worker);
    const imgtool_status status = img_py_acquire_gil(
        worker, imgtool_read_device(worker->context, &source, &picture, stream, &error));
    if (status == IMGTOOL_OK)
        return (PyObject *)img_py_array_make(module, &picture, device, NULL);
    imgtool_device_free(device, picture.pixels);
    return img_py_raise_error(PyModule_GetState(module), &error, input->path);
}

PyObject *img_py_read_on_device(PyObject *module, PyObject *source, const Limits *limits,
                                int device, void *stream)
{
    State *state = PyModule_GetState(module);
    imgtool_config config = img_py_config(limits);
    PyObject *result = NULL;
    Input input;
    config.backend = IMGTOOL_BACKEND_CUDA;
    config.device = device;
    if (img_py_input_open(source, &input)) {
        Worker *worker = img_py_worker_take(state, &config);
        if (worker != NULL) {
            result = read_opened(module, worker, &input, device, stream);
            img_py_worker_put(state, worker);
        }
    }
    img_py_input_close(&input);
    return result;
}
