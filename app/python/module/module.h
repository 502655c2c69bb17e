/* imgtool for Python: what the parts of the module share.
 *
 * Functions that return a pointer, or a bool that says whether it went well, set a Python exception
 * where they fail. All are called with the GIL held; libimgtool is called without it, between
 * img_py_release and img_py_acquire, on a context that nobody else has meanwhile. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_MODULE_H
#define IMGTOOL_APP_PYTHON_MODULE_MODULE_H

#include "app/python/module/python_api.h" /* first, as Python.h wants to be */

#include <stdbool.h>
#include <stdint.h>

#include "app/library/imgtool.h"

/* --- State ------------------------------------------------------------------------------------ */

typedef struct Worker Worker;

enum { STATUSES = IMGTOOL_E_CANCELLED + 1 };

/* Of a module in an interpreter; interpreters share nothing. */
typedef struct State {
    PyObject *errors[STATUSES];              /* exceptions by status; 0: their base */
    PyObject *missing_file, *forbidden_file; /* kinds of errors[IMGTOOL_E_IO] */
    PyTypeObject *array_type, *file_type;
    Worker *idle;                  /* a list */
    unsigned long long max_memory; /* of calls that do not say it; 0: any */
} State;

/* --- Work: worker.c --------------------------------------------------------------------------- */

/* A context, and how the call that has it sees to Ctrl-C. */
struct Worker {
    Worker *next;
    imgtool_context *context;
    imgtool_config config;
    int process;           /* that made it: threads do not live on in a fork */
    PyThreadState *thread; /* of the call, while it is without the GIL */
    int64_t asked;         /* milliseconds of a clock, when Python was asked for signals */
};

/* What calls have in common, as read from their keywords. */
typedef struct Limits {
    int threads;
    unsigned long long max_pixels, max_memory;
} Limits;

/* max_pixels of calls on pixels that are in memory already: the most that the library takes. */
#define ANY_PIXELS 500000000000ULL

/* For PyArg_Parse's "O&": a number of 64 bits without a sign, as the limits are. */
int img_py_read_limit(PyObject *object, void *number);

imgtool_config img_py_config(const Limits *limits);

/* Takes a context of such a configuration, to be given back by img_py_worker_put. */
Worker *img_py_worker_take(State *state, const imgtool_config *wanted);
void img_py_worker_put(State *state, Worker *worker);
void img_py_workers_free(State *state);

/* Lets other threads run Python meanwhile. */
void img_py_release(Worker *worker);
/* `status` of the work, or IMGTOOL_E_CANCELLED where a signal has set an exception meanwhile. */
imgtool_status img_py_acquire(Worker *worker, imgtool_status status);

/* In between: has a signal ended the wait for a file, as that for a pipe's other end, and do its
 * handlers let the call go on? Then it is to be made again, as Python's own calls are. */
bool img_py_is_to_repeat(Worker *worker, imgtool_status status, const imgtool_error *error);

/* --- Errors: errors.c ------------------------------------------------------------------------- */

bool img_py_make_errors(PyObject *module, State *state);

/* Sets the exception for what the library says, unless one is set: that of an interrupt. `path` may
 * be NULL. Returns NULL. */
PyObject *img_py_fail(const State *state, const imgtool_error *error, PyObject *path);
/* The same for what this module finds. */
PyObject *img_py_refuse(const State *state, imgtool_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Names: names.c --------------------------------------------------------------------------- */

const char *img_py_color_name(imgtool_color color);
const char *img_py_dtype_name(int32_t bits); /* "uint8", "uint16", "float32" */
/* NULL and None are what there is: IMGTOOL_AS_IT_IS, and 0 bits. */
bool img_py_read_color(const State *state, PyObject *name, imgtool_color *color);
bool img_py_read_dtype(const State *state, PyObject *dtype, int32_t *bits);
bool img_py_read_backend(const State *state, const char *name, imgtool_backend *backend);

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
        picture;                /* its pixels are the array's: of img_py_allocate, or of a device */
    int device;                 /* its number, or ON_HOST */
    imgtool_metadata *metadata; /* owned; NULL: none */
    PyObject *warnings;         /* a tuple of text */
    PyObject *module;           /* keeps the type's code and state alive */
    int dimensions;
    Py_ssize_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
} Array;

bool img_py_make_array_type(PyObject *module, State *state);
bool img_py_is_array(const State *state, PyObject *object);

/* Bytes of that many rows, if memory could have as many. */
bool img_py_total(size_t row, Py_ssize_t rows, size_t *bytes);
/* Memory for pixels; NULL without an exception where there is none left. To be freed by free. */
void *img_py_allocate(size_t bytes);
/* Sets the stride without gaps and allocates; needs no GIL. */
imgtool_status img_py_allocate_picture(imgtool_picture *picture, imgtool_error *error);
void img_py_free_pixels(const imgtool_picture *picture, int device);

/* Takes the pixels and the metadata, also where it fails. */
Array *img_py_array_make(PyObject *module, const imgtool_picture *picture, int device,
                         imgtool_metadata *metadata);

int img_py_get_buffer(PyObject *self, Py_buffer *view, int flags);
PyObject *img_py_array_interface(PyObject *self, void *unused);
PyObject *img_py_cuda_array_interface(PyObject *self, void *unused);
PyObject *img_py_dlpack(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *img_py_dlpack_device(PyObject *self, PyObject *unused);

/* --- Pictures that are given: source.c, source_device.c, gather.c ------------------------------
 */

/* Types of samples that are converted, as pictures do not have them. */
typedef enum SampleValues {
    VALUES_PLAIN,
    VALUES_BOOL,
    VALUES_SIGNED,
    VALUES_UNSIGNED,
    VALUES_FLOAT
} SampleValues;

/* Samples as somebody else has them. */
typedef struct Samples {
    void *data;
    int dimensions;
    Py_ssize_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX]; /* in bytes */
    int32_t bits;        /* once they are a picture's; 0: it has none of them */
    SampleValues values; /* but for VALUES_PLAIN, `size` bytes each, to be made uint8 */
    int size;
} Samples;

typedef struct Source {
    imgtool_picture picture;          /* borrowed, or of `copy` */
    const imgtool_metadata *metadata; /* of an Array; else NULL */
    int device;                       /* or ON_HOST; ON_SOME_DEVICE: its owner does not say which */
    void *stream;                     /* on which the pixels are there */
    void *owner_stream;               /* to be waited for before; NULL: none */
    bool is_own;                      /* an Array of this module: rows on devices are padded */
    Py_buffer buffer;
    PyObject *capsule, *owner;
    void *copy;
} Source;

/* Anything that has pixels: an Array, what has a buffer, DLPack, CUDA's array interface. `color`
 * says what channels are, where it is not IMGTOOL_AS_IT_IS. To be closed, if it went well. */
bool img_py_source_open(const State *state, PyObject *object, imgtool_color color, void *stream,
                        Source *source);
/* The same, but pixels on a device are refused, and floats are taken as they are. */
bool img_py_source_open_floats(const State *state, PyObject *object, Source *source);
/* Pixels on a device are refused, and floats are made uint8. */
bool img_py_source_open_host(const State *state, PyObject *object, imgtool_color color,
                             Source *source);
void img_py_source_close(Source *source);

/* Makes source->picture of the samples, which are copied where pixels are not side by side. */
bool img_py_source_take(const State *state, Source *source, const Samples *samples,
                        imgtool_color color);
/* Strides of samples without gaps. */
void img_py_pack(Samples *samples);
bool img_py_has_dlpack(PyObject *object);
bool img_py_source_by_dlpack(const State *state, PyObject *object, void *stream, Source *source,
                             Samples *samples);
bool img_py_source_by_cuda_interface(const State *state, PyObject *object, void *stream,
                                     Source *source, Samples *samples);
void img_py_give_back_capsule(PyObject *capsule);

/* Copies samples, wherever they lie, to one place without gaps. */
void img_py_gather(const Samples *from, void *to);

/* --- Samples of other types: values.c --------------------------------------------------------- */

SampleValues img_py_values_of(char letter);
/* False where a value is out of range: *wrong. Needs no GIL. */
bool img_py_values_to_bytes(const Samples *from, uint8_t *to, double *wrong);
void img_py_doubles_to_floats(const Samples *from, float *to);
void img_py_refuse_value(const State *state, const Samples *samples, double wrong);

/* source_pil.c: an image of Pillow. Pillow converts some of its modes itself. */
bool img_py_is_pil(PyObject *object);
bool img_py_source_by_pil(const State *state, PyObject *object, Source *source, Samples *samples);

/* --- Files that are given: files.c ------------------------------------------------------------ */

typedef struct Input {
    PyObject *path;  /* as given; NULL: in memory */
    PyObject *name;  /* bytes of the system */
    Py_buffer bytes; /* of a file in memory */
} Input;

/* A path, an object with the method read, or a file's bytes. To be closed, also where it failed. */
bool img_py_input_open(PyObject *source, Input *input);
void img_py_input_close(Input *input);

/* --- Files that are written: files.c ---------------------------------------------------------- */

bool img_py_make_file_type(State *state);

/* Calls target.write until it has taken all. Takes `data`, which is malloc's, also where it fails;
 * who keeps the view that `write` is given keeps `data`. None. */
PyObject *img_py_hand_over(const State *state, PyObject *target, void *data, size_t bytes);

/* --- Functions of the module ------------------------------------------------------------------ */

PyObject *img_py_read(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_info(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_write(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_encode(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *img_py_run(PyObject *module, PyObject *args, PyObject *keywords);
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

/* run_device.c: a pipeline on pixels of a device, into a new Array there. */
PyObject *img_py_run_on_device(PyObject *module, Worker *worker, const char *steps,
                               const Source *source);

/* metadata.c: of a new picture, by what the caller gave: None, an Array, or bytes by chunk type. A
 * new copy, or NULL for none; `own` is what the picture had. */
bool img_py_read_metadata(const State *state, Worker *worker, PyObject *given,
                          const imgtool_metadata *own, imgtool_metadata **metadata);
PyObject *img_py_list_chunks(const imgtool_metadata *metadata);

#endif
