/* Implements the type Reader, which reads batches into tensors with a context of its own. */
#include <stdlib.h>

#include "app/python/module/tensors/tensor.h"

typedef struct Reader {
    PyObject_HEAD Worker *worker;
    int device;     /* index of the GPU; ON_HOST: batches are read by the CPU */
    bool is_in_use; /* a method runs, possibly without the GIL */
    /* results of the last batch; owned, and used again for later batches */
    imgtool_error *results;
    size_t room; /* number of `results` */
    PyObject *module;
} Reader;

/* --- Creation and destruction ----------------------------------------------------------------- */

PyObject *img_py_make_reader(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    Limits limits = {0, 0, 0};
    int device;
    if (!PyArg_ParseTuple(args, "iiO&O&:_reader", &device, &limits.threads, img_py_read_limit,
                          &limits.max_pixels, img_py_read_limit, &limits.max_memory))
        return NULL;
    imgtool_config config = img_py_config(&limits);
    if (device != ON_HOST) {
        config.backend = IMGTOOL_BACKEND_CUDA;
        config.device = device;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->reader_type, Py_tp_alloc);
    Reader *reader = (Reader *)allocate(state->reader_type, 0);
    if (reader == NULL)
        return NULL;
    Py_INCREF(module);
    reader->module = module;
    reader->device = device;
    reader->worker = img_py_worker_take(state, &config);
    if (reader->worker == NULL)
        Py_CLEAR(reader);
    return (PyObject *)reader;
}

static void deallocate(PyObject *self)
{
    Reader *reader = (Reader *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (reader->worker != NULL) {
        reader->worker->is_cancelled = false;
        img_py_worker_put(PyModule_GetState(reader->module), reader->worker);
    }
    free(reader->results);
    Py_XDECREF(reader->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static bool take(Reader *reader)
{
    if (!reader->is_in_use)
        return reader->is_in_use = true;
    PyErr_SetString(PyExc_RuntimeError, "another thread uses the reader");
    return false;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Returns room for the results of a batch, or NULL with an exception. */
static imgtool_error *reserve_results(Reader *reader, size_t count)
{
    if (reader->results == NULL || reader->room < count) {
        free(reader->results);
        reader->room = count + 1;
        reader->results = malloc(reader->room * sizeof *reader->results);
    }
    if (reader->results == NULL)
        return (imgtool_error *)PyErr_NoMemory();
    reader->results[0] = (imgtool_error)IMGTOOL_ERROR_INIT;
    return reader->results;
}

static bool have_failed(const imgtool_error *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].status != IMGTOOL_OK)
            return true;
    return false;
}

/* Returns a list with None or an exception for each source, or None if all succeeded. */
static PyObject *list_errors(const State *state, const imgtool_error *results, size_t count,
                             PyObject *paths)
{
    if (!have_failed(results, count))
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *path = PyList_GetItem(paths, (Py_ssize_t)i), *error = Py_None;
        Py_INCREF(Py_None);
        if (results[i].status != IMGTOOL_OK) {
            Py_DECREF(Py_None);
            error = img_py_make_error(state, &results[i], path != Py_None ? path : NULL);
        }
        if (error == NULL || PyList_SetItem(list, (Py_ssize_t)i, error) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *list_paths(const Batch *batch)
{
    PyObject *list = PyList_New((Py_ssize_t)batch->count);
    for (size_t i = 0; list != NULL && i < batch->count; i++) {
        PyObject *path = batch->paths[i] != NULL ? batch->paths[i] : Py_None;
        Py_INCREF(path);
        (void)PyList_SetItem(list, (Py_ssize_t)i, path);
    }
    return list;
}

/* --- Reading on the CPU ----------------------------------------------------------------------- */

/* Opens the sources and the steps. After success or failure, call img_py_batch_close. */
static bool open_batch(Reader *reader, PyObject *sources, PyObject *steps, int indices,
                       Batch *batch)
{
    const State *state = PyModule_GetState(reader->module);
    return img_py_batch_open(state, sources, indices != 0, batch) &&
           img_py_batch_parse(state, reader->worker, steps, batch);
}

static bool is_tensor(const State *state, PyObject *object)
{
    if (Py_TYPE(object) == state->tensor_type)
        return true;
    PyErr_SetString(PyExc_TypeError, "an imgtool.Tensor is required");
    return false;
}

static PyObject *read_opened(Reader *reader, const Batch *batch, const Tensor *tensor)
{
    const State *state = PyModule_GetState(reader->module);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    PyObject *answer = NULL, *paths = list_paths(batch);
    imgtool_error *results = paths != NULL ? reserve_results(reader, batch->count) : NULL;
    if (results == NULL) {
        Py_XDECREF(paths);
        return NULL;
    }
    img_py_release_gil(reader->worker);
    const imgtool_status status = img_py_acquire_gil(
        reader->worker, imgtool_read_batch(reader->worker->context, &batch->batch, &tensor->tensor,
                                           results, &error));
    if (status == IMGTOOL_OK)
        answer = list_errors(state, results, batch->count, paths);
    else
        img_py_raise_error(state, &error, NULL);
    Py_DECREF(paths);
    return answer;
}

/* read(sources, steps, indices, tensor): reads a batch into a tensor in host memory. Returns a list
 * with None or an exception for each source, or None if all succeeded. */
static PyObject *read_batch(PyObject *self, PyObject *args)
{
    Reader *reader = (Reader *)self;
    const State *state = PyModule_GetState(reader->module);
    PyObject *sources, *steps, *tensor, *answer = NULL;
    int indices;
    Batch batch;
    if (!PyArg_ParseTuple(args, "OOpO:read", &sources, &steps, &indices, &tensor) ||
        !is_tensor(state, tensor) || !take(reader))
        return NULL;
    if (open_batch(reader, sources, steps, indices, &batch))
        answer = read_opened(reader, &batch, (Tensor *)tensor);
    img_py_batch_close(&batch);
    reader->is_in_use = false;
    return answer;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* plan(sources, steps, indices, height, width, channels): returns (height, width, channels), where
 * each 0 is replaced by the value for the first source that can be read. */
static PyObject *plan(PyObject *self, PyObject *args)
{
    Reader *reader = (Reader *)self;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    imgtool_status status = IMGTOOL_E_USAGE;
    PyObject *sources, *steps;
    int indices;
    Batch batch;
    if (!PyArg_ParseTuple(args, "OOpiii:plan", &sources, &steps, &indices, &tensor.height,
                          &tensor.width, &tensor.channels) ||
        !take(reader))
        return NULL;
    if (open_batch(reader, sources, steps, indices, &batch)) {
        img_py_release_gil(reader->worker);
        status =
            img_py_acquire_gil(reader->worker, imgtool_batch_plan(reader->worker->context,
                                                                  &batch.batch, &tensor, &error));
        if (status != IMGTOOL_OK)
            img_py_raise_error(PyModule_GetState(reader->module), &error, NULL);
    }
    img_py_batch_close(&batch);
    reader->is_in_use = false;
    return status == IMGTOOL_OK ? Py_BuildValue("iii", tensor.height, tensor.width, tensor.channels)
                                : NULL;
}

/* Computes the size of each picture, or 0 x 0 where that is not possible. */
static void plan_each(Worker *worker, const Batch *batch, imgtool_tensor *sizes)
{
    for (size_t i = 0; i < batch->count; i++) {
        imgtool_batch one = batch->batch;
        one.sources = &batch->sources[i];
        one.count = 1;
        if (one.pipelines != NULL)
            one.pipelines = &batch->each[i];
        sizes[i] = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
        sizes[i].channels = 1; /* not wanted */
        if (imgtool_batch_plan(worker->context, &one, &sizes[i], NULL) != IMGTOOL_OK)
            sizes[i].height = sizes[i].width = 0;
    }
}

static PyObject *list_sizes(Reader *reader, const Batch *batch)
{
    imgtool_tensor *sizes = malloc((batch->count + 1) * sizeof *sizes);
    PyObject *list = PyList_New((Py_ssize_t)batch->count);
    if (sizes == NULL || list == NULL) {
        free(sizes);
        Py_XDECREF(list);
        return PyErr_NoMemory();
    }
    img_py_release_gil(reader->worker);
    plan_each(reader->worker, batch, sizes);
    (void)img_py_acquire_gil(reader->worker, IMGTOOL_OK);
    for (size_t i = 0; list != NULL && i < batch->count; i++) {
        PyObject *size = Py_BuildValue("ii", sizes[i].height, sizes[i].width);
        if (size == NULL || PyList_SetItem(list, (Py_ssize_t)i, size) != 0)
            Py_CLEAR(list);
    }
    free(sizes);
    return list;
}

/* sizes(sources, steps, indices): returns (height, width) of each picture after the steps, (0, 0)
 * for a picture whose size is not known. */
static PyObject *find_sizes(PyObject *self, PyObject *args)
{
    Reader *reader = (Reader *)self;
    PyObject *sources, *steps, *list = NULL;
    int indices;
    Batch batch;
    if (!PyArg_ParseTuple(args, "OOp:sizes", &sources, &steps, &indices) || !take(reader))
        return NULL;
    if (open_batch(reader, sources, steps, indices, &batch))
        list = list_sizes(reader, &batch);
    img_py_batch_close(&batch);
    reader->is_in_use = false;
    return list;
}

/* --- Reading on a GPU ------------------------------------------------------------------------- */

#define PENDING "imgtool.pending"

/* A batch whose work is queued on a GPU. */
typedef struct Pending {
    imgtool_pending *pending;          /* NULL: finished */
    Batch batch;                       /* owned; used until the batch is finished */
    PyObject *reader, *tensor, *paths; /* owned */
} Pending;

static void free_pending(PyObject *capsule)
{
    Pending *pending = PyCapsule_GetPointer(capsule, PENDING);
    if (pending == NULL)
        return;
    if (pending->pending != NULL)
        (void)imgtool_pending_finish(pending->pending, NULL, NULL);
    img_py_batch_close(&pending->batch);
    Py_XDECREF(pending->reader);
    Py_XDECREF(pending->tensor);
    Py_XDECREF(pending->paths);
    free(pending);
}

static bool start_opened(Reader *reader, Pending *pending, void *stream)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const Tensor *tensor = (Tensor *)pending->tensor;
    img_py_release_gil(reader->worker);
    const imgtool_status status = img_py_acquire_gil(
        reader->worker,
        imgtool_read_batch_device(reader->worker->context, &pending->batch.batch, &tensor->tensor,
                                  stream, &pending->pending, &error));
    if (status != IMGTOOL_OK)
        img_py_raise_error(PyModule_GetState(reader->module), &error, NULL);
    return status == IMGTOOL_OK;
}

/* Makes a capsule of a Pending without a batch. */
static PyObject *make_pending(Reader *reader, PyObject *tensor, Pending **pending)
{
    *pending = calloc(1, sizeof **pending);
    PyObject *capsule = *pending != NULL ? PyCapsule_New(*pending, PENDING, free_pending) : NULL;
    if (capsule == NULL) {
        free(*pending);
        if (PyErr_Occurred() == NULL)
            (void)PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF((PyObject *)reader);
    Py_INCREF(tensor);
    (*pending)->reader = (PyObject *)reader;
    (*pending)->tensor = tensor;
    return capsule;
}

/* start(sources, steps, indices, tensor, stream): queues a batch on a GPU, on the tensor's own
 * stream if it has one. Returns the argument of finish. */
static PyObject *start(PyObject *self, PyObject *args)
{
    Reader *reader = (Reader *)self;
    const State *state = PyModule_GetState(reader->module);
    PyObject *sources, *steps, *object;
    unsigned long long stream;
    int indices;
    Pending *pending;
    if (!PyArg_ParseTuple(args, "OOpOO&:start", &sources, &steps, &indices, &object,
                          img_py_read_limit, &stream) ||
        !is_tensor(state, object) || !take(reader))
        return NULL;
    const Tensor *tensor = (Tensor *)object;
    PyObject *capsule = make_pending(reader, object, &pending);
    if (capsule != NULL && open_batch(reader, sources, steps, indices, &pending->batch))
        pending->paths = list_paths(&pending->batch);
    if (capsule != NULL &&
        (pending->paths == NULL ||
         !start_opened(reader, pending,
                       tensor->owns_stream ? tensor->stream : (void *)(uintptr_t)stream)))
        Py_CLEAR(capsule);
    reader->is_in_use = false;
    return capsule;
}

static PyObject *finish_pending(Reader *reader, Pending *pending)
{
    const State *state = PyModule_GetState(reader->module);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_pending *own = pending->pending;
    PyObject *answer = NULL;
    imgtool_error *results = reserve_results(reader, pending->batch.count);
    if (results == NULL)
        return NULL;
    pending->pending = NULL;
    img_py_release_gil(reader->worker);
    const imgtool_status status =
        img_py_acquire_gil(reader->worker, imgtool_pending_finish(own, results, &error));
    if (status == IMGTOOL_OK)
        answer = list_errors(state, results, pending->batch.count, pending->paths);
    else
        img_py_raise_error(state, &error, NULL);
    return answer;
}

/* finish(pending): waits until the batch is decoded. Returns what read returns. */
static PyObject *finish(PyObject *self, PyObject *capsule)
{
    Reader *reader = (Reader *)self;
    Pending *pending = PyCapsule_GetPointer(capsule, PENDING);
    if (pending == NULL || !take(reader))
        return NULL;
    PyObject *answer = NULL;
    if (pending->pending != NULL)
        answer = finish_pending(reader, pending);
    else
        PyErr_SetString(PyExc_RuntimeError, "the batch is finished already");
    reader->is_in_use = false;
    return answer;
}

/* wait(stream): waits until all work queued on the stream is done. */
static PyObject *wait_for_stream(PyObject *self, PyObject *number)
{
    Reader *reader = (Reader *)self;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    unsigned long long stream;
    if (img_py_read_limit(number, &stream) == 0 || !take(reader))
        return NULL;
    img_py_release_gil(reader->worker);
    const imgtool_status status =
        img_py_acquire_gil(reader->worker, imgtool_device_wait(reader->worker->context,
                                                               (void *)(uintptr_t)stream, &error));
    reader->is_in_use = false;
    if (status != IMGTOOL_OK)
        return img_py_raise_error(PyModule_GetState(reader->module), &error, NULL);
    Py_RETURN_NONE;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Returns a list with the bytes or the exception of each picture. */
static PyObject *list_files(const State *state, const imgtool_encoded *files,
                            const imgtool_error *results, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = results[i].status != IMGTOOL_OK
                             ? img_py_make_error(state, &results[i], NULL)
                             : PyBytes_FromStringAndSize(files[i].data, (Py_ssize_t)files[i].bytes);
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *encode_tensor(Reader *reader, const Tensor *tensor,
                               const imgtool_encoding *encoding, void *stream)
{
    const State *state = PyModule_GetState(reader->module);
    imgtool_context *context = reader->worker->context;
    const size_t count = (size_t)tensor->tensor.count;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_error *results = reserve_results(reader, count);
    imgtool_encoded *files = calloc(count + 1, sizeof *files);
    PyObject *list = NULL;
    if (results == NULL || files == NULL) {
        free(files);
        return PyErr_NoMemory();
    }
    files[0] = (imgtool_encoded)IMGTOOL_ENCODED_INIT;
    img_py_release_gil(reader->worker);
    imgtool_status status =
        tensor->device == ON_HOST
            ? imgtool_write_batch(context, &tensor->tensor, encoding, files, results, &error)
            : imgtool_write_batch_device(context, &tensor->tensor, encoding, stream, files, results,
                                         &error);
    status = img_py_acquire_gil(reader->worker, status);
    if (status == IMGTOOL_OK)
        list = list_files(state, files, results, count);
    else
        img_py_raise_error(state, &error, NULL);
    for (size_t i = 0; i < count; i++)
        imgtool_free(context, files[i].data);
    free(files);
    return list;
}

/* write(tensor, level, index, stream): encodes the pictures as PNG, and returns a list with the
 * bytes or the exception of each. */
static PyObject *write_batch(PyObject *self, PyObject *args)
{
    Reader *reader = (Reader *)self;
    const State *state = PyModule_GetState(reader->module);
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    PyObject *object, *list = NULL;
    unsigned long long stream;
    int index;
    if (!PyArg_ParseTuple(args, "OipO&:write", &object, &encoding.level, &index, img_py_read_limit,
                          &stream) ||
        !is_tensor(state, object) || !take(reader))
        return NULL;
    const Tensor *tensor = (Tensor *)object;
    encoding.index = index != 0;
    list = encode_tensor(reader, tensor, &encoding,
                         tensor->stream != NULL ? tensor->stream : (void *)(uintptr_t)stream);
    reader->is_in_use = false;
    return list;
}

/* --- The type --------------------------------------------------------------------------------- */

/* cancel(): makes the current call, and all later ones, fail with CancelledError. Any thread may
 * call it. */
static PyObject *cancel(PyObject *self, PyObject *unused)
{
    (void)unused;
    ((Reader *)self)->worker->is_cancelled = true;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"read", read_batch, METH_VARARGS, NULL},
    {"plan", plan, METH_VARARGS, NULL},
    {"sizes", find_sizes, METH_VARARGS, NULL},
    {"start", start, METH_VARARGS, NULL},
    {"finish", finish, METH_O, NULL},
    {"wait", wait_for_stream, METH_O, NULL},
    {"write", write_batch, METH_VARARGS, NULL},
    {"cancel", cancel, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Reads batches with a context of its own."},
    {Py_tp_dealloc, (void *)deallocate},
    {Py_tp_methods, methods},
    {0, NULL},
};
static PyType_Spec spec = {"imgtool._imgtool.Reader", sizeof(Reader), 0, Py_TPFLAGS_DEFAULT, slots};

bool img_py_make_reader_type(State *state)
{
    state->reader_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return state->reader_type != NULL;
}
