/* Manages the contexts of the library. A call takes an idle context, works on it without the GIL,
 * and returns it. */
#include "app/python/module/module.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { IDLE_MOST = 16, MILLISECONDS_BETWEEN_SIGNALS = 50 };

/* --- Ctrl-C ----------------------------------------------------------------------------------- */

static int64_t monotonic_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The progress callback, which runs Python's signal handlers. It acquires the GIL at most every 50
 * ms, because another thread may hold the GIL for some milliseconds. If a signal interrupted a
 * wait, it acquires the GIL at once. If a handler raises an exception, the work is cancelled. */
static bool check_signals(void *user, uint64_t done, uint64_t total)
{
    Worker *worker = user;
    const bool is_interrupted = done == 0 && total == 1;
    if (worker->is_cancelled)
        return false;
    if (!is_interrupted && monotonic_ms() - worker->last_check < MILLISECONDS_BETWEEN_SIGNALS)
        return true;
    PyEval_RestoreThread(worker->thread);
    const bool goes_on = PyErr_CheckSignals() == 0;
    worker->thread = PyEval_SaveThread();
    worker->last_check = monotonic_ms();
    return goes_on;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

bool img_py_should_retry(Worker *worker, imgtool_status status, const imgtool_error *error)
{
    if (status != IMGTOOL_E_IO || !ends_with(error->message, strerror(EINTR)))
        return false;
    PyEval_RestoreThread(worker->thread);
    const bool goes_on = PyErr_CheckSignals() == 0;
    worker->thread = PyEval_SaveThread();
    return goes_on;
}

void img_py_release_gil(Worker *worker)
{
    worker->last_check = monotonic_ms();
    worker->thread = PyEval_SaveThread();
}

imgtool_status img_py_acquire_gil(Worker *worker, imgtool_status status)
{
    PyEval_RestoreThread(worker->thread);
    worker->thread = NULL;
    return PyErr_Occurred() != NULL ? IMGTOOL_E_CANCELLED : status;
}

/* --- Contexts --------------------------------------------------------------------------------- */

/* Rejects integers out of range. The format "K" of PyArg_ParseTuple would take them modulo 2^64. */
int img_py_read_limit(PyObject *object, void *number)
{
    PyObject *whole = PyNumber_Index(object);
    const unsigned long long value = whole != NULL ? PyLong_AsUnsignedLongLong(whole) : 0;
    Py_XDECREF(whole);
    if (PyErr_Occurred() != NULL)
        return 0;
    *(unsigned long long *)number = value;
    return 1;
}

imgtool_config img_py_config(const Limits *limits)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = limits->threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_pixels = limits->max_pixels;
    config.max_memory = limits->max_memory;
    return config;
}

static bool is_same(const imgtool_config *a, const imgtool_config *b)
{
    return a->threads == b->threads && a->backend == b->backend && a->device == b->device &&
           a->max_pixels == b->max_pixels && a->max_memory == b->max_memory;
}

static Worker *find_idle(State *state, const imgtool_config *config)
{
    for (Worker **at = &state->idle; *at != NULL; at = &(*at)->next) {
        Worker *worker = *at;
        if (worker->process != (int)getpid() || !is_same(&worker->config, config))
            continue;
        *at = worker->next;
        return worker;
    }
    return NULL;
}

static void destroy(Worker *worker)
{
    if (worker->process == (int)getpid()) /* After a fork the threads of the context do not exist
                                             here, and waiting for them would block. */
        imgtool_context_destroy(worker->context);
    free(worker);
}

/* Default of max_pixels, equal to the default of --max-pixels. */
enum { DEFAULT_MAX_PIXELS = 1000000000 };

PyObject *img_py_set_max_memory(PyObject *module, PyObject *bytes)
{
    State *state = PyModule_GetState(module);
    if (img_py_read_limit(bytes, &state->max_memory) == 0)
        return NULL;
    Py_RETURN_NONE;
}

Worker *img_py_worker_take(State *state, const imgtool_config *wanted)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_config complete = *wanted;
    const imgtool_config *config = &complete;
    if (complete.max_pixels == 0)
        complete.max_pixels = DEFAULT_MAX_PIXELS;
    if (complete.max_memory == 0)
        complete.max_memory = state->max_memory;
    Worker *worker = find_idle(state, config);
    if (worker != NULL)
        return worker;
    worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return (Worker *)PyErr_NoMemory();
    worker->config = *config;
    worker->process = (int)getpid();
    imgtool_config own = *config;
    own.progress = check_signals;
    own.progress_user = worker;
    if (imgtool_context_create(&own, &worker->context, &error) != IMGTOOL_OK) {
        free(worker);
        return (Worker *)img_py_raise_error(state, &error, NULL);
    }
    return worker;
}

Worker *img_py_worker_take_device(State *state, int device)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.backend = IMGTOOL_BACKEND_CUDA;
    config.device = device;
    config.threads = 1;
    return img_py_worker_take(state, &config);
}

/* Puts the worker in front of the idle workers, so that it is reused first. If more than IDLE_MOST
 * workers are idle, destroys the one that was used least recently. */
void img_py_worker_put(State *state, Worker *worker)
{
    int count = 1;
    worker->next = state->idle;
    state->idle = worker;
    for (Worker *at = worker; at->next != NULL; at = at->next) {
        if (++count <= IDLE_MOST)
            continue;
        Worker *last = at->next;
        at->next = last->next;
        destroy(last);
        return;
    }
}

void img_py_workers_free(State *state)
{
    while (state->idle != NULL) {
        Worker *worker = state->idle;
        state->idle = worker->next;
        destroy(worker);
    }
}
