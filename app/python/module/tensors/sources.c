/* Converts the sources and the steps of a batch from Python objects. */
#include <stdlib.h>

#include "app/python/module/tensors/tensor.h"

/* --- Sources ---------------------------------------------------------------------------------- */

static bool read_path(PyObject *path, Batch *batch, size_t index)
{
    if (!PyUnicode_FSConverter(path, &batch->names[index]))
        return false;
    Py_INCREF(path);
    batch->paths[index] = path;
    batch->sources[index].path = PyBytes_AsString(batch->names[index]);
    return true;
}

static bool read_number(PyObject *tuple, Py_ssize_t index, uint64_t *number)
{
    unsigned long long value = 0;
    PyObject *item = PySequence_GetItem(tuple, index);
    const bool good = item != NULL && img_py_read_limit(item, &value) == 1;
    Py_XDECREF(item);
    *number = value;
    return good;
}

/* Reads the tuple (path, offset, bytes). */
static bool read_part(const State *state, PyObject *tuple, Batch *batch, size_t index)
{
    imgtool_source *source = &batch->sources[index];
    if (PyTuple_Size(tuple) != 3) {
        img_py_raise(state, IMGTOOL_E_USAGE, "source %zu: a tuple is (path, offset, bytes)", index);
        return false;
    }
    return read_path(PyTuple_GetItem(tuple, 0), batch, index) &&
           read_number(tuple, 1, &source->offset) && read_number(tuple, 2, &source->bytes);
}

static bool read_source(const State *state, PyObject *object, Batch *batch, size_t index)
{
    imgtool_source *source = &batch->sources[index];
    Py_buffer *buffer = &batch->buffers[index];
    if (PyTuple_Check(object))
        return read_part(state, object, batch, index);
    if (PyUnicode_Check(object) || !PyObject_CheckBuffer(object))
        return read_path(object, batch, index);
    if (PyObject_GetBuffer(object, buffer, PyBUF_SIMPLE) != 0)
        return false;
    source->data = buffer->buf != NULL ? buffer->buf : ""; /* empty bytes may have no memory */
    source->bytes = (uint64_t)buffer->len;
    return true;
}

static bool allocate(Batch *batch)
{
    const size_t count = batch->count > 0 ? batch->count : 1;
    batch->sources = calloc(count, sizeof *batch->sources);
    batch->paths = calloc(count, sizeof(PyObject *));
    batch->names = calloc(count, sizeof(PyObject *));
    batch->buffers = calloc(count, sizeof *batch->buffers);
    if (batch->sources != NULL && batch->paths != NULL && batch->names != NULL &&
        batch->buffers != NULL)
        return true;
    batch->count = 0;
    PyErr_NoMemory();
    return false;
}

bool img_py_batch_open(const State *state, PyObject *sources, bool indices, Batch *batch)
{
    *batch = (Batch){.batch = IMGTOOL_BATCH_INIT};
    PyObject *list = PySequence_List(sources);
    if (list == NULL)
        return false;
    batch->count = (size_t)PyList_Size(list);
    bool good = allocate(batch);
    for (size_t i = 0; good && i < batch->count; i++) {
        batch->sources[i] = (imgtool_source)IMGTOOL_SOURCE_INIT;
        good = read_source(state, PyList_GetItem(list, (Py_ssize_t)i), batch, i);
    }
    Py_DECREF(list);
    batch->batch.sources = batch->sources;
    batch->batch.count = batch->count;
    batch->batch.indices = indices;
    return good;
}

void img_py_batch_close(Batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->buffers[i].obj != NULL)
            PyBuffer_Release(&batch->buffers[i]);
        Py_XDECREF(batch->names[i]);
        Py_XDECREF(batch->paths[i]);
    }
    for (size_t i = 0; i < batch->parsed_count; i++)
        imgtool_pipeline_destroy(batch->parsed[i]);
    free(batch->sources);
    free((void *)batch->paths);
    free((void *)batch->names);
    free(batch->buffers);
    free((void *)batch->parsed);
    free((void *)batch->each);
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Parses a text. Sets *pipeline to NULL for an empty text or None. */
static bool parse(const State *state, Worker *worker, PyObject *text, imgtool_pipeline **pipeline)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    *pipeline = NULL;
    if (text == Py_None)
        return true;
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "steps: a text, None, or one of them for each source");
        return false;
    }
    const char *steps = PyUnicode_AsUTF8AndSize(text, NULL);
    if (steps == NULL)
        return false;
    if (*steps == '\0')
        return true;
    img_py_release_gil(worker);
    const imgtool_status status = img_py_acquire_gil(
        worker, imgtool_pipeline_parse(worker->context, steps, pipeline, &error));
    if (status != IMGTOOL_OK)
        img_py_raise_error(state, &error, NULL);
    return status == IMGTOOL_OK;
}

/* Returns the pipeline for a text, which is parsed only once. `known` has the index of each parsed
 * text. */
static bool find(const State *state, Worker *worker, PyObject *text, PyObject *known, Batch *batch,
                 const imgtool_pipeline **pipeline)
{
    PyObject *found = PyDict_GetItemWithError(known, text);
    if (found != NULL) {
        *pipeline = batch->parsed[PyLong_AsSsize_t(found)];
        return true;
    }
    imgtool_pipeline *made;
    if (PyErr_Occurred() != NULL || !parse(state, worker, text, &made))
        return false;
    batch->parsed[batch->parsed_count] = made;
    *pipeline = made;
    PyObject *index = PyLong_FromSize_t(batch->parsed_count++);
    const bool kept = index != NULL && PyDict_SetItem(known, text, index) == 0;
    Py_XDECREF(index);
    return kept;
}

static bool parse_each(const State *state, Worker *worker, PyObject *list, Batch *batch)
{
    PyObject *known = PyDict_New();
    bool good = known != NULL;
    for (size_t i = 0; good && i < batch->count; i++)
        good =
            find(state, worker, PyList_GetItem(list, (Py_ssize_t)i), known, batch, &batch->each[i]);
    Py_XDECREF(known);
    batch->batch.pipelines = batch->each;
    return good;
}

bool img_py_batch_parse(const State *state, Worker *worker, PyObject *steps, Batch *batch)
{
    const bool is_one = steps == Py_None || PyUnicode_Check(steps);
    PyObject *list = is_one ? PyList_New(0) : PySequence_List(steps);
    if (list == NULL)
        return false;
    const size_t count = is_one ? 1 : batch->count;
    bool good = is_one || (size_t)PyList_Size(list) == batch->count;
    if (!good)
        img_py_raise(state, IMGTOOL_E_USAGE, "steps: %zd texts for %zu sources", PyList_Size(list),
                     batch->count);
    batch->parsed = calloc(count + 1, sizeof(imgtool_pipeline *));
    batch->each = calloc(count + 1, sizeof(imgtool_pipeline *));
    if (good && (batch->parsed == NULL || batch->each == NULL)) {
        PyErr_NoMemory();
        good = false;
    }
    if (good && is_one) {
        good = parse(state, worker, steps, &batch->parsed[0]);
        batch->parsed_count = 1;
        batch->batch.pipeline = batch->parsed[0];
    } else if (good) {
        good = parse_each(state, worker, list, batch);
    }
    Py_DECREF(list);
    return good;
}
