/* Python with the module _imgtool inside, so that the module runs on the emulator of a GPU, which
 * only programs can link. emulated.py makes it importable. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyMODINIT_FUNC PyInit__imgtool(void);

int main(int argc, char **argv)
{
    PyImport_AppendInittab("imgtool._imgtool", PyInit__imgtool);
    return Py_BytesMain(argc, argv);
}
