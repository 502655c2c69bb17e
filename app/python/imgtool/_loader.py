"""Loader: an iterator over batches, whose next batches are read while the current one is used."""

import collections
import concurrent.futures
import hashlib
import os
import struct
import weakref
import zlib
from typing import Any, Dict, List, NamedTuple, Optional

from imgtool import _imgtool
from imgtool._tar import tar_index
from imgtool._tensor import Form, read_device, read_into


class Batch:
    """One batch of a Loader.

    data: a Tensor, or what `allocate` returned.
    masks: the same for masks; None: there are none.
    labels: the labels of the pictures, a list or, if `labels` is an array, an array; None: there are none.
    indices: the indices of the pictures in `sources`.
    errors: None or an imgtool.Error for each picture.

    Unpacks to data, then masks and labels if there are any: `for pictures, labels in loader`.
    """

    __slots__ = ("_tensors", "data", "errors", "indices", "labels", "masks")

    def __init__(self, results, labels, indices, errors):
        self.data = results[0].given
        self.masks = results[1].given if len(results) > 1 else None
        self.labels, self.indices, self.errors = labels, indices, errors
        self._tensors = [result.tensor for result in results]

    def _deliver(self, stream):
        """Makes later work on the caller's stream wait for the batch."""
        for tensor in self._tensors:
            if tensor.device is not None:
                tensor._deliver(stream)
        self._tensors = []

    def __iter__(self):
        yield self.data
        if self.masks is not None:
            yield self.masks
        if self.labels is not None:
            yield self.labels

    def __len__(self):
        return len(self.indices)


def random_numbers(seed, epoch, index):
    """Returns three integers from 0 to 2**64 - 1 for one picture of an epoch.

    They are the first 24 bytes of BLAKE2b of three little-endian 64-bit integers: seed, epoch, index.
    """
    digest = hashlib.blake2b(struct.pack("<3Q", seed, epoch, index), digest_size=24).digest()
    return struct.unpack("<3Q", digest)


def _pick(items, indices):
    """Returns the items at the indices: as an array if `items` is one, otherwise as a list."""
    if hasattr(items, "dtype") and hasattr(items, "__getitem__"):
        return items[indices]
    return [items[index] for index in indices]


class _Result(NamedTuple):
    """A tensor that was read: the object that the caller gets, and the errors of its pictures; None: no errors."""

    given: Any
    tensor: _imgtool.Tensor
    failed: Optional[List[Optional[_imgtool.Error]]]


class _Choice(NamedTuple):
    """What is chosen for the pictures of a batch."""

    indices: List[int]
    crops: Optional[List[str]]  # the steps of each picture that follow those of the loader; None: none
    refused: Dict[int, _imgtool.Error]  # by position in the batch: masks whose size is not that of the picture


class _Part:
    """The pictures, or the masks, of a loader: sources, steps, and the form of their tensors."""

    def __init__(self, sources, steps, form):
        self.sources, self.steps, self.form = sources, steps, form

    def pick(self, indices):
        return [self.sources[index] for index in indices]

    def choose(self, choice):
        """Returns the sources, and the steps or a text for each source."""
        sources = self.pick(choice.indices)
        if self.form.is_palette:
            for position in choice.refused:
                sources[position] = b""  # fails, so that the mask is zeros
        if choice.crops is None:
            return sources, self.steps
        return sources, [" | ".join(filter(None, (self.steps, crop))) for crop in choice.crops]


def _empty_png(height, width):
    """Returns a PNG of this size without pixels, for planning."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"".join((b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header), chunk(b"IDAT", b""), chunk(b"IEND", b"")))


# Steps that give these pictures one size give it to all: small and large ones, wide and high ones.
_PROBES = [_empty_png(*size) for size in ((1, 3), (37, 211), (5000, 4000), (400, 30000))]


class _Work:
    """Reads the batches of one epoch. It belongs to an iterator, and runs in the iterator's thread."""

    def __init__(self, loader, epoch):
        self.loader, self.epoch = loader, epoch
        self.device, self.stream = loader._device, loader._stream or 0
        self.reader = _imgtool._reader(self.device, loader._threads, *loader._limits)
        self.pool = _imgtool._pool()
        self.started = {}
        self.fixed = {}  # by part: the size that its steps give to every picture, or None

    # --- Choices of each picture ---

    def _crop(self, index, height, width):
        """Returns the steps that crop and flip a picture of this size."""
        loader = self.loader
        down, right, flip = random_numbers(loader._seed, self.epoch, index)
        steps = []
        if loader._crop is not None:
            rows, columns = loader._crop
            y = down * max(height - rows + 1, 1) >> 64
            x = right * max(width - columns + 1, 1) >> 64
            steps.append(f"crop x={x} y={y} width={columns} height={rows}")
        if loader._flip and flip & 1:
            steps.append("flip axis=horizontal")
        return " | ".join(steps)

    def _sizes(self, part, indices):
        """Returns the size of each picture after the steps. Headers are read unless the steps fix the size."""
        if part not in self.fixed:
            sizes = set(self.reader.sizes(_PROBES, part.steps, part.form.is_palette))
            self.fixed[part] = sizes.pop() if len(sizes) == 1 and (0, 0) not in sizes else None
        if self.fixed[part] is not None:
            return [self.fixed[part]] * len(indices)
        return self.reader.sizes(part.pick(indices), part.steps, part.form.is_palette)

    def _choose(self, indices):
        """Chooses the random steps of each picture."""
        loader = self.loader
        if loader._crop is None and not loader._flip:
            return _Choice(indices, None, {})
        sizes, refused = [(0, 0)] * len(indices), {}
        if loader._crop is not None:
            sizes, *masks = [self._sizes(part, indices) for part in loader._parts]
            for mask_sizes in masks:
                refused = _refuse(sizes, mask_sizes)
        return _Choice(indices, [self._crop(index, *size) for index, size in zip(indices, sizes)], refused)

    # --- Tensors ---

    def _make(self, form, count):
        """Returns a tensor, and the object that the caller gets."""
        allocate = self.loader._allocate
        if allocate is None:
            made = form.make(count, self.device, pool=self.pool)
            return made, made
        given = allocate(form.shape(count), form.dtype)
        made = form.make(count, self.device, pool=self.pool, out=given)
        if self.device >= 0:
            made._follow(self.stream)  # the caller's work may still use this memory
        return made, given

    def _prepare(self, part, choice):
        sources, steps = part.choose(choice)
        part.form.plan(self.reader, sources, steps)
        tensor, given = self._make(part.form, len(sources))
        return sources, steps, part.form, tensor, given

    def _read(self, part, choice):
        sources, steps, form, tensor, given = self._prepare(part, choice)
        return self._result(given, tensor, read_into(self.reader, sources, steps, form, tensor, self.stream))

    @staticmethod
    def _result(given, tensor, failed):
        if failed is not None:
            tensor.errors = failed
        return _Result(given, tensor, failed)

    # --- Batches ---

    def _read_all(self, indices):
        """Reads pictures and masks. Returns a Batch."""
        choice = self._choose(indices)
        return self._assemble(choice, [self._read(part, choice) for part in self.loader._parts])

    def _assemble(self, choice, results):
        indices, labels = choice.indices, self.loader._labels
        found = [result.failed for result in results if result.failed is not None]
        errors = [next(filter(None, each), None) for each in zip(*found)] if found else [None] * len(indices)
        for position, error in choice.refused.items():
            errors[position] = error
        return Batch(results, None if labels is None else _pick(labels, indices), indices, errors)

    def _handle(self, batch):
        """Applies on_error. Returns None if no picture is left."""
        on_error = self.loader._on_error
        while on_error != "zeros" and any(batch.errors):
            if on_error == "raise":
                raise next(filter(None, batch.errors))
            kept = [index for index, error in zip(batch.indices, batch.errors) if error is None]
            if not kept:
                return None
            batch = self._read_all(kept)
        return batch

    def _skips_all(self):
        """Returns True if no file could be read so far, so that the size is not known, and such files are skipped."""
        return self.loader._on_error == "skip" and not all(part.form.is_complete() for part in self.loader._parts)

    def _finish_on_host(self, number):
        try:
            return self._handle(self._read_all(self.loader._indices(self.epoch, number)))
        except _imgtool.Error:
            if self._skips_all():
                return None
            raise

    def start(self, number):
        """Queues a batch on the GPU, without waiting for it."""
        choice = self._choose(self.loader._indices(self.epoch, number))
        queued = []
        for part in self.loader._parts:
            sources, steps, form, tensor, given = self._prepare(part, choice)
            pending = self.reader.start(sources, steps, form.is_palette, tensor, self.stream)
            queued.append((given, tensor, pending))
        self.started[number] = choice, queued

    def finish(self, number):
        """Returns a Batch, or None if all its pictures failed and are skipped."""
        if self.device < 0:
            return self._finish_on_host(number)
        if number not in self.started and self._skips_all():
            return None
        if number not in self.started:
            raise _imgtool.DeviceError("the batch could not be queued")
        choice, queued = self.started.pop(number)
        results = [self._result(given, tensor, self.reader.finish(pending)) for given, tensor, pending in queued]
        return self._handle(self._assemble(choice, results))


def _refuse(sizes, mask_sizes):
    """Returns errors by position for masks whose size is not that of the picture. Unknown sizes are 0 x 0."""
    refused = {}
    for position, (size, mask) in enumerate(zip(sizes, mask_sizes)):
        if size != mask and size[0] and mask[0]:
            text = "the mask has {1} x {0} pixels, and the picture {3} x {2}".format(*mask, *size)
            refused[position] = error = _imgtool.UnsupportedError(text)
            error.problem, error.status = text, "not possible with this picture"
    return refused


# On a GPU: so many batches are queued when the first of them is waited for.
_IN_FLIGHT = 3


class _Iterator:
    """Iterates over the batches of one epoch. Each batch is a task of one thread, which reads ahead."""

    def __init__(self, loader, epoch, first):
        self._loader, self._epoch, self._next = loader, epoch, first
        self._count = loader._count_batches()
        self._scheduled = self._queued = first  # numbers of the next batches to read and to queue
        self._process = os.getpid()
        self._work = _Work(loader, epoch)
        self._pool = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="imgtool-loader")
        self._futures = collections.deque()
        self._starts = collections.deque()
        self._schedule()

    def __iter__(self):
        return self

    def _schedule(self):
        """Submits tasks, so that `prefetch` batches are read ahead. On a GPU the next batches are queued before the
        task that waits for a batch."""
        while self._scheduled < self._count and len(self._futures) < self._loader._prefetch:
            number = self._scheduled
            self._scheduled += 1
            if self._work.device >= 0:
                self._queue_until(min(number + _IN_FLIGHT, self._count))
            self._futures.append(self._pool.submit(self._work.finish, number))

    def _queue_until(self, end):
        while self._queued < end:
            self._starts.append(self._pool.submit(self._work.start, self._queued))
            self._queued += 1

    def _check_starts(self):
        """Raises the error of a batch that could not be queued."""
        while self._starts and self._starts[0].done():
            self._starts.popleft().result()

    def _advance(self):
        """Goes on to the next batch."""
        self._futures.popleft()
        self._next += 1
        self._note()
        self._schedule()

    def _note(self):
        """Notes in the loader how far the iteration is. After the last batch the next epoch follows."""
        if self._next < self._count:
            self._loader._note(self._epoch, self._next)
        else:
            self._loader._note(self._epoch + 1, 0)

    def __next__(self):
        if self._process != os.getpid():
            raise _imgtool.UsageError("the iterator belongs to the parent process; call iter(loader) in this process")
        while self._futures:
            try:
                batch = self._futures[0].result()
            except Exception as error:  # not KeyboardInterrupt, after which the batch is still to come
                self._advance()
                if isinstance(error, _imgtool.DeviceError):
                    self._check_starts()
                raise
            self._advance()
            if batch is not None:
                batch._deliver(self._work.stream)
                return batch
        self.close()
        raise StopIteration

    def close(self, wait=True):
        """Stops reading ahead. No further batch follows."""
        pool, self._pool = self._pool, None
        self._futures.clear()
        if pool is None or self._process != os.getpid():
            return
        self._work.reader.cancel()
        pool.shutdown(wait=wait, cancel_futures=True)

    def __del__(self):
        if getattr(self, "_pool", None) is not None:
            self.close(wait=False)


class Loader:
    """An iterable over batches of pictures for training and inference.

    for pictures, labels in imgtool.Loader(paths, 256, labels=labels, steps="resize 224x224 fit=cover",
                                           dtype="float32", mean=0.5, std=0.25, shuffle=1):

    sources: paths, bytes of files, or (path, offset, bytes), as for read_batch.
    batch_size: number of pictures.
    shards: instead of sources, tar archives in WebDataset's layout. `image` and `mask` are the
      extensions of the pictures and masks ("png", "mask.png"). `label` is the extension of labels:
      "cls" becomes an int, others stay bytes.
    labels: anything with an item for each source: a list, or an array of NumPy or PyTorch.
    masks: sources of masks, one for each source. They are read with color="palette" and mask_steps,
      as mask_dtype, with one channel, without mean and std.
    steps, layout, dtype, color, size, mean, std, device, threads, max_pixels, max_memory: as for
      read_batch, but steps is one text, and color is "rgb" unless given.
    mask_steps: the steps of masks; resize with filter=nearest keeps indices. They are needed if there
      are steps and masks; "" for none. With random_crop, a mask of another size than its picture fails.
    random_crop: (height, width): after the steps each picture is cropped at a random position.
    random_flip: then one half of the pictures is mirrored left to right. A mask gets the crop and the
      flip of its picture. The choices depend on seed, epoch and index only (random_numbers):
      y = r0 * (rows + 1) >> 64 and x = r1 * (columns + 1) >> 64, where rows and columns are how much
      larger the picture is than the crop; the lowest bit of r2 mirrors.
    shuffle: the seed of a new order for each epoch, and of random choices; None: in order, and seed 0.
    shard: (rank, world): this loader has every world-th picture from number rank on, in the order of
      the epoch. Numbers of pictures differ by at most one between ranks; with drop_last they are equal.
    drop_last: leave out the last batch if it is smaller.
    prefetch: number of batches that are read ahead, at least 1.
    on_error: "raise" raises the error of a file that fails, and the next batch follows; "skip" leaves
      the picture out, so that the batch is smaller; "zeros" fills its place with zeros (Batch.errors).
    stream: the caller's cudaStream_t as an integer; work that is queued on it after a batch was
      delivered finds the batch. None: the default stream.
    allocate: a function of (shape, dtype name) that returns the array for a batch, such as
      lambda shape, dtype: torch.empty(shape, dtype=getattr(torch, dtype)). It runs in the loader's
      thread. None: memory of imgtool, which is used again when a batch was freed.

    len() is the number of batches. Each iteration is one epoch; it begins again at the first batch,
    or where load_state_dict says. A Loader can be pickled and used after fork; an iterator cannot.
    close(), or leaving a `with` block, ends its threads. Ctrl-C ends the wait for a batch.
    """

    def __init__(
        self,
        sources=None,
        batch_size=1,
        *,
        shards=None,
        image="png",
        mask=None,
        label=None,
        labels=None,
        masks=None,
        steps="",
        mask_steps=None,
        layout="nchw",
        dtype="uint8",
        mask_dtype="uint8",
        color="rgb",
        size=None,
        mean=None,
        std=None,
        random_crop=None,
        random_flip=False,
        shuffle=None,
        shard=(0, 1),
        drop_last=False,
        prefetch=2,
        on_error="raise",
        device=None,
        stream=None,
        allocate=None,
        threads=0,
        max_pixels=0,
        max_memory=0,
    ):
        if (sources is None) == (shards is None):
            raise _imgtool.UsageError("give sources or shards")
        if shards is not None:
            sources, masks, labels = _read_shards(shards, image, mask, label)
        if on_error not in ("raise", "skip", "zeros"):
            raise _imgtool.UsageError(f"on_error: raise, skip or zeros, not {on_error!r}")
        rank, world = shard
        if not 0 <= rank < world:
            raise _imgtool.UsageError(f"shard: (rank, world) with a rank below {world}, not {rank}")
        if batch_size < 1 or prefetch < 1:
            raise _imgtool.UsageError("batch_size and prefetch are at least 1")
        for name, items in (("labels", labels), ("masks", masks)):
            if items is not None and len(items) != len(sources):
                raise _imgtool.UsageError(f"{name}: {len(items)} for {len(sources)} sources")
        if masks is not None and steps and mask_steps is None:
            raise _imgtool.UsageError("mask_steps: masks need steps too, such as resize with filter=nearest")
        for text in (steps, mask_steps):
            if text:
                _imgtool.parse(text)  # invalid steps fail here
        crop_size = random_crop if size is None else size
        form = Form(layout=layout, dtype=dtype, color=color, size=crop_size, mean=mean, std=std)
        self._pictures = _Part(sources, steps, form)
        self._parts = [self._pictures]
        if masks is not None:
            form = Form(layout=layout, dtype=mask_dtype, color="palette", size=crop_size, mean=None, std=None)
            self._parts.append(_Part(masks, mask_steps or "", form))
        self._labels = labels
        self._batch_size, self._drop_last, self._prefetch = batch_size, drop_last, prefetch
        self._crop, self._flip = random_crop, random_flip
        self._shuffles, self._seed = shuffle is not None, shuffle or 0
        self._shard = (rank, world)
        self._on_error = on_error
        self._device, self._stream, self._allocate = read_device(device), stream, allocate
        self._threads, self._limits = threads, (max_pixels, max_memory)
        self._epoch = self._delivered = self._first = 0
        self._iterators = weakref.WeakSet()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["_iterators"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._iterators = weakref.WeakSet()

    # --- Order ---

    def _count_pictures(self):
        count = len(self._pictures.sources)
        rank, world = self._shard
        return count // world if self._drop_last else len(range(rank, count, world))

    def _count_batches(self):
        count = self._count_pictures()
        return count // self._batch_size if self._drop_last else -(-count // self._batch_size)

    def _indices(self, epoch, number):
        """Returns the indices of the pictures of a batch."""
        rank, world = self._shard
        begin = number * self._batch_size
        count = min(self._batch_size, self._count_pictures() - begin)
        first, total = rank + begin * world, len(self._pictures.sources)
        if self._shuffles:
            return _imgtool._order(self._seed, epoch, total, first, world, count)
        return list(range(first, total, world)[:count])

    # --- Iteration ---

    def __len__(self):
        return self._count_batches()

    def __iter__(self):
        iterator = _Iterator(self, self._epoch, self._first)
        self._delivered, self._first = self._first, 0
        self._iterators.add(iterator)
        return iterator

    def _note(self, epoch, delivered):
        """Notes how far the iteration is."""
        self._epoch, self._delivered = epoch, delivered

    def set_epoch(self, epoch):
        """Select the epoch of the next iteration, which chooses order, crops and flips. It begins at
        the first batch. Without a call, the next epoch follows when the last batch was delivered."""
        self._epoch, self._delivered, self._first = epoch, 0, 0

    def state_dict(self):
        """Return where the iteration is, as a dict of integers: after the batches that were delivered,
        whatever was read ahead."""
        return {"version": 1, "epoch": self._epoch, "batches": self._delivered, **self._identity()}

    def load_state_dict(self, state):
        """Let the next iteration begin where state_dict was called. The loader must have the same
        number of sources, batch_size, seed and shard; otherwise raises UsageError."""
        for name, value in self._identity().items():
            if state.get(name) != value:
                raise _imgtool.UsageError(f"state: {name} is {state.get(name)}, and here {value}")
        self._epoch, self._first = state["epoch"], state["batches"]
        self._delivered = self._first

    def _identity(self):
        rank, world = self._shard
        return {
            "count": len(self._pictures.sources),
            "batch_size": self._batch_size,
            "seed": self._seed if self._shuffles else None,
            "rank": rank,
            "world": world,
        }

    def close(self):
        """End all iterations, and wait for their threads."""
        for iterator in list(self._iterators):
            iterator.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _read_shards(shards, image, mask, label):
    """Returns the sources, masks and labels of the samples of tar archives."""
    values = () if label is None else (label,)
    samples = [sample for shard in shards for sample in tar_index(shard, values=values)]
    samples = [sample for sample in samples if image in sample.sources]
    for name in filter(None, (mask, label)):
        lacking = next((sample for sample in samples if name not in sample.sources), None)
        if lacking is not None:
            raise _imgtool.UsageError(f"{lacking.sources[image][0]}: {lacking.key} has no .{name}")
    sources = [sample.sources[image] for sample in samples]
    masks = None if mask is None else [sample.sources[mask] for sample in samples]
    labels = None if label is None else [sample.values[label] for sample in samples]
    if label == "cls":
        labels = [int(text) for text in labels]
    return sources, masks, labels
