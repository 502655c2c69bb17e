"""emulated.py TEST: runs a test in the program emulated_python, which contains the module imgtool._imgtool."""

import importlib.machinery
import runpy
import sys


class Finder:
    """Finds the module in the program. Python itself looks there only for modules outside packages."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "imgtool._imgtool":
            return importlib.machinery.ModuleSpec(name, importlib.machinery.BuiltinImporter, origin="built-in")
        return None


sys.meta_path.insert(0, Finder)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
