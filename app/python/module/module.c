/* Defines the module imgtool._imgtool: its functions, and its creation and destruction in an
 * interpreter. */
#include "app/python/module/module.h"

#include <string.h>

/* --- Functions -------------------------------------------------------------------------------- */

#define WITH_KEYWORDS(function)                                                                    \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

#define LIMITS_DOC                                                                                 \
    "threads: maximum number of CPU threads; 0: all CPUs of the process.\n"                        \
    "max_pixels, max_memory (bytes): limits; 0: 1,000 megapixels, and three\n"                     \
    "  quarters of the memory of the machine or its control group.\n"
#define ENCODING_DOC                                                                               \
    "array: an Array, an object with the buffer protocol or DLPack, or an image\n"                 \
    "  of Pillow. Shape (height, width) or (height, width, 1 to 4 channels), uint8\n"              \
    "  or uint16; views are allowed. Converted to uint8: bool, integers from 0 to\n"               \
    "  255 and floats from 0 to 1; ValueError for other values.\n"                                 \
    "level: PNG, 0 (stored), 1 (fastest) to 9 (smallest).\n"                                       \
    "quality: JPEG, 1 to 100.\n"                                                                   \
    "format: 'png', 'jpeg', 'bmp' or 'tga'.\n"                                                     \
    "index: PNG, add an index for parallel decoding, which costs some bytes.\n"                    \
    "interlaced: PNG, Adam7.\n"                                                                    \
    "color: the meaning of the channels, such as 'bgra' or 'palette'; None: by\n"                  \
    "  their number.\n"                                                                            \
    "metadata: an Array to copy metadata from, or a mapping of bytes by chunk\n"                   \
    "  type, such as {'iCCP': ...}; None: that of the array, if it is an Array.\n"
static PyMethodDef functions[] = {
    {"read", WITH_KEYWORDS(img_py_read),
     "read($module, source, *, color=None, dtype=None, threads=0, max_pixels=0,\n"
     "     max_memory=0, device=None, stream=None)\n--\n\n"
     "Read a PNG and return a new Array.\n\n"
     "source: a path, an open file, or the bytes of a file.\n"
     "color: 'gray', 'gray+alpha', 'rgb', 'rgba', 'bgra', or 'palette' for\n"
     "  indices; None: as in the file, and palettes as RGB or RGBA.\n"
     "dtype: uint8, uint16 or float32 (0 to 1), by name or as NumPy's type;\n"
     "  None: uint16 for 16 bits, otherwise uint8; gray of fewer bits is scaled.\n"
     "device: None for host memory; 'cuda' or 'cuda:1' decodes on a GPU, and the\n"
     "  Array stays there, in the colour type of the file and without metadata.\n"
     "stream: a cudaStream_t as an integer, for that work; it is complete when the\n"
     "  call returns.\n" LIMITS_DOC "Raises FileError, FormatError, LimitError or UsageError."},
    {"info", WITH_KEYWORDS(img_py_info),
     "info($module, source, *, max_pixels=0, max_memory=0)\n--\n\n"
     "Describe a PNG without decoding its pixels.\n\n"
     "Returns a dict: width, height (pixels), color, bits (per sample), interlaced,\n"
     "has_alpha, animated, file_bytes, orientation (EXIF; 0: none) and\n"
     "chunks: [(type, bytes), ...]."},
    {"write", WITH_KEYWORDS(img_py_write),
     "write($module, target, array, *, level=4, format=None, quality=90,\n"
     "      index=True, interlaced=False, color=None, metadata=None, threads=0)\n--\n\n"
     "Write a picture to a path or an open file.\n\n"
     "A file at a path is replaced atomically. format None: by the extension of\n"
     "the path, otherwise PNG; an existing PNG with another extension is an "
     "error.\n\n" ENCODING_DOC},
    {"encode", WITH_KEYWORDS(img_py_encode),
     "encode($module, array, *, level=4, format=None, quality=90, index=True,\n"
     "       interlaced=False, color=None, metadata=None, threads=0)\n--\n\n"
     "Encode a picture and return the bytes of the file.\n\n" ENCODING_DOC},
    {"run", WITH_KEYWORDS(img_py_run),
     "run($module, steps, array, *, color=None, backend='auto', device=0,\n"
     "    stream=None, threads=0, max_pixels=0, max_memory=0)\n--\n\n"
     "Run steps such as 'resize 50% | sharpen' on a picture; return a new Array.\n\n"
     "array, color: as for encode; the pixels may be on a GPU.\n"
     "backend: 'auto', 'cpu' or 'cuda'. Pixels in host memory go to a GPU and\n"
     "  back if that is faster. Pixels on a GPU (to_device, PyTorch, CuPy) stay\n"
     "  there.\n"
     "device: index of the GPU, also for pixels with __cuda_array_interface__ only.\n"
     "stream: a cudaStream_t as an integer, on which the work is queued. The work\n"
     "  is complete when the call returns.\n"
     "Metadata of an Array in host memory are updated by the steps.\n" LIMITS_DOC},
    {"run_file", WITH_KEYWORDS(img_py_run_file),
     "run_file($module, steps, source, target, *, format=None, level=4, quality=90,\n"
     "         index=True, accepts_losses=False, temporary=None, backend='auto',\n"
     "         device=0, threads=0, max_pixels=0, max_memory=0)\n--\n\n"
     "Run steps from file to file, in little memory, and return notes.\n\n"
     "Writes the same bytes as the command: palette, depth, interlacing and\n"
     "metadata stay as far as the steps allow it. Rows are read, processed and\n"
     "written in bands. A picture that needs more than max_memory goes to\n"
     "temporary files without names.\n\n"
     "steps: as for run; '' for none, which only changes the encoding.\n"
     "source, target: paths, which may be the same. The target is replaced\n"
     "  atomically; it stays as it is if the call fails.\n"
     "format, level, quality, index: as for write. A file that replaces itself\n"
     "  stays a PNG, whatever its extension. If the pixels do not change and level\n"
     "  is 4, they stay compressed as they are if that is smaller.\n"
     "accepts_losses: write the still picture of an animation; drop chunks with a\n"
     "  wrong CRC from a file that replaces itself. Otherwise these are errors.\n"
     "temporary: directory for temporary files; None: that of the target.\n"
     "backend, device: as for run.\n" LIMITS_DOC
     "Returns a list of texts about damage in the source and losses in the target,\n"
     "such as metadata that a JPEG cannot hold.\n"
     "Raises FileError, FormatError, LimitError, UnsupportedError or UsageError."},
    {"optimize", WITH_KEYWORDS(img_py_optimize),
     "optimize($module, source, target, *, effort=4, clear_alpha=False,\n"
     "         keep_type=False, keep_alpha=False, keep_color=False,\n"
     "         accepts_losses=False, threads=0, max_pixels=0, max_memory=0)\n--\n\n"
     "Make a PNG file smaller without changing a pixel; return the bytes saved.\n\n"
     "source, target: paths, which may be the same. The target is replaced\n"
     "  atomically; it stays as it is if the call fails, and is never larger than\n"
     "  the source. An animation is copied.\n"
     "effort: 1 (fast) to 9 (small).\n"
     "clear_alpha: colours of fully transparent pixels may change.\n"
     "keep_type, keep_alpha, keep_color: keep colour type and depth; transparency;\n"
     "  colours that are all gray.\n"
     "accepts_losses: as for run_file.\n" LIMITS_DOC
     "Raises FileError, FormatError, LimitError or UsageError."},
    {"parse", img_py_parse, METH_VARARGS,
     "parse($module, steps, /)\n--\n\n"
     "Parse steps and return them as text with all their values.\n\n"
     "Raises UsageError, which names the column of the error."},
    {"convert", WITH_KEYWORDS(img_py_convert),
     "convert($module, array, *, color=None, dtype=None, threads=0)\n--\n\n"
     "Convert the colour or the sample type; return a new Array.\n\n"
     "Floats have the range from 0 to 1. Gray is the BT.709 luma of the stored\n"
     "samples."},
    {"to_device", WITH_KEYWORDS(img_py_to_device),
     "to_device($module, array, device=0, *, color=None)\n--\n\n"
     "Copy the pixels to a GPU; return a new Array. to_host copies them back.\n\n"
     "Metadata are not copied: rotate the picture upright (autorotate) before."},
    {"histogram", WITH_KEYWORDS(img_py_histogram),
     "histogram($module, array, *, color=None, threads=0)\n--\n\n"
     "Count the values; return a memoryview of 64-bit integers, shape (rows, values).\n\n"
     "One row per channel and, for colour, a last row for luma."},
    {"stats", WITH_KEYWORDS(img_py_stats),
     "stats($module, array, *, color=None, threads=0)\n--\n\n"
     "Compute exact statistics of each channel and of luma.\n\n"
     "Returns a dict by channel of dicts: pixels, minimum, maximum, median, mean,\n"
     "deviation, entropy, lowest and highest (pixels of the lowest and the highest\n"
     "possible value)."},
    {"compare", WITH_KEYWORDS(img_py_compare),
     "compare($module, a, b, *, threads=0)\n--\n\n"
     "Compare two pictures of one size.\n\n"
     "Returns a dict: pixels, differing (pixels), largest (difference in any\n"
     "channel), x and y (of the first such pixel), mse, psnr (dB) and ssim."},
    {"operations", img_py_operations, METH_NOARGS,
     "operations($module)\n--\n\n"
     "List all operations and their options, as dicts; enough to build a form."},
    {"devices", img_py_devices, METH_NOARGS,
     "devices($module)\n--\n\n"
     "List the GPUs of this machine, as dicts.\n\n"
     "Raises UnavailableError, with the reason, if there is no driver or CUDA."},
    {"_make", img_py_make, METH_VARARGS, NULL},
    {"_pool", img_py_make_pool, METH_NOARGS, NULL},
    {"_tensor", WITH_KEYWORDS(img_py_make_tensor), NULL},
    {"_reader", img_py_make_reader, METH_VARARGS, NULL},
    {"_order", img_py_order, METH_VARARGS, NULL},
    {"_set_max_memory", img_py_set_max_memory, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* --- Creation and destruction ----------------------------------------------------------------- */

static int begin(PyObject *module)
{
    State *state = PyModule_GetState(module);
    return img_py_make_errors(module, state) && img_py_make_array_type(module, state) &&
                   img_py_make_file_type(state) && img_py_make_tensor_types(module, state) &&
                   img_py_make_reader_type(state) &&
                   PyModule_AddStringConstant(module, "__version__", imgtool_version()) == 0
               ? 0
               : -1;
}

static int visit_all(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    if (state == NULL)
        return 0;
    for (int i = 0; i < STATUSES; i++)
        Py_VISIT(state->errors[i]);
    Py_VISIT(state->missing_file);
    Py_VISIT(state->forbidden_file);
    Py_VISIT((PyObject *)state->array_type);
    Py_VISIT((PyObject *)state->file_type);
    Py_VISIT((PyObject *)state->tensor_type);
    Py_VISIT((PyObject *)state->pool_type);
    Py_VISIT((PyObject *)state->reader_type);
    return 0;
}

static int clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    if (state == NULL)
        return 0;
    for (int i = 0; i < STATUSES; i++)
        Py_CLEAR(state->errors[i]);
    Py_CLEAR(state->missing_file);
    Py_CLEAR(state->forbidden_file);
    Py_CLEAR(state->array_type);
    Py_CLEAR(state->file_type);
    Py_CLEAR(state->tensor_type);
    Py_CLEAR(state->pool_type);
    Py_CLEAR(state->reader_type);
    img_py_workers_free(state);
    return 0;
}

static void end(void *module)
{
    (void)clear(module);
}

/* --- The module ------------------------------------------------------------------------------- */

/* MULTIPLE_INTERPRETERS is the number of a module slot, and OWN_GIL its value: subinterpreters with
 * their own GIL may import the module (since Python 3.12). The limited API of 3.9 defines
 * neither. */
enum { MULTIPLE_INTERPRETERS = 3 };
#define OWN_GIL ((void *)2)

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)begin}, {MULTIPLE_INTERPRETERS, OWN_GIL}, {0, NULL}};
static PyModuleDef_Slot slots_before_3_12[] = {{Py_mod_exec, (void *)begin}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "imgtool._imgtool",
    .m_doc = "The compiled part of imgtool; import imgtool instead.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = visit_all,
    .m_clear = clear,
    .m_free = end,
};

/* The interpreter calls this function when it imports the module. */
PyMODINIT_FUNC PyInit__imgtool(void);
PyMODINIT_FUNC PyInit__imgtool(void)
{
    const char *version = Py_GetVersion(); /* a text such as "3.11.2 (main, ...)" */
    const char *minor = strchr(version, '.');
    if (minor != NULL && strtol(minor + 1, NULL, 10) < 12)
        definition.m_slots = slots_before_3_12; /* Versions before 3.12 reject unknown slots. */
    return PyModuleDef_Init(&definition);
}
