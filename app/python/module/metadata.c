/* Converts metadata to lists and mappings of Python, and back. */
#include "app/python/module/module.h"

PyObject *img_py_list_chunks(const imgtool_metadata *metadata)
{
    const size_t count = metadata != NULL ? imgtool_metadata_count(metadata) : 0;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        imgtool_chunk chunk = IMGTOOL_CHUNK_INIT;
        if (!imgtool_metadata_chunk(metadata, i, &chunk))
            continue;
        PyObject *pair =
            Py_BuildValue("sy#", chunk.type, (const char *)chunk.data, (Py_ssize_t)chunk.bytes);
        if (pair == NULL || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static bool copy(const State *state, Worker *worker, const imgtool_metadata *from,
                 imgtool_metadata **metadata)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (from == NULL ||
        imgtool_metadata_copy(worker->context, from, metadata, &error) == IMGTOOL_OK)
        return true;
    img_py_raise_error(state, &error, NULL);
    return false;
}

static bool set_chunk(const State *state, imgtool_metadata *metadata, PyObject *type,
                      PyObject *data)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Py_buffer bytes;
    const char *name = PyUnicode_Check(type) ? PyUnicode_AsUTF8AndSize(type, NULL) : "";
    if (name == NULL || PyObject_GetBuffer(data, &bytes, PyBUF_SIMPLE) != 0)
        return false;
    const imgtool_status status = imgtool_metadata_set(
        metadata, name, bytes.buf != NULL ? bytes.buf : "", (size_t)bytes.len, &error);
    PyBuffer_Release(&bytes);
    if (status != IMGTOOL_OK)
        img_py_raise_error(state, &error, NULL);
    return status == IMGTOOL_OK;
}

static bool set_chunks(const State *state, Worker *worker, PyObject *chunks,
                       imgtool_metadata **metadata)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    PyObject *type, *data;
    Py_ssize_t at = 0;
    if (imgtool_metadata_create(worker->context, metadata, &error) != IMGTOOL_OK) {
        img_py_raise_error(state, &error, NULL);
        return false;
    }
    while (PyDict_Next(chunks, &at, &type, &data))
        if (!set_chunk(state, *metadata, type, data)) {
            imgtool_metadata_destroy(*metadata);
            *metadata = NULL;
            return false;
        }
    return true;
}

/* Makes metadata from a mapping of bytes by chunk type. Copies the mapping to a dict first, because
 * reading a value may run Python code that changes the mapping. */
static bool set_mapping(const State *state, Worker *worker, PyObject *mapping,
                        imgtool_metadata **metadata)
{
    PyObject *chunks = PyDict_New();
    const bool done = chunks != NULL && PyDict_Update(chunks, mapping) == 0 &&
                      set_chunks(state, worker, chunks, metadata);
    Py_XDECREF(chunks);
    return done;
}

bool img_py_read_metadata(const State *state, Worker *worker, PyObject *given,
                          const imgtool_metadata *own, imgtool_metadata **metadata)
{
    *metadata = NULL;
    if (given == NULL || given == Py_None)
        return copy(state, worker, own, metadata);
    if (img_py_is_array(state, given))
        return copy(state, worker, ((Array *)given)->metadata, metadata);
    if (PyObject_HasAttrString(given, "keys"))
        return set_mapping(state, worker, given, metadata);
    PyErr_SetString(PyExc_TypeError,
                    "metadata: an imgtool.Array, a mapping of bytes by chunk type, or None");
    return false;
}
