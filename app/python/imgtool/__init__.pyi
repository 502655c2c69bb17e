# Types of imgtool's functions. Their docstrings have the details.
import os
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    Union,
)

__version__: str

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_Bytes = Union[bytes, bytearray, memoryview]
_Color = Literal["gray", "gray+alpha", "rgb", "rgba", "bgra", "palette"]
_Format = Literal["png", "jpeg", "bmp", "tga"]
_Backend = Literal["auto", "cpu", "cuda"]
_Dtype = Any  # "uint8", "uint16", "float32", or a type of NumPy or PyTorch with one of these names
_Element = Any  # "uint8", "uint16", "float16", "bfloat16", "float32", or a type of NumPy or PyTorch
_Device = Any  # None, "cpu", "cuda", "cuda:1", an index, or PyTorch's device
_Layout = Literal["nchw", "nhwc"]
_BatchColor = Literal["gray", "gray+alpha", "rgb", "rgba", "palette"]
_Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Tuple[_Path, int, int]]
_Steps = Union[None, str, Sequence[Optional[str]]]
_PerChannel = Union[None, float, Sequence[float]]
_Out = Any  # an array without gaps, with a writable buffer or DLPack
_Pixels = Any  # an Array, an image of Pillow, or an object with the buffer protocol, DLPack or __cuda_array_interface__

class _Writable(Protocol):
    def write(self, data: memoryview, /) -> Optional[int]: ...

class Error(Exception):
    path: Optional[_Path]
    problem: str
    status: str

class UsageError(Error, ValueError): ...
class FileError(Error, OSError): ...
class MissingFileError(FileError, FileNotFoundError): ...
class ForbiddenFileError(FileError, PermissionError): ...
class FormatError(Error, ValueError): ...
class LimitError(Error): ...
class NoMemoryError(Error, MemoryError): ...
class UnsupportedError(Error, ValueError): ...
class UnavailableError(Error, RuntimeError): ...
class DeviceError(Error, RuntimeError): ...
class CancelledError(Error): ...

class Array:
    @property
    def shape(self) -> Union[Tuple[int, int], Tuple[int, int, int]]: ...
    @property
    def dtype(self) -> Literal["uint8", "uint16", "float32"]: ...
    @property
    def color(self) -> _Color: ...
    @property
    def device(self) -> Optional[int]: ...
    @property
    def orientation(self) -> int: ...
    @property
    def metadata(self) -> List[Tuple[str, bytes]]: ...
    @property
    def warnings(self) -> Tuple[str, ...]: ...
    @property
    def __array_interface__(self) -> Dict[str, Any]: ...
    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...
    def to_host(self) -> Array: ...

class Tensor:
    errors: List[Optional[Error]]
    @property
    def shape(self) -> Tuple[int, int, int, int]: ...
    @property
    def dtype(self) -> Literal["uint8", "uint16", "float16", "bfloat16", "float32"]: ...
    @property
    def layout(self) -> _Layout: ...
    @property
    def device(self) -> Optional[int]: ...
    @property
    def __array_interface__(self) -> Dict[str, Any]: ...
    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...

class _Info(TypedDict):
    width: int
    height: int
    color: str
    bits: int
    interlaced: bool
    has_alpha: bool
    animated: bool
    file_bytes: int
    orientation: int
    chunks: List[Tuple[str, int]]

class _Statistics(TypedDict):
    pixels: int
    minimum: int
    maximum: int
    median: int
    mean: float
    deviation: float
    entropy: float
    lowest: int
    highest: int

class _Difference(TypedDict):
    pixels: int
    differing: int
    largest: int
    x: int
    y: int
    mse: float
    psnr: float
    ssim: float

class _Option(TypedDict):
    name: str
    help: str
    value: str
    default: str
    minimum: float
    maximum: float
    stands_alone: bool
    choices: List[str]
    flags: List[str]

class _Operation(TypedDict):
    name: str
    synopsis: str
    help: str
    example: str
    is_measurement: bool
    options: List[_Option]

class _DeviceInfo(TypedDict):
    index: int
    name: str
    compute_capability: Tuple[int, int]
    memory_bytes: int

class Result(NamedTuple):
    source: str
    target: str
    error: Optional[Error]

class BatchError(Error):
    results: List[Result]

def read(
    source: Union[_Path, BinaryIO, _Bytes],
    *,
    color: Optional[_Color] = None,
    dtype: _Dtype = None,
    threads: int = 0,
    max_pixels: int = 0,
    max_memory: int = 0,
    device: _Device = None,
    stream: Optional[int] = None,
) -> Array: ...
def info(
    source: Union[_Path, BinaryIO, _Bytes], *, max_pixels: int = 0, max_memory: int = 0
) -> _Info: ...
def write(
    target: Union[_Path, _Writable],
    array: _Pixels,
    *,
    level: int = 4,
    format: Optional[_Format] = None,
    quality: int = 90,
    index: bool = True,
    interlaced: bool = False,
    color: Optional[_Color] = None,
    metadata: Union[None, Array, Mapping[str, _Bytes]] = None,
    threads: int = 0,
) -> None: ...
def encode(
    array: _Pixels,
    *,
    level: int = 4,
    format: Optional[_Format] = None,
    quality: int = 90,
    index: bool = True,
    interlaced: bool = False,
    color: Optional[_Color] = None,
    metadata: Union[None, Array, Mapping[str, _Bytes]] = None,
    threads: int = 0,
) -> bytes: ...
def run(
    steps: str,
    array: _Pixels,
    *,
    color: Optional[_Color] = None,
    backend: _Backend = "auto",
    device: int = 0,
    stream: Optional[int] = None,
    threads: int = 0,
    max_pixels: int = 0,
    max_memory: int = 0,
) -> Array: ...
def run_file(
    steps: str,
    source: _Path,
    target: _Path,
    *,
    format: Optional[_Format] = None,
    level: int = 4,
    quality: int = 90,
    index: bool = True,
    accepts_losses: bool = False,
    temporary: Optional[_Path] = None,
    backend: _Backend = "auto",
    device: int = 0,
    threads: int = 0,
    max_pixels: int = 0,
    max_memory: int = 0,
) -> List[str]: ...
def optimize(
    source: _Path,
    target: _Path,
    *,
    effort: int = 4,
    clear_alpha: bool = False,
    keep_type: bool = False,
    keep_alpha: bool = False,
    keep_color: bool = False,
    accepts_losses: bool = False,
    threads: int = 0,
    max_pixels: int = 0,
    max_memory: int = 0,
) -> int: ...
def parse(steps: str, /) -> str: ...
def convert(
    array: _Pixels, *, color: Optional[_Color] = None, dtype: _Dtype = None, threads: int = 0
) -> Array: ...
def to_device(array: _Pixels, device: int = 0, *, color: Optional[_Color] = None) -> Array: ...
def histogram(
    array: _Pixels, *, color: Optional[_Color] = None, threads: int = 0
) -> memoryview: ...
def stats(
    array: _Pixels, *, color: Optional[_Color] = None, threads: int = 0
) -> Dict[str, _Statistics]: ...
def compare(a: _Pixels, b: _Pixels, *, threads: int = 0) -> _Difference: ...
def operations() -> List[_Operation]: ...
def devices() -> List[_DeviceInfo]: ...
def batch(
    steps: str,
    sources: Iterable[Union[str, "os.PathLike[str]"]],
    directory: Union[str, "os.PathLike[str]"],
    *,
    workers: Optional[int] = None,
    each: Optional[Callable[[Result], Any]] = None,
    errors: Literal["raise", "return"] = "raise",
    **options: Any,
) -> List[Result]: ...

class Sample(NamedTuple):
    key: str
    sources: Dict[str, Tuple[str, int, int]]
    values: Dict[str, bytes]

class Batch:
    data: Any
    masks: Any
    labels: Any
    indices: List[int]
    errors: List[Optional[Error]]
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

class Loader:
    def __init__(
        self,
        sources: Optional[Sequence[_Source]] = None,
        batch_size: int = 1,
        *,
        shards: Optional[Iterable[str]] = None,
        image: str = "png",
        mask: Optional[str] = None,
        label: Optional[str] = None,
        labels: Any = None,
        masks: Optional[Sequence[_Source]] = None,
        steps: str = "",
        mask_steps: Optional[str] = None,
        layout: _Layout = "nchw",
        dtype: _Element = "uint8",
        mask_dtype: _Element = "uint8",
        color: Optional[_BatchColor] = "rgb",
        size: Optional[Tuple[int, int]] = None,
        mean: _PerChannel = None,
        std: _PerChannel = None,
        random_crop: Optional[Tuple[int, int]] = None,
        random_flip: bool = False,
        shuffle: Optional[int] = None,
        shard: Tuple[int, int] = (0, 1),
        drop_last: bool = False,
        prefetch: int = 2,
        on_error: Literal["raise", "skip", "zeros"] = "raise",
        device: _Device = None,
        stream: Optional[int] = None,
        allocate: Optional[Callable[[Tuple[int, int, int, int], str], Any]] = None,
        threads: int = 0,
        max_pixels: int = 0,
        max_memory: int = 0,
    ) -> None: ...
    def __iter__(self) -> Iterator[Batch]: ...
    def __len__(self) -> int: ...
    def __enter__(self) -> Loader: ...
    def __exit__(self, *_: Any) -> None: ...
    def set_epoch(self, epoch: int) -> None: ...
    def state_dict(self) -> Dict[str, Any]: ...
    def load_state_dict(self, state: Dict[str, Any]) -> None: ...
    def close(self) -> None: ...

def read_batch(
    sources: Iterable[_Source],
    *,
    steps: _Steps = "",
    layout: _Layout = "nchw",
    dtype: _Element = "uint8",
    color: Optional[_BatchColor] = None,
    size: Optional[Tuple[int, int]] = None,
    mean: _PerChannel = None,
    std: _PerChannel = None,
    device: _Device = None,
    stream: Optional[int] = None,
    errors: Literal["raise", "zeros"] = "raise",
    out: _Out = None,
    threads: int = 0,
    max_pixels: int = 0,
    max_memory: int = 0,
) -> Tensor: ...
def tar_index(path: str, *, values: Sequence[str] = ("cls", "json", "txt")) -> List[Sample]: ...
def random_numbers(seed: int, epoch: int, index: int) -> Tuple[int, int, int]: ...
def write_batch(
    tensor: Any,
    paths: Optional[Iterable[Union[str, "os.PathLike[str]"]]] = None,
    *,
    layout: Optional[_Layout] = None,
    mean: _PerChannel = None,
    std: _PerChannel = None,
    level: int = 4,
    index: bool = True,
    stream: Optional[int] = None,
    errors: Literal["raise", "return"] = "raise",
    threads: int = 0,
) -> List[Union[None, bytes, Error]]: ...
