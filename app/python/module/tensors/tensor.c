/* Implements imgtool.Tensor, which holds pictures of one size as an array of four dimensions. */
#include "app/python/module/tensors/tensor.h"

#include <stdlib.h>
#include <string.h>

#include "app/python/module/dlpack.h"

const Element *img_py_element(imgtool_element element)
{
    static const Element little[] = {
        [IMGTOOL_UINT8] = {"uint8", "B", "|u1", 1, DLPACK_UNSIGNED},
        [IMGTOOL_UINT16] = {"uint16", "H", "<u2", 2, DLPACK_UNSIGNED},
        [IMGTOOL_FLOAT16] = {"float16", "e", "<f2", 2, DLPACK_FLOAT},
        [IMGTOOL_BFLOAT16] = {"bfloat16", "H", "<u2", 2, DLPACK_BFLOAT},
        [IMGTOOL_FLOAT32] = {"float32", "f", "<f4", 4, DLPACK_FLOAT},
    };
    static const Element big[] = {
        [IMGTOOL_UINT8] = {"uint8", "B", "|u1", 1, DLPACK_UNSIGNED},
        [IMGTOOL_UINT16] = {"uint16", "H", ">u2", 2, DLPACK_UNSIGNED},
        [IMGTOOL_FLOAT16] = {"float16", "e", ">f2", 2, DLPACK_FLOAT},
        [IMGTOOL_BFLOAT16] = {"bfloat16", "H", ">u2", 2, DLPACK_BFLOAT},
        [IMGTOOL_FLOAT32] = {"float32", "f", ">f4", 4, DLPACK_FLOAT},
    };
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? &little[element] : &big[element];
}

/* --- Creation and destruction ----------------------------------------------------------------- */

static void set_shape(Tensor *tensor)
{
    const imgtool_tensor *own = &tensor->tensor;
    const Py_ssize_t first[] = {own->count, own->channels, own->height, own->width};
    const Py_ssize_t last[] = {own->count, own->height, own->width, own->channels};
    memcpy(tensor->shape, own->channels_first ? first : last, sizeof tensor->shape);
    Py_ssize_t step = img_py_element(own->element)->size;
    for (int i = TENSOR_DIMENSIONS - 1; i >= 0; i--) {
        tensor->strides[i] = step;
        step *= tensor->shape[i];
    }
}

/* Returns memory and stream to the pool, or frees them. */
static void release_memory(Tensor *tensor)
{
    const bool owns_memory = tensor->owner == NULL && tensor->tensor.data != NULL;
    const Block block = {.memory = owns_memory ? tensor->tensor.data : NULL,
                         .stream = tensor->owns_stream ? tensor->stream : NULL,
                         .bytes = owns_memory ? imgtool_tensor_bytes(&tensor->tensor) : 0,
                         .device = tensor->device};
    if (block.memory == NULL && block.stream == NULL)
        return;
    if (tensor->owns_stream) /* later work on the memory waits for the caller's */
        (void)imgtool_stream_wait(tensor->device, tensor->stream, tensor->consumer, NULL);
    if (tensor->pool != NULL)
        img_py_pool_put(tensor->pool, block);
    else
        img_py_free_block(&block);
}

static void deallocate(PyObject *self)
{
    Tensor *tensor = (Tensor *)self;
    PyTypeObject *type = Py_TYPE(self);
    release_memory(tensor);
    if (tensor->buffer.obj != NULL)
        PyBuffer_Release(&tensor->buffer);
    if (tensor->capsule != NULL)
        img_py_release_capsule(tensor->capsule);
    Py_XDECREF(tensor->pool);
    Py_XDECREF(tensor->owner);
    Py_XDECREF(tensor->errors);
    Py_XDECREF(tensor->module);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

bool img_py_tensor_allocate(State *state, Tensor *tensor)
{
    Block block;
    const size_t bytes = tensor->owner != NULL ? 0 : imgtool_tensor_bytes(&tensor->tensor);
    if (tensor->pool != NULL && img_py_pool_take(tensor->pool, bytes, tensor->device, &block)) {
        if (tensor->owner == NULL)
            tensor->tensor.data = block.memory;
        tensor->stream = block.stream;
        tensor->owns_stream = block.stream != NULL;
        return true;
    }
    if (tensor->device != ON_HOST)
        return img_py_tensor_allocate_on_device(state, tensor, bytes);
    if (tensor->owner == NULL)
        tensor->tensor.data = img_py_allocate(bytes);
    if (tensor->tensor.data == NULL)
        img_py_raise(state, IMGTOOL_E_MEMORY, "no memory for a tensor of %zu bytes", bytes);
    return tensor->tensor.data != NULL;
}

static bool read_element(const State *state, const char *name, imgtool_element *element)
{
    for (int i = IMGTOOL_UINT8; i <= IMGTOOL_FLOAT32; i++)
        if (strcmp(name, img_py_element((imgtool_element)i)->name) == 0) {
            *element = (imgtool_element)i;
            return true;
        }
    img_py_raise(state, IMGTOOL_E_USAGE,
                 "dtype: uint8, uint16, float16, bfloat16 or float32, not %s", name);
    return false;
}

/* Reads one number for each channel. None leaves the numbers as they are. */
static bool read_floats(const State *state, PyObject *given, const char *name, int32_t channels,
                        float *numbers)
{
    if (given == Py_None)
        return true;
    if (PySequence_Size(given) != channels) {
        if (PyErr_Occurred() == NULL)
            img_py_raise(state, IMGTOOL_E_USAGE, "%s: one number for each of %d channels", name,
                         channels);
        return false;
    }
    for (int32_t i = 0; i < channels; i++) {
        PyObject *item = PySequence_GetItem(given, i);
        numbers[i] = item != NULL ? (float)PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
    }
    return PyErr_Occurred() == NULL;
}

static bool check_size(const State *state, const imgtool_tensor *tensor)
{
    imgtool_tensor one = *tensor;
    one.count = 1;
    if (tensor->count >= 0 && imgtool_tensor_bytes(&one) > 0 &&
        (tensor->count == 0 || imgtool_tensor_bytes(tensor) > 0))
        return true;
    img_py_raise(state, IMGTOOL_E_USAGE,
                 "a tensor of %d pictures of %d x %d pixels and %d channels is not possible",
                 tensor->count, tensor->width, tensor->height, tensor->channels);
    return false;
}

Tensor *img_py_tensor_new(PyObject *module, const imgtool_tensor *form, int device)
{
    const State *state = PyModule_GetState(module);
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->tensor_type, Py_tp_alloc);
    Tensor *tensor = (Tensor *)allocate(state->tensor_type, 0);
    if (tensor == NULL)
        return NULL;
    tensor->tensor = *form;
    tensor->tensor.data = NULL;
    tensor->device = device;
    Py_INCREF(module);
    tensor->module = module;
    set_shape(tensor);
    return tensor;
}

PyObject *img_py_make_tensor(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"count", "height", "width",  "channels", "first", "dtype",
                            "mean",  "std",    "device", "pool",     "out",   NULL};
    State *state = PyModule_GetState(module);
    imgtool_tensor made = IMGTOOL_TENSOR_INIT;
    const char *dtype;
    int first = 0, device = ON_HOST;
    PyObject *mean = Py_None, *std = Py_None, *pool = Py_None, *out = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "iiiips|OOiOO:_tensor", names, &made.count,
                                     &made.height, &made.width, &made.channels, &first, &dtype,
                                     &mean, &std, &device, &pool, &out) ||
        !read_element(state, dtype, &made.element) || !check_size(state, &made) ||
        !read_floats(state, mean, "mean", made.channels, made.mean) ||
        !read_floats(state, std, "std", made.channels, made.deviation))
        return NULL;
    made.channels_first = first != 0;
    Tensor *tensor = img_py_tensor_new(module, &made, device);
    if (tensor == NULL)
        return NULL;
    if (pool != Py_None) {
        Py_INCREF(pool);
        tensor->pool = pool;
    }
    if ((out != Py_None && !img_py_tensor_borrow(state, tensor, out)) ||
        !img_py_tensor_allocate(state, tensor))
        Py_CLEAR(tensor);
    return (PyObject *)tensor;
}

/* --- Properties ------------------------------------------------------------------------------- */

static PyObject *get_shape(PyObject *self, void *unused)
{
    const Tensor *tensor = (Tensor *)self;
    (void)unused;
    return Py_BuildValue("nnnn", tensor->shape[0], tensor->shape[1], tensor->shape[2],
                         tensor->shape[3]);
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(img_py_element(((Tensor *)self)->tensor.element)->name);
}

static PyObject *get_layout(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((Tensor *)self)->tensor.channels_first ? "nchw" : "nhwc");
}

static PyObject *get_device(PyObject *self, void *unused)
{
    const int device = ((Tensor *)self)->device;
    (void)unused;
    if (device == ON_HOST)
        Py_RETURN_NONE;
    return PyLong_FromLong(device);
}

static PyObject *get_errors(PyObject *self, void *unused)
{
    Tensor *tensor = (Tensor *)self;
    (void)unused;
    if (tensor->errors == NULL) {
        tensor->errors = PyList_New(tensor->shape[0]);
        for (Py_ssize_t i = 0; tensor->errors != NULL && i < tensor->shape[0]; i++) {
            Py_INCREF(Py_None);
            (void)PyList_SetItem(tensor->errors, i, Py_None);
        }
    }
    Py_XINCREF(tensor->errors);
    return tensor->errors;
}

static int set_errors(PyObject *self, PyObject *errors, void *unused)
{
    Tensor *tensor = (Tensor *)self;
    (void)unused;
    Py_XINCREF(errors);
    Py_XDECREF(tensor->errors);
    tensor->errors = errors;
    return 0;
}

static Py_ssize_t count_pictures(PyObject *self)
{
    return ((Tensor *)self)->shape[0];
}

static PyObject *represent(PyObject *self)
{
    const Tensor *tensor = (Tensor *)self;
    char where[32] = "";
    if (tensor->device != ON_HOST)
        PyOS_snprintf(where, sizeof where, ", on GPU %d", tensor->device);
    return PyUnicode_FromFormat("<imgtool.Tensor %zd x %zd x %zd x %zd, %s, %s%s>",
                                tensor->shape[0], tensor->shape[1], tensor->shape[2],
                                tensor->shape[3], tensor->tensor.channels_first ? "nchw" : "nhwc",
                                img_py_element(tensor->tensor.element)->name, where);
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError, "create an imgtool.Tensor by imgtool.read_batch");
    return NULL;
}

/* --- The types -------------------------------------------------------------------------------- */

static PyGetSetDef properties[] = {
    {"shape", get_shape, NULL,
     "(count, channels, height, width), or (count, height, width, channels)", NULL},
    {"dtype", get_dtype, NULL, "'uint8', 'uint16', 'float16', 'bfloat16' or 'float32'", NULL},
    {"layout", get_layout, NULL, "'nchw' or 'nhwc'", NULL},
    {"device", get_device, NULL, "index of the GPU that holds the memory; None: host memory", NULL},
    {"errors", get_errors, set_errors,
     "a list with None, or the imgtool.Error, of each source; a picture that failed is zeros",
     NULL},
    {"__array_interface__", img_py_tensor_interface, NULL, "NumPy's array interface, version 3",
     NULL},
    {"__cuda_array_interface__", img_py_tensor_cuda_interface, NULL,
     "CUDA's array interface, version 3", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))img_py_tensor_dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "Export the memory without a copy, for from_dlpack of other modules."},
    {"__dlpack_device__", img_py_tensor_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self)\n--\n\nReturn (type, index) of the DLPack device that holds the "
     "memory."},
    {"to_host", img_py_tensor_to_host, METH_NOARGS,
     "to_host($self)\n--\n\nCopy the numbers to host memory and return a new Tensor.\n\n"
     "Returns this Tensor if they are in host memory already."},
    {"_follow", img_py_tensor_follow, METH_O, NULL},
    {"_deliver", img_py_tensor_deliver, METH_O, NULL},
    {"_mark", img_py_tensor_mark, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Pictures of one size, as an array of four dimensions without gaps.\n\n"
                "Has the buffer protocol, __array_interface__ and DLPack in host memory, and\n"
                "__cuda_array_interface__ and DLPack on a GPU: numpy.asarray(tensor) and\n"
                "torch.from_dlpack(tensor) share the memory and keep it alive. bfloat16\n"
                "needs DLPack; the other interfaces give its bits as uint16."},
    {Py_tp_new, (void *)refuse_new},
    {Py_tp_dealloc, (void *)deallocate},
    {Py_tp_repr, (void *)represent},
    {Py_sq_length, (void *)count_pictures},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, (void *)img_py_tensor_buffer},
    {0, NULL},
};
static PyType_Spec spec = {"imgtool.Tensor", sizeof(Tensor), 0, Py_TPFLAGS_DEFAULT, slots};

bool img_py_make_tensor_types(PyObject *module, State *state)
{
    state->tensor_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return state->tensor_type != NULL && img_py_make_pool_type(state) &&
           PyObject_SetAttrString(module, "Tensor", (PyObject *)state->tensor_type) == 0;
}
