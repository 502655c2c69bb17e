"""Build backend for pip. The module is also built from kernels/ and io/, outside this directory, and an sdist must
contain them. Each hook therefore runs in a temporary copy of all sources that the module needs. project.toml becomes
the pyproject.toml of that copy."""

import contextlib
import functools
import os
import shutil
import tempfile

import scikit_build_core.build as backend

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, os.pardir, os.pardir)
PARTS = ["CMakeLists.txt", "LICENSE", "kernels", "io", "app/library", "app/engine", "app/text", "app/python", "app/packaging/copyright"]


@contextlib.contextmanager
def copied_sources():
    """Context manager: copies the sources, and makes the copy the working directory until the block ends."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="imgtool-") as directory:
        for part in PARTS:
            source, copy = os.path.join(ROOT, part), os.path.join(directory, part)
            if os.path.isdir(source):
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(source, copy)
        shutil.copy(os.path.join(HERE, "project.toml"), os.path.join(directory, "pyproject.toml"))
        os.chdir(directory)
        try:
            yield
        finally:
            os.chdir(before)


def in_copy(hook):
    """Wraps a PEP 517 hook so that it runs in the copy. The first argument of a hook may be the path of a directory for
    its result."""
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
