"""The build backend of this directory. The module is built from kernels/ and io/, too, and an sdist has to hold them:
so hooks run in a temporary copy of what it needs, in whose root project.toml is the pyproject.toml."""

import contextlib
import functools
import os
import shutil
import tempfile

import scikit_build_core.build as backend

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, os.pardir, os.pardir)
PARTS = ["CMakeLists.txt", "LICENSE", "kernels", "io", "app/library", "app/python"]


@contextlib.contextmanager
def copied_sources():
    """The copy is the working directory until the end."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="imgtool-") as directory:
        for part in PARTS:
            source, copy = os.path.join(ROOT, part), os.path.join(directory, part)
            if os.path.isdir(source):
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy)
        shutil.copy(os.path.join(HERE, "project.toml"), os.path.join(directory, "pyproject.toml"))
        os.chdir(directory)
        try:
            yield
        finally:
            os.chdir(before)


def in_copy(hook):
    """A hook of PEP 517, whose first argument may be a directory for its result."""
    @functools.wraps(hook)
    def run(*arguments, **named):
        if arguments and isinstance(arguments[0], str):
            arguments = (os.path.abspath(arguments[0]), *arguments[1:])
        with copied_sources():
            return hook(*arguments, **named)
    return run


build_sdist = in_copy(backend.build_sdist)
build_wheel = in_copy(backend.build_wheel)
get_requires_for_build_sdist = in_copy(backend.get_requires_for_build_sdist)
get_requires_for_build_wheel = in_copy(backend.get_requires_for_build_wheel)
