"""Decode and encode PNG pictures on all cores, and run operations on them on the CPU or a GPU.

    import imgtool, numpy
    picture = imgtool.read("in.png")                      # an imgtool.Array
    pixels = numpy.asarray(picture)                       # the same memory
    imgtool.write("out.png", imgtool.run("resize 50% | sharpen", picture))

Functions release the GIL while they work and may be called from any number of threads. Errors of
imgtool are subclasses of imgtool.Error, with the attributes path, problem and status. An argument of
a wrong type raises TypeError, and an integer that no argument can hold raises OverflowError.
"""

from imgtool import _imgtool, _memory, _pickle  # noqa: F401 (_pickle registers Array)
from imgtool._batch import BatchError, Result, batch
from imgtool._imgtool import (
    Array,
    CancelledError,
    DeviceError,
    Error,
    FileError,
    ForbiddenFileError,
    FormatError,
    LimitError,
    MissingFileError,
    NoMemoryError,
    Tensor,
    UnavailableError,
    UnsupportedError,
    UsageError,
    __version__,
    compare,
    convert,
    devices,
    encode,
    histogram,
    info,
    operations,
    optimize,
    parse,
    read,
    run,
    run_file,
    stats,
    to_device,
    write,
)
from imgtool._loader import Batch, Loader, random_numbers
from imgtool._tar import Sample, tar_index
from imgtool._tensor import read_batch, write_batch

__all__ = [
    "Array",
    "Batch",
    "BatchError",
    "CancelledError",
    "DeviceError",
    "Error",
    "FileError",
    "ForbiddenFileError",
    "FormatError",
    "LimitError",
    "Loader",
    "MissingFileError",
    "NoMemoryError",
    "Result",
    "Sample",
    "Tensor",
    "UnavailableError",
    "UnsupportedError",
    "UsageError",
    "batch",
    "compare",
    "convert",
    "devices",
    "encode",
    "histogram",
    "info",
    "operations",
    "optimize",
    "parse",
    "random_numbers",
    "read",
    "read_batch",
    "run",
    "run_file",
    "stats",
    "tar_index",
    "to_device",
    "write",
    "write_batch",
]

_imgtool._set_max_memory(_memory.default())
