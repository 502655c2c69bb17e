"""Ownership of memory: shared with NumPy and by DLPack, kept as long as it is used, and then released."""

import copy
import gc
import hashlib
import os
import pickle
import resource
import struct
import sys
import tempfile
import unittest
import weakref
import zlib

import support
from support import imgtool, make_pixels, numpy, sample


class Shared(unittest.TestCase):
    def test_numpy_shares_it_without_copying(self):
        array = imgtool.read(sample("rgb-8.png"))
        pixels = numpy.asarray(array)
        address = array.__array_interface__["data"][0]
        self.assertEqual(pixels.__array_interface__["data"][0], address)
        self.assertTrue(pixels.flags.writeable)
        pixels[0, 0] = (1, 2, 3)
        self.assertEqual(bytes(memoryview(array))[:3], b"\1\2\3")

    def test_it_can_be_shared_in_each_way(self):
        for name in ("rgb-8.png", "gray-8.png", "rgba-16.png", "size-7x1003.png"):
            array = imgtool.read(sample(name))
            expected = numpy.array(array)

            class Interface:
                __array_interface__ = array.__array_interface__

            self.assertTrue((numpy.asarray(Interface()) == expected).all())
            if hasattr(numpy, "from_dlpack"):
                self.assertTrue((numpy.from_dlpack(array) == expected).all())
            self.assertEqual(bytes(array), expected.tobytes())

    def test_plain_bytes_are_one_row(self):
        """A consumer that requests no shape must get one row of bytes, also for pictures of two or three dimensions."""
        for name in ("gray-8.png", "rgb-8.png", "rgba-16.png"):
            array = imgtool.read(sample(name))
            self.assertEqual(hashlib.sha256(array).digest(), hashlib.sha256(bytes(array)).digest())

    def test_rows_may_have_gaps(self):
        pixels = numpy.zeros((50, 70), "uint8")
        pixels[10:20, 30:45] = make_pixels((10, 15)) | 1
        trimmed = imgtool.run("trim", pixels)
        expected = pixels[10:20, 30:45]
        self.assertTrue((numpy.asarray(trimmed) == expected).all())
        if hasattr(numpy, "from_dlpack"):
            self.assertTrue((numpy.from_dlpack(trimmed) == expected).all())
        self.assertEqual(memoryview(trimmed).tobytes(), expected.tobytes())

    def test_dlpack_is_accepted_too(self):
        class Foreign:
            def __init__(self, pixels):
                self.pixels = pixels

            def __dlpack__(self, **keywords):
                return self.pixels.__dlpack__(**keywords)

            def __dlpack_device__(self):
                return self.pixels.__dlpack_device__()

        pixels = make_pixels((20, 30, 3))
        for view in (pixels, pixels[::2, :, ::-1]):
            data = imgtool.encode(Foreign(view))
            self.assertTrue((numpy.asarray(imgtool.read(data)) == view).all())
        for dtype in "int64", "int8", "uint32":
            data = imgtool.encode(Foreign((pixels // 2).astype(dtype)))
            self.assertTrue((numpy.asarray(imgtool.read(data)) == pixels // 2).all())
        ones = imgtool.read(imgtool.encode(Foreign(numpy.ones((2, 2)))))
        self.assertEqual(numpy.asarray(ones).tolist(), [[255] * 2] * 2)
        for wrong in pixels.astype("int64") - 256, pixels.astype("float16"), pixels + 2.0:
            self.assertRaises(imgtool.UsageError, imgtool.encode, Foreign(wrong))

    def test_dlpack_obeys_its_arguments(self):
        array = imgtool.read(sample("rgb-8.png"))
        self.assertEqual(array.__dlpack_device__(), (1, 0))
        array.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=False)
        self.assertRaises(BufferError, array.__dlpack__, dl_device=(2, 0))
        self.assertRaises(BufferError, array.__dlpack__, copy=True)

    def test_it_is_in_host_memory(self):
        array = imgtool.read(sample("rgb-8.png"))
        self.assertIsNone(array.device)
        self.assertIs(array.to_host(), array)
        self.assertFalse(hasattr(array, "__cuda_array_interface__"))

    def test_an_array_cannot_be_constructed(self):
        self.assertRaises(TypeError, imgtool.Array)


class References(unittest.TestCase):
    def test_pixels_outlive_the_array(self):
        pixels = numpy.asarray(imgtool.read(sample("rgb-8.png")))
        expected = numpy.array(imgtool.read(sample("rgb-8.png")))
        gc.collect()
        self.assertTrue((pixels == expected).all())

    def test_references_are_counted(self):
        array = imgtool.read(sample("rgb-8.png"))
        pixels = make_pixels((20, 30, 3))
        before = sys.getrefcount(array), sys.getrefcount(pixels), sys.getrefcount(imgtool.Array)
        for _ in range(100):
            numpy.asarray(array)
            array.__dlpack__()
            memoryview(array).release()
            imgtool.run("flip", array)
            imgtool.encode(pixels)
            self.assertRaises(imgtool.Error, imgtool.run, "nonsense", array)
            self.assertRaises(imgtool.Error, imgtool.encode, pixels, level=99)
        gc.collect()
        after = sys.getrefcount(array), sys.getrefcount(pixels), sys.getrefcount(imgtool.Array)
        self.assertEqual(after, before)

    def test_views_are_released(self):
        data = bytearray(imgtool.encode(make_pixels((20, 30))))
        imgtool.read(data)
        self.assertRaises(imgtool.Error, imgtool.read, data, color="palette")
        data.clear()  # rejected while a view exists

        class Pixels(numpy.ndarray):
            pass

        pixels = make_pixels((20, 30)).view(Pixels)
        imgtool.encode(pixels)
        watched = weakref.ref(pixels)
        del pixels
        self.assertIsNone(watched())


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Leaks(unittest.TestCase):
    def rounds(self, work, count):
        for _ in range(count):
            work()
        gc.collect()
        return resident()

    def hold(self, work):
        """Runs `work` 2000 times. A kilobyte more in each run would be noticed."""
        before = self.rounds(work, 500)
        self.assertLess(self.rounds(work, 2000) - before, 1 << 20)

    def test_reading_and_writing_keep_no_memory(self):
        data = imgtool.encode(imgtool.read(sample("metadata.png")))

        def work():
            array = imgtool.read(data)
            array.metadata, array.warnings, array.shape, array.__array_interface__
            imgtool.encode(array, metadata={"pHYs": b"\0\0\0\1\0\0\0\1\0"})
            imgtool.info(data)

        self.hold(work)

    def test_operations_keep_no_memory(self):
        pixels = make_pixels((20, 30, 3))

        def work():
            result = imgtool.run("rotate | resize 50%", pixels[::-1])
            result.__dlpack__()
            imgtool.stats(result)
            imgtool.compare(result, imgtool.convert(result, dtype="uint16"))
            imgtool.parse("rotate | flip")

        self.hold(work)

    def test_runs_from_file_to_file_keep_no_memory(self):
        with tempfile.TemporaryDirectory() as directory:
            target = os.path.join(directory, "out.jpg")

            def work():
                imgtool.run_file("rotate", sample("metadata.png"), target, temporary=directory)
                self.assertRaises(imgtool.Error, imgtool.run_file, "rotate", "no such file", target)
                self.assertRaises(imgtool.Error, imgtool.run_file, "nonsense", target, target)
                self.assertRaises(imgtool.Error, imgtool.run_file, "", target, target, temporary="no such file")

            self.hold(work)

    def test_failures_keep_no_memory(self):
        pixels = make_pixels((20, 30, 3))
        data = imgtool.encode(pixels)

        def work():
            for call in (
                lambda: imgtool.read("no such file"),
                lambda: imgtool.read(data[:-20]),
                lambda: imgtool.read(data, color="palette"),
                lambda: imgtool.run("nonsense", pixels),
                lambda: imgtool.run("crop x=99 y=99", pixels),
                lambda: imgtool.encode(pixels, metadata={"IDAT": b""}),
                lambda: imgtool.encode(pixels.astype("int64") + 256),
                lambda: imgtool.encode(pixels + 2.0),
                lambda: imgtool.convert(pixels, color="palette"),
            ):
                self.assertRaises(imgtool.Error, call)

        self.hold(work)

    def test_descriptions_keep_no_memory(self):
        before = self.rounds(imgtool.operations, 20)
        self.assertLess(self.rounds(imgtool.operations, 200) - before, 1 << 20)



class Copies(unittest.TestCase):
    """Copies by pickle and copy, with the metadata of the file."""

    def arrays(self):
        for name in "rgb-8.png", "gray-16.png", "palette-4.png", "orientation-6.png":
            yield imgtool.read(sample(name))
            yield imgtool.read(sample(name), color="rgba")
            yield imgtool.read(sample(name), dtype="float32")
        yield imgtool.read(sample("palette-4.png"), color="palette")
        yield imgtool.read(sample("rgb-8.png"), color="bgra")
        text = b"a\0first", b"a\0second"
        yield imgtool.read(self.with_texts(text))

    @staticmethod
    def with_texts(texts):
        data = imgtool.encode(make_pixels((3, 4)))
        chunks = b"".join(
            struct.pack(">I", len(text)) + b"tEXt" + text + struct.pack(">I", zlib.crc32(b"tEXt" + text))
            for text in texts
        )
        return data[:33] + chunks + data[33:]

    def test_copies_equal_the_original(self):
        for array in self.arrays():
            for other in pickle.loads(pickle.dumps(array)), copy.copy(array), copy.deepcopy(array):
                self.assertIsNot(other, array)
                self.assertTrue((numpy.asarray(other) == numpy.asarray(array)).all())
                for name in "shape", "dtype", "color", "metadata", "orientation":
                    self.assertEqual(getattr(other, name), getattr(array, name), array)

    def test_invalid_pickles_are_rejected(self):
        for pixels, shape, color in (b"123", (2, 2), "gray"), (b"", (0, 0), "gray"), (b"1234", (2, 2), None):
            with self.assertRaises(imgtool.UsageError):
                imgtool._imgtool._make(pixels, *shape, color, "uint8", None)


class Limits(unittest.TestCase):
    def test_a_call_without_max_memory_uses_the_default(self):
        code = (
            "import imgtool, numpy\n"
            "imgtool._imgtool._set_max_memory(1 << 20)\n"
            "pixels = numpy.zeros((1000, 2000), 'uint8')\n"
            "imgtool.run('invert', pixels, max_memory=1 << 30)\n"
            "try:\n"
            "    imgtool.run('invert', pixels)\n"
            "    raise SystemExit('no limit')\n"
            "except imgtool.LimitError:\n"
            "    pass\n"
        )
        support.run_python(code)
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertTrue(0 < imgtool._memory.default() <= machine // 4 * 3)


if __name__ == "__main__":
    unittest.main()
