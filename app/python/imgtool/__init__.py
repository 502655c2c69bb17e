"""PNG pictures, decoded and encoded on all cores, and operations on them, on the CPU or a GPU.

    import imgtool, numpy
    picture = imgtool.read("in.png")                      # an imgtool.Array
    pixels = numpy.asarray(picture)                       # the same memory
    imgtool.write("out.png", imgtool.run("resize 50% | sharpen", picture))

Functions let other threads run Python while they work, and may be called from any number of them.
Exceptions of its own are imgtool.Error, with the attributes path, problem and status; what is of a
wrong type is a TypeError, and a number that is too large for any an OverflowError.
"""

from imgtool import _imgtool, _memory, _pickle  # noqa: F401 (the latter registers Array)
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
    parse,
    read,
    run,
    stats,
    to_device,
    write,
)

__all__ = [
    "Array",
    "BatchError",
    "CancelledError",
    "DeviceError",
    "Error",
    "FileError",
    "ForbiddenFileError",
    "FormatError",
    "LimitError",
    "MissingFileError",
    "NoMemoryError",
    "Result",
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
    "parse",
    "read",
    "run",
    "stats",
    "to_device",
    "write",
]

_imgtool._set_max_memory(_memory.default())
