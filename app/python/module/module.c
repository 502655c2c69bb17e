/* The module imgtool._imgtool: its functions, and how it begins and ends in an interpreter. */
#include "app/python/module/module.h"

#include <string.h>

/* --- Functions -------------------------------------------------------------------------------- */

#define WITH_KEYWORDS(function)                                                                    \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

#define LIMITS_DOC                                                                                 \
    "threads: of the CPU, at most; 0: as many as the process may use.\n"                           \
    "max_pixels, max_memory (bytes): limits; 0: 1,000 megapixels, and three\n"                     \
    "  quarters of the memory of the machine or its control group.\n"
#define ENCODING_DOC                                                                               \
    "array: an Array, or what has pixels: (height, width[, 1 to 4 channels]) of\n"                 \
    "  uint8 or uint16, by the buffer protocol or DLPack, or an image of Pillow;\n"                \
    "  views are fine. Taken as uint8: bool, integers from 0 to 255, and floats\n"                 \
    "  from 0 to 1; ValueError for other values.\n"                                                \
    "level: PNG, 0 stored, 1 fastest to 9 smallest. quality: JPEG, 1 to 100.\n"                    \
    "format: 'png', 'jpeg', 'bmp', 'tga'. interlaced: PNG, Adam7.\n"                               \
    "index: PNG, say where the file can be decoded in parallel; some bytes.\n"                     \
    "color: what the channels are, as 'bgra' and 'palette'; None: as many as\n"                    \
    "  there are. metadata: an Array whose metadata it gets, or bytes by chunk\n"                  \
    "  type, as {'iCCP': ...}; None: that of the array, if it is an Array.\n"

static PyMethodDef functions[] = {
    {"read", WITH_KEYWORDS(img_py_read),
     "read($module, source, *, color=None, dtype=None, threads=0, max_pixels=0,\n"
     "     max_memory=0)\n--\n\n"
     "Reads a PNG into an Array.\n\n"
     "source: a path, an open file, or the file's bytes.\n"
     "color: 'gray', 'gray+alpha', 'rgb', 'rgba', 'bgra', or 'palette' for\n"
     "  indices; None: as in the file, and of palettes their colours.\n"
     "dtype: uint8, uint16 or float32 (0 to 1), by name or as NumPy has them;\n"
     "  None: 16 bits as uint16, all else as uint8, whose gray of few bits is\n"
     "  scaled.\n" LIMITS_DOC "Raises Error: FileError, FormatError, LimitError, UsageError."},
    {"info", WITH_KEYWORDS(img_py_info),
     "info($module, source, *, max_pixels=0, max_memory=0)\n--\n\n"
     "What a PNG is, as a dict, without decoding its pixels.\n\n"
     "width, height, color, bits, interlaced, has_alpha, animated, file_bytes,\n"
     "orientation (EXIF; 0: none) and chunks: [(type, bytes), ...]."},
    {"write", WITH_KEYWORDS(img_py_write),
     "write($module, target, array, *, level=4, format=None, quality=90,\n"
     "      index=True, interlaced=False, color=None, metadata=None, threads=0)\n--\n\n"
     "Writes a picture to a path, where the file appears whole or not at all, or\n"
     "to an open file. format None: by the path's extension, else PNG; a PNG whose name says "
     "otherwise is refused.\n\n" ENCODING_DOC},
    {"encode", WITH_KEYWORDS(img_py_encode),
     "encode($module, array, *, level=4, format=None, quality=90, index=True,\n"
     "       interlaced=False, color=None, metadata=None, threads=0)\n--\n\n"
     "The same as bytes.\n\n" ENCODING_DOC},
    {"run", WITH_KEYWORDS(img_py_run),
     "run($module, steps, array, *, color=None, backend='auto', device=0,\n"
     "    stream=None, threads=0, max_pixels=0, max_memory=0)\n--\n\n"
     "Runs steps, as 'resize 50% | sharpen', on a picture: a new Array.\n\n"
     "Pixels that are on a GPU (to_device, PyTorch, CuPy) stay there, and the\n"
     "work is done when the call returns; `stream`, a cudaStream_t as a number,\n"
     "is where it is queued, and `device` counts where __cuda_array_interface__\n"
     "is all that tells of them. Others go to a GPU and back where that is faster.\n"
     "backend: 'auto', 'cpu' or 'cuda'. Of an Array metadata follow the steps.\n" LIMITS_DOC},
    {"parse", img_py_parse, METH_VARARGS,
     "parse($module, steps, /)\n--\n\n"
     "Steps with all their values; UsageError names the column of what is wrong."},
    {"convert", WITH_KEYWORDS(img_py_convert),
     "convert($module, array, *, color=None, dtype=None, threads=0)\n--\n\n"
     "A new Array of another colour or type of samples; floats are 0 to 1, and\n"
     "gray is BT.709's luma of the stored samples."},
    {"to_device", WITH_KEYWORDS(img_py_to_device),
     "to_device($module, array, device=0, *, color=None)\n--\n\n"
     "The same pixels on a GPU: a new Array. to_host is the way back. Metadata\n"
     "stay behind, so turn it upright (autorotate) before."},
    {"histogram", WITH_KEYWORDS(img_py_histogram),
     "histogram($module, array, *, color=None, threads=0)\n--\n\n"
     "Counts of values, as a memoryview of 64-bit numbers: a row for each channel\n"
     "and, of colours, a last one for luma."},
    {"stats", WITH_KEYWORDS(img_py_stats),
     "stats($module, array, *, color=None, threads=0)\n--\n\n"
     "Exact figures of each channel and of luma: a dict of dicts with pixels,\n"
     "minimum, maximum, median, mean, deviation, entropy, lowest, highest."},
    {"compare", WITH_KEYWORDS(img_py_compare),
     "compare($module, a, b, *, threads=0)\n--\n\n"
     "How two pictures of one size differ: a dict with pixels, differing, largest,\n"
     "x and y of the first difference, mse, psnr and ssim."},
    {"operations", img_py_operations, METH_NOARGS,
     "operations($module)\n--\n\n"
     "All operations and their options, as dicts: enough to make a form of."},
    {"devices", img_py_devices, METH_NOARGS,
     "devices($module)\n--\n\n"
     "The GPUs of this machine, as dicts. UnavailableError says why there are none."},
    {"_make", img_py_make, METH_VARARGS, NULL},
    {"_set_max_memory", img_py_set_max_memory, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* --- Life in an interpreter ------------------------------------------------------------------- */

static int begin(PyObject *module)
{
    State *state = PyModule_GetState(module);
    return img_py_make_errors(module, state) && img_py_make_array_type(module, state) &&
                   img_py_make_file_type(state) &&
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
    img_py_workers_free(state);
    return 0;
}

static void end(void *module)
{
    (void)clear(module);
}

/* --- The module ------------------------------------------------------------------------------- */

/* Python 3.12's slot and value, which say that interpreters with a GIL of their own may have it. */
enum { MULTIPLE_INTERPRETERS = 3 };
#define OWN_GIL ((void *)2)

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)begin}, {MULTIPLE_INTERPRETERS, OWN_GIL}, {0, NULL}};
static PyModuleDef_Slot slots_before_3_12[] = {{Py_mod_exec, (void *)begin}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "imgtool._imgtool",
    .m_doc = "What imgtool is made of; import imgtool.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = visit_all,
    .m_clear = clear,
    .m_free = end,
};

PyMODINIT_FUNC PyInit__imgtool(void); /* which the interpreter looks for */
PyMODINIT_FUNC PyInit__imgtool(void)
{
    const char *version = Py_GetVersion(); /* "3.11.2 ..." */
    const char *minor = strchr(version, '.');
    if (minor != NULL && strtol(minor + 1, NULL, 10) < 12)
        definition.m_slots = slots_before_3_12; /* which know no other slots */
    return PyModuleDef_Init(&definition);
}
