/* Declarations that the sources of the Python module share.
 *
 * Functions that return a pointer, or a bool for success, set a Python exception on failure.
 * Callers hold the GIL. The functions of libimgtool are called without the GIL, between
 * img_py_release_gil and img_py_acquire_gil, on a context that no other call uses. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_MODULE_H
#define IMGTOOL_APP_PYTHON_MODULE_MODULE_H

#include "app/python/module/python_api.h" /* first, because it includes Python.h */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/library/imgtool.h"

/* --- State ------------------------------------------------------------------------------------ */

typedef struct Worker Worker;

enum { STATUSES = IMGTOOL_E_CANCELLED + 1 };

/* State of the module in one interpreter. Interpreters do not share state. */
typedef struct State {
    /* exception classes, indexed by imgtool_status; index 0 is the base class */
    PyObject *errors[STATUSES];
    PyObject *missing_file, *forbidden_file; /* subclasses of errors[IMGTOOL_E_IO] */
    PyTypeObject *array_type, *file_type, *tensor_type, *pool_type, *reader_type;
    Worker *idle; /* linked list of idle workers, the most recently used one first */
    unsigned long long max_memory; /* default of the argument max_memory, in bytes; 0: no limit */
} State;

/* --- Workers: worker.c ------------------------------------------------------------------------ */

/* A context of the library, and the state that the current call needs to check for Ctrl-C. */
struct Worker {
    Worker *next;
    imgtool_context *context;
    imgtool_config config;
    int process; /* process that created the context; a forked child does not have its threads */
    PyThreadState *thread; /* Python state of the calling thread while it does not hold the GIL */
    /* time of the last check for signals, in milliseconds of the monotonic clock */
    int64_t last_check;
    /* true: the current call ends as soon as possible, with IMGTOOL_E_CANCELLED */
    atomic_bool is_cancelled;
};

/* Keyword arguments that many functions share. */
typedef struct Limits {
    int threads;
    unsigned long long max_pixels, max_memory;
} Limits;

/* Default of max_pixels for pixels that are already in memory: the maximum that the library
 * allows. */
#define ANY_PIXELS 500000000000ULL

/* Converts a Python object to an unsigned 64-bit integer. Used with the format "O&" of PyArg_Parse.
 * Returns 1, or 0 with an exception set. */
int img_py_read_limit(PyObject *object, void *number);

imgtool_config img_py_config(const Limits *limits);

/* Takes an idle worker whose context has the configuration `wanted`, or creates one. Return the
 * worker with img_py_worker_put. */
Worker *img_py_worker_take(State *state, const imgtool_config *wanted);
/* The same for work on GPU number `device` that needs one thread. */
Worker *img_py_worker_take_device(State *state, int device);
void img_py_worker_put(State *state, Worker *worker);
void img_py_workers_free(State *state);

/* Releases the GIL, so that other threads can run Python. */
void img_py_release_gil(Worker *worker);
/* Acquires the GIL again. Returns `status`, or IMGTOOL_E_CANCELLED if a signal handler raised an
 * exception while the GIL was released. */
imgtool_status img_py_acquire_gil(Worker *worker, imgtool_status status);

/* Returns true if a signal interrupted a wait, for example for the other end of a pipe, and no
 * Python handler raised an exception. The caller then repeats the call, as Python's own functions
 * do. Call it between img_py_release_gil and img_py_acquire_gil. */
bool img_py_should_retry(Worker *worker, imgtool_status status, const imgtool_error *error);

/* --- Errors: errors.c ------------------------------------------------------------------------- */

bool img_py_make_errors(PyObject *module, State *state);

/* Returns a new exception for an error of the library. `path` may be NULL. */
PyObject *img_py_make_error(const State *state, const imgtool_error *error, PyObject *path);
/* Raises the exception for an error of the library. Keeps an exception that is already set, such as
 * KeyboardInterrupt. `path` may be NULL. Returns NULL. */
PyObject *img_py_raise_error(const State *state, const imgtool_error *error, PyObject *path);
/* Raises the exception for an error that this module itself detects. Returns NULL. */
PyObject *img_py_raise(const State *state, imgtool_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Names: names.c --------------------------------------------------------------------------- */

const char *img_py_color_name(imgtool_color color);
/* Returns the name of the sample type with this number of bits: "uint8", "uint16" or "float32". */
const char *img_py_dtype_name(int32_t bits);
/* Each of these functions converts a name to a value of the library. For NULL and None,
 * img_py_read_color gives IMGTOOL_AS_IT_IS and img_py_read_dtype gives 0 bits. Both values stand
 * for the format of the picture itself. */
bool img_py_read_color(const State *state, PyObject *name, imgtool_color *color);
bool img_py_read_dtype(const State *state, PyObject *dtype, int32_t *bits);
/* Reads a device: None or "cpu" (ON_HOST), "cuda", "cuda:1", an index, or PyTorch's device. */
bool img_py_read_device(const State *state, PyObject *device, int *index);
bool img_py_read_backend(const State *state, const char *name, imgtool_backend *backend);
/* Reads the name of a file format. If `name` is NULL, the extension of `path` determines the
 * format; an unknown extension or a `path` of NULL means PNG. An existing PNG whose extension
 * belongs to another format is an error: only an explicit name may replace it by a format that
 * stores less. */
bool img_py_read_format(const State *state, const char *name, const char *path,
                        imgtool_file_format *format);

static inline int img_py_channels(imgtool_color color)
{
    return (int)imgtool_pixel_size((imgtool_format){color, 8});
}

static inline int img_py_sample_size(int32_t bits)
{
    return bits == 32 ? 4 : bits == 16 ? 2 : 1;
}

static inline size_t img_py_row_bytes(const imgtool_picture *picture)
{
    return (size_t)picture->width * imgtool_pixel_size(picture->format);
}

/* --- Arrays: array.c, array_exchange.c -------------------------------------------------------- */

enum { ON_HOST = -1, ON_SOME_DEVICE = -2, DIMENSIONS_MAX = 3 };

typedef struct Array {
    PyObject_HEAD imgtool_picture
        /* The picture owns its pixels, which are memory of img_py_allocate or of a device. */
        picture;
    int device;                 /* index of the GPU; ON_HOST: host memory */
    imgtool_metadata *metadata; /* owned metadata; NULL: the picture has none */
    PyObject *warnings;         /* a tuple of warnings as text; NULL: none */
    PyObject *module;           /* reference that keeps the type's code and state alive */
    int dimensions;
    Py_ssize_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
} Array;

bool img_py_make_array_type(PyObject *module, State *state);
bool img_py_is_array(const State *state, PyObject *object);

/* Sets *bytes to the size in bytes of `rows` rows of `row` bytes each. Returns false if it exceeds
 * the address space. */
bool img_py_total(size_t row, Py_ssize_t rows, size_t *bytes);
/* Allocates memory for pixels, which free() releases. Returns NULL, without an exception, if there
 * is no memory. */
void *img_py_allocate(size_t bytes);
/* Sets a stride without gaps, and allocates the pixels. Can be called without the GIL. */
imgtool_status img_py_allocate_picture(imgtool_picture *picture, imgtool_error *error);
void img_py_free_pixels(const imgtool_picture *picture, int device);

/* Makes an Array. Takes ownership of the pixels and the metadata, also on failure. */
Array *img_py_array_make(PyObject *module, const imgtool_picture *picture, int device,
                         imgtool_metadata *metadata);

int img_py_get_buffer(PyObject *self, Py_buffer *view, int flags);
PyObject *img_py_array_interface(PyObject *self, void *unused);
PyObject *img_py_cuda_array_interface(PyObject *self, void *unused);
PyObject *img_py_dlpack(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *img_py_dlpack_device(PyObject *self, PyObject *unused);

/* --- Input pictures: source.c, source_device.c, gather.c -------------------------------------- */

/* Kinds of sample types. Types of all kinds except VALUES_PLAIN must be converted, because pictures
 * do not have them. */
typedef enum SampleValues {
    VALUES_PLAIN,
    VALUES_BOOL,
    VALUES_SIGNED,
    VALUES_UNSIGNED,
    VALUES_FLOAT
} SampleValues;

/* The samples of an object of another library, in any layout. */
typedef struct Samples {
    void *data;
    int dimensions;
    Py_ssize_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX]; /* shape, and strides in bytes */
    /* Bits per sample of the picture, after conversion; 0: the type is not supported. */
    int32_t bits;
    /* Kind of the type. If it is not VALUES_PLAIN, samples have `size` bytes and are converted to
     * uint8. */
    SampleValues values;
    int size;
} Samples;

typedef struct Source {
    imgtool_picture picture; /* the picture; it borrows its pixels from the object or from `copy` */
    /* Metadata of the picture if it is an Array; otherwise NULL. */
    const imgtool_metadata *metadata;
    /* index of the GPU, ON_HOST, or ON_SOME_DEVICE if the owner does not name the device */
    int device;
    void *stream; /* stream on which the pixels are ready */
    /* stream of the owner whose work must be complete before the pixels are read; NULL: none */
    void *owner_stream;
    bool is_own; /* true for an Array of this module, whose rows are padded on a device */
    Py_buffer buffer;
    PyObject *capsule, *owner;
    void *copy;
} Source;

/* Opens any object that has pixels: an Array, a buffer, DLPack, CUDA's array interface, or an image
 * of Pillow. `color` is the meaning of the channels; with IMGTOOL_AS_IT_IS their number determines
 * it. Floats become uint8 unless they are on a device. After success, call img_py_source_close. */
bool img_py_source_open(const State *state, PyObject *object, imgtool_color color, void *stream,
                        Source *source);
/* Like img_py_source_open, but floats stay floats, and pixels on a device are an error. */
bool img_py_source_open_floats(const State *state, PyObject *object, Source *source);
/* Like img_py_source_open, but pixels on a device are an error. */
bool img_py_source_open_host(const State *state, PyObject *object, imgtool_color color,
                             Source *source);
void img_py_source_close(Source *source);

/* Sets source->picture to the samples. Borrows them if they have the layout of a picture, and
 * copies them otherwise. */
bool img_py_source_take(const State *state, Source *source, const Samples *samples,
                        imgtool_color color);
/* Sets the strides of the samples to the values for an array without gaps. */
void img_py_pack(Samples *samples);
bool img_py_has_dlpack(PyObject *object);
bool img_py_source_by_dlpack(const State *state, PyObject *object, void *stream, Source *source,
                             Samples *samples);
bool img_py_source_by_cuda_interface(const State *state, PyObject *object, void *stream,
                                     Source *source, Samples *samples);
void img_py_release_capsule(PyObject *capsule);

/* Copies samples in any layout to contiguous memory. */
void img_py_gather(const Samples *from, void *to);

/* --- Samples of other types: values.c --------------------------------------------------------- */

SampleValues img_py_values_of(char letter);
/* Converts the samples to uint8. If a value is out of range, returns false and sets *wrong to the
 * value. Can be called without the GIL. */
bool img_py_values_to_bytes(const Samples *from, uint8_t *to, double *wrong);
void img_py_doubles_to_floats(const Samples *from, float *to);
void img_py_raise_value(const State *state, const Samples *samples, double wrong);

/* Returns true for an image of Pillow (source_pil.c), whose palette Pillow itself converts. */
bool img_py_is_pil(PyObject *object);
bool img_py_source_by_pil(const State *state, PyObject *object, Source *source, Samples *samples);

/* --- Input files: files.c --------------------------------------------------------------------- */

typedef struct Input {
    PyObject *path;  /* the path as the caller passed it; NULL: the file is in memory */
    PyObject *name;  /* the path as bytes in the encoding of the file system */
    Py_buffer bytes; /* the content of a file in memory */
} Input;

/* Opens an input: a path, an object with a read method, or the bytes of a file. Call
 * img_py_input_close also after a failure. */
bool img_py_input_open(PyObject *source, Input *input);
void img_py_input_close(Input *input);

/* --- Output files: files.c -------------------------------------------------------------------- */

bool img_py_make_file_type(State *state);

/* Calls target.write until it has accepted all bytes, and returns None. Takes ownership of `data`,
 * which malloc allocated, also on failure. The views that `write` gets keep `data` alive. */
PyObject *img_py_write_all(const State *state, PyObject *target, void *data, size_t bytes);

/* --- Tensors and batches: tensors/ ------------------------------------------------------------ */

/* Creates the types Tensor and Pool. */
bool img_py_make_tensor_types(PyObject *module, State *state);

/* _pool(): creates a pool, which keeps the memory of its tensors for later tensors. */
PyObject *img_py_make_pool(PyObject *module, PyObject *unused);

/* _tensor(count, height, width, channels, first, dtype, mean, std, device, pool, out): creates a
 * tensor. `first` is true for channels before rows. `device` is -1 for host memory. `out`, if it is
 * not None, has the memory. */
PyObject *img_py_make_tensor(PyObject *module, PyObject *args, PyObject *keywords);

bool img_py_make_reader_type(State *state);

/* _reader(device, threads, max_pixels, max_memory): creates a reader, which has a context of its
 * own. `device` is -1 for reading on the CPU. */
PyObject *img_py_make_reader(PyObject *module, PyObject *args);

/* _order(seed, epoch, count, first, step, most): returns a list with up to `most` numbers of the
 * permutation of 0 to count - 1 that seed and epoch select, at the positions first, first + step,
 * and so on (order.c). */
PyObject *img_py_order(PyObject *module, PyObject *args);

/* --- Functions of the module ------------------------------------------------------------------ */

PyObject *img_py_read(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_info(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_write(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_encode(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_run(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_optimize(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_run_file(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_parse(PyObject *module, PyObject *args);
PyObject *img_py_convert(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_to_device(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_to_host(PyObject *self, PyObject *unused);
PyObject *img_py_histogram(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_stats(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_compare(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_operations(PyObject *module, PyObject *unused);
PyObject *img_py_devices(PyObject *module, PyObject *unused);
PyObject *img_py_make(PyObject *module, PyObject *args);
PyObject *img_py_set_max_memory(PyObject *module, PyObject *bytes);

/* Reads a file into memory of a device (read_device.c). Returns a new Array. */
PyObject *img_py_read_on_device(PyObject *module, PyObject *source, const Limits *limits,
                                int device, void *stream);

/* Runs a pipeline on pixels on a device (run_device.c). Returns a new Array on the same device. */
PyObject *img_py_run_on_device(PyObject *module, Worker *worker, const char *steps,
                               const Source *source);

/* Sets *metadata to a new copy of the metadata for a new picture, or to NULL if it has none
 * (metadata.c). `given` is the caller's argument: an Array, a mapping of bytes by chunk type, or
 * None. None stands for `own`, the metadata that the picture had before. */
bool img_py_read_metadata(const State *state, Worker *worker, PyObject *given,
                          const imgtool_metadata *own, imgtool_metadata **metadata);
PyObject *img_py_list_chunks(const imgtool_metadata *metadata);

#endif
