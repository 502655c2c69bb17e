/* Implements imgtool.Array, which holds the pixels of a picture, in host memory or on a GPU, and
 * the metadata of its file. */
#include "app/python/module/module.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* Allocates memory for pixels. Large arrays get huge pages, because page faults of small pages take
 * as much time as decoding. */
void *img_py_allocate(size_t bytes)
{
    const size_t page = (size_t)2 << 20, least = 64;
    const bool large = bytes >= 2 * page;
    void *memory = NULL;
    if (posix_memalign(&memory, large ? page : least, bytes > 0 ? bytes : 1) != 0)
        return NULL;
    if (large)
        /* This is only a hint, so the memory is usable even if the call fails. */
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

bool img_py_total(size_t row, Py_ssize_t rows, size_t *bytes)
{
    return !__builtin_mul_overflow(row, (size_t)rows, bytes) && *bytes <= PTRDIFF_MAX;
}

imgtool_status img_py_allocate_picture(imgtool_picture *picture, imgtool_error *error)
{
    size_t bytes;
    picture->stride = img_py_row_bytes(picture);
    picture->pixels = NULL;
    if (img_py_total(picture->stride, picture->height, &bytes))
        picture->pixels = img_py_allocate(bytes);
    if (picture->pixels != NULL)
        return IMGTOOL_OK;
    error->status = IMGTOOL_E_MEMORY;
    strcpy(error->message, "no memory for the pixels");
    return IMGTOOL_E_MEMORY;
}

/* --- Creation and destruction ----------------------------------------------------------------- */

void img_py_free_pixels(const imgtool_picture *picture, int device)
{
    if (device == ON_HOST)
        free(picture->pixels);
    else
        imgtool_device_free(device, picture->pixels);
}

static void set_shape(Array *array)
{
    const imgtool_picture *picture = &array->picture;
    const int channels = img_py_channels(picture->format.color);
    const int sample = img_py_sample_size(picture->format.bits);
    const Py_ssize_t shape[] = {picture->height, picture->width, channels};
    const Py_ssize_t strides[] = {(Py_ssize_t)picture->stride, (Py_ssize_t)channels * sample,
                                  sample};
    array->dimensions = channels > 1 ? 3 : 2;
    memcpy(array->shape, shape, sizeof shape);
    memcpy(array->strides, strides, sizeof strides);
}

Array *img_py_array_make(PyObject *module, const imgtool_picture *picture, int device,
                         imgtool_metadata *metadata)
{
    State *state = PyModule_GetState(module);
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->array_type, Py_tp_alloc);
    Array *array = (Array *)allocate(state->array_type, 0);
    if (array == NULL) {
        img_py_free_pixels(picture, device);
        imgtool_metadata_destroy(metadata);
        return NULL;
    }
    array->picture = *picture;
    array->picture.owned = false;
    array->device = device;
    array->metadata = metadata;
    Py_INCREF(module);
    array->module = module;
    set_shape(array);
    return array;
}

static void deallocate(PyObject *self)
{
    Array *array = (Array *)self;
    PyTypeObject *type = Py_TYPE(self);
    img_py_free_pixels(&array->picture, array->device);
    imgtool_metadata_destroy(array->metadata);
    Py_XDECREF(array->warnings);
    Py_XDECREF(array->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError,
                    "create an imgtool.Array by imgtool.read, run, convert or to_device");
    return NULL;
}

bool img_py_is_array(const State *state, PyObject *object)
{
    return Py_TYPE(object) == state->array_type;
}

/* --- Properties ------------------------------------------------------------------------------- */

static PyObject *get_shape(PyObject *self, void *unused)
{
    const Array *array = (Array *)self;
    (void)unused;
    if (array->dimensions == 2)
        return Py_BuildValue("nn", array->shape[0], array->shape[1]);
    return Py_BuildValue("nnn", array->shape[0], array->shape[1], array->shape[2]);
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(img_py_dtype_name(((Array *)self)->picture.format.bits));
}

static PyObject *get_color(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(img_py_color_name(((Array *)self)->picture.format.color));
}

static PyObject *get_device(PyObject *self, void *unused)
{
    const int device = ((Array *)self)->device;
    (void)unused;
    if (device == ON_HOST)
        Py_RETURN_NONE;
    return PyLong_FromLong(device);
}

static PyObject *get_orientation(PyObject *self, void *unused)
{
    const imgtool_metadata *metadata = ((Array *)self)->metadata;
    (void)unused;
    return PyLong_FromLong(metadata != NULL ? imgtool_metadata_orientation(metadata) : 0);
}

static PyObject *get_metadata(PyObject *self, void *unused)
{
    (void)unused;
    return img_py_list_chunks(((Array *)self)->metadata);
}

static PyObject *get_warnings(PyObject *self, void *unused)
{
    PyObject *warnings = ((Array *)self)->warnings;
    (void)unused;
    if (warnings == NULL)
        return PyTuple_New(0);
    Py_INCREF(warnings);
    return warnings;
}

static Py_ssize_t count_rows(PyObject *self)
{
    return ((Array *)self)->shape[0];
}

static PyObject *represent(PyObject *self)
{
    const Array *array = (Array *)self;
    const imgtool_format format = array->picture.format;
    char where[32] = "";
    if (array->device != ON_HOST)
        PyOS_snprintf(where, sizeof where, ", on GPU %d", array->device);
    return PyUnicode_FromFormat("<imgtool.Array %zd x %zd, %s, %s%s>", array->shape[1],
                                array->shape[0], img_py_color_name(format.color),
                                img_py_dtype_name(format.bits), where);
}

/* --- The type --------------------------------------------------------------------------------- */

static PyGetSetDef properties[] = {
    {"shape", get_shape, NULL,
     "(height, width) for gray and palettes, otherwise (height, width, channels)", NULL},
    {"dtype", get_dtype, NULL, "'uint8', 'uint16' or 'float32'", NULL},
    {"color", get_color, NULL, "'gray', 'gray+alpha', 'rgb', 'rgba', 'bgra' or 'palette'", NULL},
    {"device", get_device, NULL, "index of the GPU that holds the pixels; None: host memory", NULL},
    {"orientation", get_orientation, NULL, "EXIF orientation, 1 to 8; 0: not given", NULL},
    {"metadata", get_metadata, NULL,
     "chunks of the file, as a list of (type, bytes), in file order", NULL},
    {"warnings", get_warnings, NULL, "harmless defects of the file, as a tuple of text", NULL},
    {"__array_interface__", img_py_array_interface, NULL, "NumPy's array interface, version 3",
     NULL},
    {"__cuda_array_interface__", img_py_cuda_array_interface, NULL,
     "CUDA's array interface, version 3", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"to_host", img_py_to_host, METH_NOARGS,
     "to_host($self)\n--\n\nCopy the pixels to host memory and return a new Array.\n\n"
     "Returns this Array if the pixels are in host memory already."},
    {"__dlpack__", (PyCFunction)(void (*)(void))img_py_dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "Export the pixels without a copy, for from_dlpack of other modules."},
    {"__dlpack_device__", img_py_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self)\n--\n\nReturn (type, index) of the DLPack device that holds the "
     "pixels."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The pixels of a picture, with the metadata of its file.\n\n"
                "Has the buffer protocol, __array_interface__, DLPack and, on a GPU,\n"
                "__cuda_array_interface__: numpy.asarray(array) and torch.from_dlpack(array)\n"
                "share the memory. Rows are interleaved samples."},
    {Py_tp_new, (void *)refuse_new},
    {Py_tp_dealloc, (void *)deallocate},
    {Py_tp_repr, (void *)represent},
    {Py_sq_length, (void *)count_rows},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, (void *)img_py_get_buffer},
    {0, NULL},
};
static PyType_Spec spec = {"imgtool.Array", sizeof(Array), 0, Py_TPFLAGS_DEFAULT, slots};

bool img_py_make_array_type(PyObject *module, State *state)
{
    state->array_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return state->array_type != NULL &&
           PyObject_SetAttrString(module, "Array", (PyObject *)state->array_type) == 0;
}
