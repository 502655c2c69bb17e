/* Implements imgtool.histogram, imgtool.stats and imgtool.compare. */
#include "app/python/module/module.h"

#include <stdlib.h>

typedef struct Counts {
    uint64_t *counts;
    size_t entries; /* number of counts per row */
    int32_t rows;
    imgtool_color color;
} Counts;

/* --- Counting --------------------------------------------------------------------------------- */

static imgtool_status count(Worker *worker, const imgtool_picture *picture, Counts *counts,
                            imgtool_error *error)
{
    imgtool_status status =
        imgtool_histogram(worker->context, picture, NULL, 0, &counts->rows, error);
    if (status != IMGTOOL_OK)
        return status;
    counts->entries = (size_t)1 << picture->format.bits;
    const size_t all = counts->entries * (size_t)counts->rows;
    counts->counts = calloc(all, sizeof *counts->counts);
    if (counts->counts != NULL)
        return imgtool_histogram(worker->context, picture, counts->counts, all, &counts->rows,
                                 error);
    error->status = IMGTOOL_E_MEMORY;
    return IMGTOOL_E_MEMORY;
}

static bool count_array(State *state, PyObject *args, PyObject *keywords, const char *format,
                        Counts *counts)
{
    static char *names[] = {"array", "color", "threads", NULL};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Limits limits = {0, ANY_PIXELS, 0};
    PyObject *array, *color_name = NULL;
    imgtool_color color;
    Source source;
    *counts = (Counts){.counts = NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, format, names, &array, &color_name,
                                     &limits.threads) ||
        !img_py_read_color(state, color_name, &color) ||
        !img_py_source_open_host(state, array, color, &source))
        return false;
    const imgtool_config config = img_py_config(&limits);
    Worker *worker = img_py_worker_take(state, &config);
    imgtool_status status = IMGTOOL_E_MEMORY;
    if (worker != NULL) {
        img_py_release_gil(worker);
        status = img_py_acquire_gil(worker, count(worker, &source.picture, counts, &error));
        img_py_worker_put(state, worker);
    }
    counts->color = source.picture.format.color;
    img_py_source_close(&source);
    if (status == IMGTOOL_OK)
        return true;
    free(counts->counts);
    img_py_raise_error(state, &error, NULL);
    return false;
}

/* --- Results as Python objects ---------------------------------------------------------------- */

static const char *row_name(imgtool_color color, int32_t row)
{
    static const char *const names[][5] = {
        [IMGTOOL_GRAY] = {"gray"},
        [IMGTOOL_GRAY_ALPHA] = {"gray", "alpha"},
        [IMGTOOL_RGB] = {"red", "green", "blue", "luma"},
        [IMGTOOL_RGBA] = {"red", "green", "blue", "alpha", "luma"},
        [IMGTOOL_PALETTE] = {"index"},
    };
    return names[color][row];
}

/* Returns the counts as a memoryview of 64-bit numbers with the shape (rows, values). */
static PyObject *as_memoryview(const Counts *counts)
{
    const size_t bytes = counts->entries * (size_t)counts->rows * sizeof *counts->counts;
    PyObject *copy = PyBytes_FromStringAndSize((const char *)counts->counts, (Py_ssize_t)bytes);
    PyObject *view = copy != NULL ? PyMemoryView_FromObject(copy) : NULL;
    PyObject *cast = view != NULL
                         ? PyObject_CallMethod(view, "cast", "s(in)", "Q", (int)counts->rows,
                                               (Py_ssize_t)counts->entries)
                         : NULL;
    Py_XDECREF(copy);
    Py_XDECREF(view);
    return cast;
}

static PyObject *describe(const State *state, const uint64_t *counts, size_t entries)
{
    imgtool_statistics found = IMGTOOL_STATISTICS_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (imgtool_statistics_of(counts, entries, &found, &error) != IMGTOOL_OK)
        return img_py_raise_error(state, &error, NULL);
    return Py_BuildValue(
        "{s:K,s:I,s:I,s:I,s:d,s:d,s:d,s:K,s:K}", "pixels", (unsigned long long)found.pixels,
        "minimum", found.minimum, "maximum", found.maximum, "median", found.median, "mean",
        found.mean, "deviation", found.deviation, "entropy", found.entropy, "lowest",
        (unsigned long long)found.lowest, "highest", (unsigned long long)found.highest);
}

PyObject *img_py_histogram(PyObject *module, PyObject *args, PyObject *keywords)
{
    Counts counts;
    if (!count_array(PyModule_GetState(module), args, keywords, "O|$Oi:histogram", &counts))
        return NULL;
    PyObject *view = as_memoryview(&counts);
    free(counts.counts);
    return view;
}

PyObject *img_py_stats(PyObject *module, PyObject *args, PyObject *keywords)
{
    State *state = PyModule_GetState(module);
    Counts counts;
    if (!count_array(state, args, keywords, "O|$Oi:stats", &counts))
        return NULL;
    PyObject *all = PyDict_New();
    for (int32_t row = 0; all != NULL && row < counts.rows; row++) {
        PyObject *one =
            describe(state, counts.counts + (size_t)row * counts.entries, counts.entries);
        if (one == NULL || PyDict_SetItemString(all, row_name(counts.color, row), one) != 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    free(counts.counts);
    return all;
}

/* --- Comparison ------------------------------------------------------------------------------- */

static PyObject *compare(State *state, const Source *a, const Source *b, const Limits *limits)
{
    imgtool_difference found = IMGTOOL_DIFFERENCE_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    const imgtool_config config = img_py_config(limits);
    Worker *worker = img_py_worker_take(state, &config);
    if (worker == NULL)
        return NULL;
    img_py_release_gil(worker);
    imgtool_status status =
        imgtool_compare(worker->context, &a->picture, &b->picture, &found, &error);
    status = img_py_acquire_gil(worker, status);
    img_py_worker_put(state, worker);
    if (status != IMGTOOL_OK)
        return img_py_raise_error(state, &error, NULL);
    return Py_BuildValue(
        "{s:K,s:K,s:I,s:i,s:i,s:d,s:d,s:d}", "pixels", (unsigned long long)found.pixels,
        "differing", (unsigned long long)found.differing, "largest", found.largest, "x", found.x,
        "y", found.y, "mse", found.mse, "psnr", found.psnr, "ssim", found.ssim);
}

PyObject *img_py_compare(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"a", "b", "threads", NULL};
    State *state = PyModule_GetState(module);
    Limits limits = {0, ANY_PIXELS, 0};
    PyObject *first, *second, *result = NULL;
    Source a, b;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$i:compare", names, &first, &second,
                                     &limits.threads) ||
        !img_py_source_open_host(state, first, IMGTOOL_AS_IT_IS, &a))
        return NULL;
    if (img_py_source_open_host(state, second, IMGTOOL_AS_IT_IS, &b)) {
        result = compare(state, &a, &b, &limits);
        img_py_source_close(&b);
    }
    img_py_source_close(&a);
    return result;
}
