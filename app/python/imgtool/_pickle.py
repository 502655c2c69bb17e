"""Support of pickle and copy for Array. The pixels are stored as they are, the metadata as a PNG of one pixel."""

import copyreg

from imgtool import _imgtool

# Colours that a PNG cannot hold, with the colours that replace them. 16-bit integers replace floats.
_CARRIED = {"bgra": "rgba"}


def _carrier(array):
    """Returns the metadata of an array as a PNG, because a PNG can hold all of them."""
    color = _CARRIED.get(array.color, array.color)
    sample = "B" if array.dtype == "uint8" else "H"
    channels = {"gray": 1, "palette": 1, "gray+alpha": 2, "rgb": 3, "rgba": 4}[color]
    pixel = memoryview(bytes(channels * (1 if sample == "B" else 2))).cast(sample, (1, 1, channels))
    return _imgtool.encode(pixel, color=color, metadata=array, level=1, threads=1)


def _restore(pixels, height, width, color, dtype, carrier):
    if carrier is not None:
        carrier = _imgtool.read(carrier, color=_CARRIED.get(color, color), threads=1)
    return _imgtool._make(pixels, height, width, color, dtype, carrier)


def _reduce(array):
    array = array.to_host()
    carrier = _carrier(array) if array.metadata else None
    return _restore, (memoryview(array).tobytes(), *array.shape[:2], array.color, array.dtype, carrier)


copyreg.pickle(_imgtool.Array, _reduce)
