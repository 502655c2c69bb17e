"""read_batch: many files into one tensor."""

import os
import secrets
import stat

from imgtool import _imgtool

_CHANNELS = {"gray": 1, "gray+alpha": 2, "rgb": 3, "rgba": 4, "palette": 1}
_LAYOUTS = ("nchw", "nhwc")


def read_device(device):
    """Returns the index of a GPU, or -1 for host memory. Accepts None, "cpu", "cuda", "cuda:1", an index, and
    torch.device."""
    if device is None:
        return -1
    if isinstance(device, int):
        return device
    name, _, index = str(device).partition(":")
    if name == "cpu":
        return -1
    if name != "cuda" or not (index or "0").isdecimal():
        raise _imgtool.UsageError(f"device: None, cpu, cuda or cuda:1, not {device}")
    return int(index or "0")


def _dtype_name(dtype):
    """Returns the name of an element type: "float32", numpy.float32 and torch.float32 are the same."""
    return getattr(dtype, "__name__", str(dtype)).rpartition(".")[2]


def _per_channel(numbers, channels):
    """Returns one number for each channel. A single number is for all of them."""
    if numbers is None:
        return None
    return [numbers] * channels if isinstance(numbers, (int, float)) else list(numbers)


class Form:
    """The form of tensors: everything except the number of pictures. Unknown sizes are 0."""

    def __init__(self, *, layout, dtype, color, size, mean, std):
        if layout not in _LAYOUTS:
            raise _imgtool.UsageError(f"layout: nchw or nhwc, not {layout!r}")
        if color is not None and color not in _CHANNELS:
            raise _imgtool.UsageError(f"color: {', '.join(_CHANNELS)} or None, not {color!r}")
        self.is_first = layout == "nchw"
        self.dtype = _dtype_name(dtype)
        self.is_palette = color == "palette"
        self.channels = 0 if color is None else _CHANNELS[color]
        self.height, self.width = (0, 0) if size is None else size
        self.mean, self.std = mean, std

    def take_shape(self, shape):
        """Takes the sizes of an array of the caller."""
        if len(shape) != 4:
            raise _imgtool.UsageError(f"out: it has {len(shape)} dimensions, and a tensor has 4")
        _, *rest = shape
        if self.is_first:
            self.channels, self.height, self.width = rest
        else:
            self.height, self.width, self.channels = rest

    def is_complete(self):
        return bool(self.height and self.width and self.channels)

    def plan(self, reader, sources, steps):
        """Sets unknown sizes to those of the first source that can be read."""
        if not self.is_complete():
            self.height, self.width, self.channels = reader.plan(
                sources, steps, self.is_palette, self.height, self.width, self.channels
            )

    def shape(self, count):
        sizes = (self.channels, self.height, self.width) if self.is_first else (self.height, self.width, self.channels)
        return (count, *sizes)

    def make(self, count, device, pool=None, out=None):
        return _imgtool._tensor(
            count,
            self.height,
            self.width,
            self.channels,
            self.is_first,
            self.dtype,
            _per_channel(self.mean, self.channels),
            _per_channel(self.std, self.channels),
            device,
            pool,
            out,
        )


def read_batch(
    sources,
    *,
    steps="",
    layout="nchw",
    dtype="uint8",
    color=None,
    size=None,
    mean=None,
    std=None,
    device=None,
    stream=None,
    errors="raise",
    out=None,
    threads=0,
    max_pixels=0,
    max_memory=0,
):
    """Read PNG files into one Tensor, one thread per file or on a GPU.

    sources: paths, the bytes of files, or (path, offset, bytes) for a part of a file; 0 bytes: up to
      its end.
    steps: steps that give all pictures one size, such as "resize 224x224 fit=cover"; or a list with
      one text for each source.
    layout: "nchw" for (count, channels, height, width), or "nhwc".
    dtype: uint8, uint16, float16, bfloat16 or float32, by name or as a type of NumPy or PyTorch.
    color: "gray", "rgb", "gray+alpha" or "rgba"; "palette" for masks: indices, and gray of up to 8
      bits, as they are in the file; None: as the first picture. Gray becomes colour; for the other
      way use the step "grayscale". Palettes become RGB. Transparent colours become alpha if the
      tensor has alpha, otherwise they are ignored.
    size: (height, width) in pixels; None: that of the first picture after its steps. A picture of
      another size fails.
    mean, std: for floats, a number or one for each channel. A sample is divided by its largest
      value, so that it lies from 0 to 1; then mean is subtracted, and the result divided by std.
    device: None for host memory, "cuda" or "cuda:1" for a GPU.
    stream: a cudaStream_t as an integer, on which the work is queued: work queued later on this
      stream finds the tensor. None: the default stream, and the tensor is complete on return.
    errors: "raise" raises the error of the first source that fails; "zeros" fills its place with
      zeros, and Tensor.errors has the error.
    out: an array of the same shape, dtype and device without gaps, such as torch.empty(...), which
      gets the numbers; the Tensor shares its memory. None: new memory.
    threads: maximum number of CPU threads; 0: all CPUs of the process.
    max_pixels, max_memory (bytes): limits for each picture, as for read.

    Returns a Tensor. Raises UsageError, UnavailableError without a GPU, DeviceError, and with
    errors="raise" the errors of read.
    """
    if errors not in ("raise", "zeros"):
        raise _imgtool.UsageError(f"errors: raise or zeros, not {errors!r}")
    sources = list(sources)
    index = read_device(device)
    form = Form(layout=layout, dtype=dtype, color=color, size=size, mean=mean, std=std)
    if out is not None:
        form.take_shape(out.shape)
    reader = _imgtool._reader(index, threads, max_pixels, max_memory)
    form.plan(reader, sources, steps)
    tensor = form.make(len(sources), index, out=out)
    failed = read_into(reader, sources, steps, form, tensor, stream or 0)
    if index >= 0 and stream is None:
        reader.wait(0)
    elif index >= 0:
        tensor._mark(stream)
    if failed is not None:
        if errors == "raise":
            raise next(error for error in failed if error is not None)
        tensor.errors = failed
    return tensor


def read_into(reader, sources, steps, form, tensor, stream):
    """Reads a batch. On a GPU, work on the tensor may still be queued, on its own stream or on `stream`. Returns a
    list with None or the error of each source, or None if all are good."""
    if tensor.device is None:
        return reader.read(sources, steps, form.is_palette, tensor)
    return reader.finish(reader.start(sources, steps, form.is_palette, tensor, stream))


def _device_of(array):
    """Returns the index of the GPU with the array's memory, or -1 for host memory."""
    if isinstance(array, _imgtool.Tensor):
        return -1 if array.device is None else array.device
    kind, index = array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else (1, 0)
    return index if int(kind) in (2, 13) else -1  # CUDA memory, managed CUDA memory


def _is_read_only(array):
    try:
        return memoryview(array).readonly
    except (BufferError, TypeError, ValueError):  # it has no buffer
        return False


def _take(array, layout, mean, std):
    """Returns an array of the caller as a Tensor that shares its memory."""
    if isinstance(array, _imgtool.Tensor):
        if layout is None and mean is None and std is None:
            return array
        layout = layout or array.layout
    form = Form(layout=layout or "nchw", dtype=array.dtype, color=None, size=None, mean=mean, std=std)
    form.take_shape(array.shape)
    if not _is_read_only(array):
        return form.make(len(array), _device_of(array), out=array)
    made = form.make(len(array), -1)  # a Tensor shares only memory that can be written
    memoryview(made).cast("B")[:] = memoryview(array).tobytes()
    return made


def _replace(path, data):
    """Writes a file atomically: a hidden file in the same directory is renamed. An existing file keeps its mode."""
    directory, name = os.path.split(os.fspath(path))
    temporary = os.path.join(directory, f".{name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if os.path.exists(path):
            os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def write_batch(
    tensor,
    paths=None,
    *,
    layout=None,
    mean=None,
    std=None,
    level=4,
    index=True,
    stream=None,
    errors="raise",
    threads=0,
):
    """Encode the pictures of a tensor as PNG files, one thread per picture.

    tensor: a Tensor, or an array of four dimensions without gaps of NumPy, PyTorch or CuPy, in host
      memory or on a GPU, with 1 to 4 channels: gray, gray and alpha, RGB, RGBA. uint8 and uint16 are
      written as they are. For floats, a value is multiplied by std, mean is added, and the result,
      limited to 0 to 1, becomes 8 bits.
    paths: where to write the files, one path for each picture. Files are replaced atomically. None:
      return their bytes.
    layout: "nchw" or "nhwc"; None: that of the Tensor, or "nchw".
    mean, std: a number, or one for each channel; None: those with which the Tensor was read, or 0 and 1.
    level, index: as for write.
    stream: for arrays on a GPU, the cudaStream_t as an integer whose queued work makes them.
    errors: "raise" raises the first error, and then no file is written; "return" returns the
      exception of a picture in its place.
    threads: maximum number of CPU threads; 0: all CPUs of the process.

    Returns a list with the bytes of each file; with paths, a list of None.
    """
    if errors not in ("raise", "return"):
        raise _imgtool.UsageError(f"errors: raise or return, not {errors!r}")
    taken = _take(tensor, layout, mean, std)
    if paths is not None:
        paths = list(paths)
        if len(paths) != len(taken):
            raise _imgtool.UsageError(f"paths: {len(paths)} for {len(taken)} pictures")
    reader = _imgtool._reader(_device_of(taken), threads, 0, 0)
    files = reader.write(taken, level, index, stream or 0)
    if errors == "raise":
        for file in files:
            if isinstance(file, _imgtool.Error):
                raise file
    for i, path in enumerate(paths or ()):
        if not isinstance(files[i], _imgtool.Error):
            _replace(path, files[i])
            files[i] = None
    return files
