"""Loader and tar_index: order, shards, crops, errors, state, threads and processes."""

import collections
import concurrent.futures
import gc
import hashlib
import io
import os
import pickle
import struct
import tarfile
import threading
import time
import unittest
from unittest import mock

import support
from support import imgtool, make_pixels, numpy

MASK = (1 << 64) - 1


def mix(value):
    """The finaliser of SplitMix64."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def permute(seed, epoch, count, position):
    """The order of order.c, written a second time."""
    key = mix((mix((seed + 0x9E3779B97F4A7C15) & MASK) + epoch + 0x9E3779B97F4A7C15) & MASK)
    rows = next(a for a in range(1, count + 1) if a * a >= count)
    columns = -(-count // rows)
    while True:
        left, right = divmod(position, columns)
        for turn in range(0, 8, 2):
            left = (left + mix((key + mix(turn << 32 ^ right)) & MASK) % rows) % rows
            right = (right + mix((key + mix(turn + 1 << 32 ^ left)) & MASK) % columns) % columns
        position = left * columns + right
        if position < count:
            return position


class Files(support.InDirectory):
    """Tests with small pictures, whose first sample is their number."""

    COUNT, HEIGHT, WIDTH = 23, 6, 7

    def setUp(self):
        super().setUp()
        self.pictures, self.paths = [], []
        for i in range(self.COUNT):
            picture = make_pixels((self.HEIGHT, self.WIDTH, 3), seed=i)
            picture[:, :, 0] = i
            self.pictures.append(picture)
            self.paths.append(self.path(f"{i}.png"))
            imgtool.write(self.paths[-1], picture)

    def load(self, batch_size=4, sources=None, **options):
        options.setdefault("layout", "nhwc")
        loader = imgtool.Loader(self.paths if sources is None else sources, batch_size, **options)
        self.addCleanup(loader.close)
        return loader

    def indices(self, loader):
        return [index for batch in loader for index in batch.indices]


class Order(Files):
    def test_batches_have_the_pictures(self):
        loader = self.load(labels=list(range(100, 100 + self.COUNT)))
        self.assertEqual(len(loader), 6)
        seen = []
        for pictures, labels in loader:
            got = numpy.asarray(pictures)
            for picture, label in zip(got, labels):
                self.assertTrue((picture == self.pictures[label - 100]).all())
                seen.append(label - 100)
        self.assertEqual(seen, list(range(self.COUNT)))
        self.assertEqual([len(batch) for batch in self.load(drop_last=True)], [4] * 5)

    def test_labels_can_be_arrays(self):
        labels = numpy.arange(2 * self.COUNT).reshape(-1, 2)
        for batch in self.load(labels=labels, shuffle=1):
            self.assertTrue((batch.labels == labels[batch.indices]).all())

    def test_shuffled_order(self):
        loader = self.load(shuffle=7)
        first, second = self.indices(loader), self.indices(loader)
        self.assertEqual(sorted(first), list(range(self.COUNT)))
        self.assertEqual(sorted(second), list(range(self.COUNT)))
        self.assertNotEqual(first, second)
        self.assertEqual(first, [permute(7, 0, self.COUNT, i) for i in range(self.COUNT)])
        self.assertEqual(second, [permute(7, 1, self.COUNT, i) for i in range(self.COUNT)])
        self.assertEqual(self.indices(self.load(5, shuffle=7, prefetch=3)), first)
        loader.set_epoch(1)
        self.assertEqual(self.indices(loader), second)

    def test_any_count_is_permuted(self):
        for count in (*range(1, 40), 1000, 4097):
            got = imgtool._imgtool._order(3, 5, count, 0, 1, count)
            self.assertEqual(sorted(got), list(range(count)))
            self.assertEqual(got[:5], [permute(3, 5, count, i) for i in range(min(count, 5))])
        large = imgtool._imgtool._order(1, 0, 10**10, 3, 10**9, 99)
        self.assertEqual(large, [permute_large(1, 0, 10**10, 3 + i * 10**9) for i in range(10)])

    def test_all_positions_are_equally_likely(self):
        """Each of 6 numbers is first in about a sixth of 6,000 epochs."""
        counts = collections.Counter(imgtool._imgtool._order(1, epoch, 6, 0, 1, 1)[0] for epoch in range(6000))
        for number in range(6):
            self.assertLess(abs(counts[number] - 1000), 150)

    def test_shards(self):
        whole = self.indices(self.load(shuffle=3))
        parts = [self.indices(self.load(3, shuffle=3, shard=(rank, 4))) for rank in range(4)]
        for rank, part in enumerate(parts):
            self.assertEqual(part, whole[rank::4])
        even = [self.indices(self.load(2, shuffle=3, shard=(rank, 4), drop_last=True)) for rank in range(4)]
        self.assertEqual([len(part) for part in even], [4] * 4)
        self.assertEqual(len(self.load(2, shard=(3, 4), drop_last=True)), 2)

    def test_arguments(self):
        for options in (
            {"shard": (2, 2)},
            {"on_error": "ignore"},
            {"labels": [1]},
            {"masks": [1]},
            {"prefetch": 0},
            {"batch_size": 0},
            {"steps": "nothing"},
            {"shards": []},
        ):
            with self.assertRaises(imgtool.UsageError, msg=options):
                self.load(**options)
        self.assertEqual(list(self.load(sources=[])), [])


def permute_large(seed, epoch, count, position):
    """Like permute, for counts whose square root is known."""
    rows = 10**5
    key = mix((mix((seed + 0x9E3779B97F4A7C15) & MASK) + epoch + 0x9E3779B97F4A7C15) & MASK)
    left, right = divmod(position, rows)
    for turn in range(0, 8, 2):
        left = (left + mix((key + mix(turn << 32 ^ right)) & MASK) % rows) % rows
        right = (right + mix((key + mix(turn + 1 << 32 ^ left)) & MASK) % rows) % rows
    return left * rows + right


class Crops(Files):
    def expected(self, seed, epoch, index, rows, columns):
        """The crop and the flip by the documented formula."""
        digest = hashlib.blake2b(struct.pack("<3Q", seed, epoch, index), digest_size=24).digest()
        down, right, flip = struct.unpack("<3Q", digest)
        self.assertEqual((down, right, flip), imgtool.random_numbers(seed, epoch, index))
        y, x = down * (self.HEIGHT - rows + 1) >> 64, right * (self.WIDTH - columns + 1) >> 64
        return y, x, flip & 1

    def test_crops_and_flips_are_those_of_the_formula(self):
        seen = set()
        loader = self.load(5, random_crop=(3, 4), random_flip=True, shuffle=9)
        for epoch in range(12):
            for batch in loader:
                for index, got in zip(batch.indices, numpy.asarray(batch.data)):
                    y, x, flip = self.expected(9, epoch, index, 3, 4)
                    wanted = self.pictures[index][y : y + 3, x : x + 4]
                    self.assertTrue((got == (wanted[:, ::-1] if flip else wanted)).all())
                    seen.add((y, x, flip))
        self.assertEqual(len(seen), 4 * 4 * 2)  # every position, mirrored or not

    def test_shards_and_batch_sizes_do_not_change_them(self):
        def all_pictures(**options):
            loader = self.load(random_crop=(3, 4), random_flip=True, shuffle=2, **options)
            return {index: bytes(numpy.asarray(b.data)[i]) for b in loader for i, index in enumerate(b.indices)}

        whole = all_pictures(batch_size=4)
        parts = {**all_pictures(batch_size=7, shard=(0, 2)), **all_pictures(batch_size=2, shard=(1, 2), threads=1)}
        self.assertEqual(parts, whole)

    def test_masks_get_the_same_crop(self):
        masks = []
        for i, picture in enumerate(self.pictures):
            masks.append(self.path(f"mask{i}.png"))
            imgtool.write(masks[-1], picture[:, :, 1].copy())  # the mask is one channel of the picture
        loader = self.load(5, masks=masks, random_crop=(4, 3), random_flip=True, mask_dtype="uint16", shuffle=1)
        for batch in loader:
            data, mask = numpy.asarray(batch.data), numpy.asarray(batch.masks)
            self.assertEqual((mask.dtype, mask.shape), ("uint16", (len(batch), 4, 3, 1)))
            self.assertTrue((mask[:, :, :, 0] == data[:, :, :, 1]).all())
        with_labels = self.load(5, masks=masks, labels=list(range(self.COUNT)))
        pictures, mask, labels = next(iter(with_labels))
        self.assertEqual(labels, [0, 1, 2, 3, 4])
        self.assertTrue((numpy.asarray(mask)[2, :, :, 0] == self.pictures[2][:, :, 1]).all())

    def test_masks_of_another_size_fail(self):
        """Their crop would be of another part than that of the picture."""
        masks = [imgtool.encode(picture[:, :, 0].copy()) for picture in self.pictures]
        masks[2] = imgtool.encode(make_pixels((self.HEIGHT + 1, self.WIDTH)))
        options = {"masks": masks, "random_crop": (4, 3)}
        batch = next(iter(self.load(5, on_error="zeros", **options)))
        self.assertEqual([error is None for error in batch.errors], [True, True, False, True, True])
        self.assertIn("the mask has 7 x 7 pixels, and the picture 7 x 6", str(batch.errors[2]))
        self.assertFalse(numpy.asarray(batch.masks)[2].any())
        self.assertEqual(next(iter(self.load(5, on_error="skip", **options))).indices, [0, 1, 3, 4])
        with self.assertRaises(imgtool.UsageError):
            self.load(masks=masks, steps="rotate")
        self.load(masks=masks, steps="brightness value=10", mask_steps="")

    def test_steps_come_before_the_crop(self):
        loader = self.load(5, steps="resize 14x12 fit=fill filter=nearest", random_crop=(12, 14))
        for batch in loader:
            for index, got in zip(batch.indices, numpy.asarray(batch.data)):
                self.assertTrue((got == self.pictures[index].repeat(2, 0).repeat(2, 1)).all())

    def test_sizes_are_known_without_files(self):
        """Steps that give all pictures one size need no headers: a file that is not there gets no other error."""

        def fixed(steps):
            loader = self.load(steps=steps, random_crop=(2, 2))
            work = imgtool._loader._Work(loader, 0)
            work._sizes(loader._pictures, [0])
            return work.fixed[loader._pictures]

        self.assertEqual(fixed("resize 40x30 fit=fill"), (30, 40))
        self.assertEqual(fixed("autorotate | resize 40x30 fit=cover | rotate"), (40, 30))
        one_sided = ["resize 40x30 fit=fill only=shrink", "resize 40x30 fit=fill only=enlarge"]
        for steps in ("", "resize 40x30", "resize 40", "resize 40x30 fit=outside", "rotate", *one_sided):
            self.assertIsNone(fixed(steps), steps)

    def test_pictures_smaller_than_the_crop_fail(self):
        loader = self.load(5, random_crop=(6, 8), on_error="zeros")
        batch = next(iter(loader))
        self.assertIsInstance(batch.errors[0], imgtool.Error)


class Errors(Files):
    def setUp(self):
        super().setUp()
        with open(self.paths[5], "wb") as file:
            file.write(b"damaged")
        os.unlink(self.paths[6])

    def test_raise(self):
        iterator = iter(self.load())
        self.assertEqual(next(iterator).indices, [0, 1, 2, 3])
        self.assertRaises(imgtool.FormatError, next, iterator)
        self.assertEqual(next(iterator).indices, [8, 9, 10, 11])

    def test_skip(self):
        batches = list(self.load(on_error="skip"))
        self.assertEqual([batch.indices for batch in batches[:3]], [[0, 1, 2, 3], [4, 7], [8, 9, 10, 11]])
        self.assertTrue((numpy.asarray(batches[1].data)[1] == self.pictures[7]).all())
        self.assertEqual(numpy.asarray(batches[1].data).shape[0], 2)
        alone = self.load(2, sources=self.paths[3:9], on_error="skip")  # 3 4, 5 6, 7 8
        self.assertEqual([len(batch) for batch in alone], [2, 2])
        first = self.load(2, sources=self.paths[5:9], on_error="skip")  # no size is known from the first batch
        self.assertEqual([batch.indices for batch in first], [[2, 3]])
        self.assertEqual(list(self.load(2, sources=self.paths[5:7], on_error="skip")), [])
        with self.assertRaises(imgtool.FormatError):
            list(self.load(2, sources=self.paths[5:7], on_error="zeros"))

    def test_zeros(self):
        batch = list(self.load(on_error="zeros"))[1]
        self.assertEqual([type(error) for error in batch.errors][1:3], [imgtool.FormatError, imgtool.MissingFileError])
        got = numpy.asarray(batch.data)
        self.assertFalse(got[1:3].any())
        self.assertTrue((got[3] == self.pictures[7]).all())


class State(Files):
    def test_an_epoch_continues_where_it_was(self):
        loader = self.load(shuffle=4, prefetch=3)
        self.indices(loader)  # epoch 0
        iterator = iter(loader)
        before = [next(iterator).indices for _ in range(2)]
        state = pickle.loads(pickle.dumps(loader.state_dict()))
        rest = [batch.indices for batch in iterator]
        after = [batch.indices for batch in loader]
        other = self.load(shuffle=4)
        other.load_state_dict(state)
        self.assertEqual(other.state_dict(), state)
        self.assertEqual([batch.indices for batch in other], rest)
        self.assertEqual([batch.indices for batch in other], after)
        self.assertEqual(len(before) + len(rest), len(loader))

    def test_the_next_epoch_follows_the_last_batch(self):
        """Also if the iterator is not asked again, as by zip."""
        one, other = self.load(shuffle=4), self.load(shuffle=4)
        for epoch in range(3):
            self.assertEqual(one.state_dict()["epoch"], epoch)
            self.assertEqual(other.state_dict(), one.state_dict())
            for first, second in zip(one, other):
                self.assertEqual(first.indices, second.indices)

    def test_a_state_of_another_loader_is_refused(self):
        state = self.load(shuffle=4).state_dict()
        for other in (self.load(shuffle=5), self.load(), self.load(5, shuffle=4), self.load(shuffle=4, shard=(0, 2))):
            self.assertRaises(imgtool.UsageError, other.load_state_dict, state)

    def test_loaders_can_be_pickled(self):
        loader = self.load(shuffle=4, random_flip=True)
        first = [batch.indices for batch in loader]
        loader.set_epoch(0)
        copy = pickle.loads(pickle.dumps(loader))
        self.assertEqual([batch.indices for batch in copy], first)


class Memory(Files):
    def test_batches_keep_their_memory(self):
        loader = self.load()
        kept = [numpy.asarray(batch.data) for batch in loader]
        for number, pictures in enumerate(kept):
            for i, picture in enumerate(pictures):
                self.assertTrue((picture == self.pictures[4 * number + i]).all())

    def test_memory_is_used_again(self):
        addresses = {numpy.asarray(batch.data).ctypes.data for _ in range(3) for batch in self.load(drop_last=True)}
        loader = self.load(drop_last=True)
        own = [numpy.asarray(batch.data).ctypes.data for batch in loader]
        self.assertLess(len(set(own)), 5)
        self.assertTrue(addresses)

    def test_memory_of_the_caller(self):
        made = []

        def allocate(shape, dtype):
            made.append(numpy.empty(shape, dtype))
            return made[-1]

        loader = self.load(allocate=allocate, dtype="float32")
        for number, batch in enumerate(loader):
            self.assertIs(batch.data, made[number])
            self.assertTrue((batch.data[:, 0, 0, 0] * 255 == batch.indices).all())


class Threads(Files):
    def names(self):
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("imgtool-loader")]

    def expect_no_thread(self):
        deadline = time.monotonic() + 10
        while self.names() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.names(), [])

    def test_no_thread_is_left(self):
        for batch in self.load():
            pass
        self.expect_no_thread()
        for batch in self.load():
            break
        del batch
        gc.collect()
        self.expect_no_thread()
        with self.load() as loader:
            iterator = iter(loader)
            next(iterator)
            self.assertEqual(len(self.names()), 1)
        self.assertEqual(self.names(), [])
        self.assertEqual(list(iterator), [])

    def test_reading_ahead(self):
        """The next batches are read while the current one is used."""
        begun = []

        def allocate(shape, dtype):
            begun.append(shape)
            return numpy.empty(shape, dtype)

        iterator = iter(self.load(2, allocate=allocate, prefetch=3))
        next(iterator)
        deadline = time.monotonic() + 10
        while len(begun) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        self.assertEqual(len(begun), 4)

    def test_several_loaders_at_once(self):
        expected = [batch.indices for batch in self.load(shuffle=1)]

        def work(_):
            return [batch.indices for batch in self.load(shuffle=1)]

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for got in pool.map(work, range(8)):
                self.assertEqual(got, expected)

    def run_loader(self, lines):
        support.run_python(
            "import imgtool, os, signal, sys, warnings\n"
            "warnings.simplefilter('ignore', DeprecationWarning)  # fork beside threads, since Python 3.12\n"
            f"paths = {self.paths!r}\n"
            "def read(loader):\n    return [batch.indices for batch in loader]\n" + lines
        )

    def test_the_process_ends_with_a_live_iterator(self):
        self.run_loader("it = iter(imgtool.Loader(paths, 2, prefetch=5))\nnext(it)\n")

    def test_after_fork(self):
        """A child of fork reads with the same Loader, although the parent read before and still reads."""
        self.run_loader(
            "loader = imgtool.Loader(paths, 4, shuffle=1)\n"
            "expected = read(loader)\n"
            "loader.set_epoch(0)\n"
            "live = iter(loader)\n"
            "next(live)\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try:\n        next(live)\n"
            "    except imgtool.UsageError:\n        pass\n"
            "    else:\n        os._exit(1)\n"
            "    loader.set_epoch(0)\n"
            "    os._exit(0 if read(loader) == expected else 2)\n"
            "assert os.waitpid(child, 0)[1] == 0\n"
            "list(live)\n"
        )

    def test_spawned_processes(self):
        name = self.path("spawn.py")
        with open(name, "w", encoding="utf-8") as file:
            file.write(
                "import imgtool, multiprocessing\n"
                "def read(loader):\n    return [batch.indices for batch in loader]\n"
                "if __name__ == '__main__':\n"
                f"    paths = {self.paths!r}\n"
                "    loaders = [imgtool.Loader(paths, 4, shuffle=1, shard=(rank, 2)) for rank in range(2)]\n"
                "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
                "        parts = pool.map(read, loaders)\n"
                "    assert parts == [read(loader) for loader in loaders]\n"
            )
        support.run_python(f"import runpy\nrunpy.run_path({name!r}, run_name='__main__')\n")

    def test_ctrl_c_ends_the_wait(self):
        self.run_loader(
            "import threading, time\n"
            "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "begin = time.monotonic()\n"
            "loader = imgtool.Loader(paths * 400, 4000, steps='resize 500x500 fit=fill | blur sigma=5')\n"
            "try:\n"
            "    while True:\n        next(iter(loader))\n"
            "except KeyboardInterrupt:\n"
            "    assert loader.state_dict()['batches'] == 0\n"
            "    loader.close()\n"
            "    sys.exit(time.monotonic() - begin > 10)\n"
        )


class FakeTensor:
    """A tensor on a device that does not exist. It records calls in FakeReader.calls."""

    device = 0

    def __init__(self, count, number):
        self.count, self.number = count, number

    def _follow(self, stream):
        FakeReader.calls.append(("follow", self.number, stream))

    def _deliver(self, stream):
        FakeReader.calls.append(("deliver", self.number, stream))


class FakeReader:
    """Takes the place of the reader of a GPU: the picture "i" has the number i, and the picture "bad" fails."""

    calls = []

    def __init__(self, *_):
        pass

    def plan(self, *_):
        return 4, 5, 3

    def start(self, sources, steps, is_palette, tensor, stream):
        if "broken" in sources:
            raise imgtool.DeviceError("the device fails")
        FakeReader.calls.append(("start", tensor.number, stream))
        return tensor.number, list(sources)

    def finish(self, pending):
        number, sources = pending
        FakeReader.calls.append(("finish", number))
        errors = [imgtool.FormatError(source) if source == "bad" else None for source in sources]
        return errors if any(errors) else None

    def cancel(self):
        pass


class Queue(unittest.TestCase):
    """The order of calls for a GPU, with a fake reader."""

    def run_loader(self, sources, **options):
        FakeReader.calls = []
        made = []

        def tensor(count, *_):
            made.append(FakeTensor(count, len(made)))
            return made[-1]

        with mock.patch.object(imgtool._imgtool, "_reader", FakeReader), mock.patch.object(
            imgtool._imgtool, "_tensor", tensor
        ):
            loader = imgtool.Loader(sources, 2, device="cuda", stream=77, **options)
            return [batch.indices for batch in loader]

    def calls(self, name):
        return [call[1:] for call in FakeReader.calls if call[0] == name]

    def test_the_next_batch_is_queued_before_the_wait(self):
        for prefetch in (1, 2, 5):
            got = self.run_loader([str(i) for i in range(9)], prefetch=prefetch)
            self.assertEqual(got, [[0, 1], [2, 3], [4, 5], [6, 7], [8]])
            order = [call[:2] for call in FakeReader.calls if call[0] in ("start", "finish")]
            self.assertEqual(sorted(order), sorted([(kind, i) for i in range(5) for kind in ("start", "finish")]))
            for i in range(5):
                self.assertLess(order.index(("start", i)), order.index(("finish", i)))
                for ahead in range(i + 1, min(i + 3, 5)):
                    self.assertLess(order.index(("start", ahead)), order.index(("finish", i)))
                if i + 3 < 5:
                    self.assertGreater(order.index(("start", i + 3)), order.index(("finish", i)))
            self.assertEqual(self.calls("deliver"), [(i, 77) for i in range(5)])
            self.assertEqual(self.calls("follow"), [])

    def test_memory_of_the_caller_waits_for_the_caller(self):
        self.run_loader(["0", "1", "2"], allocate=lambda shape, dtype: object())
        self.assertEqual(self.calls("follow"), [(0, 77), (1, 77)])

    def test_errors(self):
        sources = ["0", "1", "bad", "3", "4", "bad", "bad", "bad"]
        self.assertEqual(self.run_loader(sources, on_error="skip"), [[0, 1], [3], [4]])
        self.assertEqual(self.run_loader(sources, on_error="zeros"), [[0, 1], [2, 3], [4, 5], [6, 7]])
        self.assertRaises(imgtool.FormatError, self.run_loader, sources)

    def test_a_device_that_fails(self):
        with self.assertRaisesRegex(imgtool.DeviceError, "the device fails"):
            self.run_loader(["0", "1", "broken", "3", "4"])


class Tar(Files):
    def make_shard(self, name, numbers):
        path = self.path(name)
        with tarfile.open(path, "w") as archive:

            def add(member, data):
                info = tarfile.TarInfo(member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

            for i in numbers:
                with open(self.paths[i], "rb") as file:
                    add(f"train/{i:04}.png", file.read())
                add(f"train/{i:04}.cls", str(i * 10).encode())
                add(f"train/{i:04}.mask.png", imgtool.encode(self.pictures[i][:, :, 2].copy()))
                add(f"train/{i:04}.json", b'{"i": %d}' % i)
            add("README.txt", b"text")
        return path

    def test_the_index(self):
        path = self.make_shard("a.tar", range(5))
        index = imgtool.tar_index(path)
        self.assertEqual([sample.key for sample in index], [f"train/{i:04}" for i in range(5)] + ["README"])
        self.assertEqual(index[3].values, {"cls": b"30", "json": b'{"i": 3}'})
        self.assertEqual(set(index[3].sources), {"png", "cls", "mask.png", "json"})
        got = imgtool.read_batch([sample.sources["png"] for sample in index[:5]], layout="nhwc")
        self.assertTrue((numpy.asarray(got) == numpy.stack(self.pictures[:5])).all())
        self.assertEqual(pickle.loads(pickle.dumps(index)), index)

    def test_loading_shards(self):
        shards = [self.make_shard("a.tar", range(5)), self.make_shard("b.tar", range(5, 12))]
        loader = imgtool.Loader(
            shards=shards, batch_size=4, mask="mask.png", label="cls", layout="nhwc", random_flip=True, shuffle=1
        )
        seen = []
        for pictures, masks, labels in loader:
            self.assertTrue((numpy.asarray(pictures)[:, :, :, 2:] == numpy.asarray(masks)).all())
            self.assertTrue((numpy.asarray(pictures)[:, 0, 0, 0] * 10 == labels).all())
            seen += labels
        self.assertEqual(sorted(seen), [10 * i for i in range(12)])
        with self.assertRaises(imgtool.UsageError):
            imgtool.Loader(shards=shards, label="txt")

    def test_damaged_archives(self):
        path = self.path("not.tar")
        with open(path, "wb") as file:
            file.write(b"x" * 2000)
        self.assertRaises(imgtool.FormatError, imgtool.tar_index, path)
        self.assertRaises(FileNotFoundError, imgtool.tar_index, self.path("none.tar"))


if __name__ == "__main__":
    unittest.main()
