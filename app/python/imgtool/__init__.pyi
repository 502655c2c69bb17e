# Types of imgtool's functions. Their docstrings have the details.
import os
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
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

class _Device(TypedDict):
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
def devices() -> List[_Device]: ...
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
