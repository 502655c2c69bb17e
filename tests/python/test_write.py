"""imgtool.write and imgtool.encode with arrays, views of them, and other objects."""

import ctypes
import io
import os
import unittest

import support
from support import imgtool, make_pixels, numpy, sample


def back(pixels, **options):
    return numpy.asarray(imgtool.read(imgtool.encode(pixels, **options)))


class Write(support.InDirectory):
    def test_shapes_and_types_are_written(self):
        for dtype in ("uint8", "uint16"):
            for shape in [(5, 7), (5, 7, 1), (5, 7, 2), (5, 7, 3), (5, 7, 4), (1, 1), (300, 400, 3)]:
                pixels = make_pixels(shape, dtype)
                flat = pixels[..., 0] if shape[2:] == (1,) else pixels
                self.assertTrue((back(pixels) == flat).all(), (dtype, shape))

    def test_views_are_written(self):
        pixels = make_pixels((60, 80, 3))
        wide = make_pixels((60, 80, 4), "uint16")
        for view in [
            pixels[10:50, 20:60],
            pixels[::2, ::3],
            pixels[::-1],
            pixels[:, ::-1],
            pixels[..., ::-1],
            pixels[..., 1],
            pixels[..., :2],
            pixels.transpose(1, 0, 2),
            numpy.asfortranarray(pixels),
            pixels[5:6],
            pixels[:, 5:6],
            numpy.broadcast_to(pixels[:1], pixels.shape),
            wide[::-1, 3:],
            wide[..., 1:],
        ]:
            self.assertTrue((back(view) == view).all(), view.strides)

    def test_memory_of_other_packages_is_written(self):
        pixels = make_pixels((4, 6))
        view = memoryview(pixels.tobytes()).cast("B", (4, 6))
        self.assertTrue((back(view) == pixels).all())
        raw = ((ctypes.c_ubyte * 6) * 4).from_buffer_copy(pixels.tobytes())
        self.assertTrue((back(raw) == pixels).all())

    def test_impossible_sizes_are_rejected(self):
        """The first array states 2^66 bytes, which is 0 modulo 2^64. With strides of 0, only 4 bytes are in memory."""
        for shape, strides, problem in [
            ((2**30, 2**30, 4), (0, 0, 0), MemoryError),
            ((2**31 - 1, 2**31 - 1, 4), (0, 0, 0), MemoryError),
            ((3, 4), (2**62, 1), imgtool.UsageError),
            ((2**62, 2**62, 4), None, imgtool.UsageError),
        ]:
            with self.assertRaises(problem, msg=str(shape)):
                imgtool.convert(support.Tensor(shape, strides), dtype="uint8")
        few = numpy.asarray(imgtool.convert(support.Tensor((3, 4), (0, 0)), dtype="uint8"))
        self.assertEqual(few.tolist(), [[255] * 4] * 3)

    def test_all_targets_get_the_same_bytes(self):
        pixels = make_pixels((30, 40, 3))
        imgtool.write(self.path("a.png"), pixels)
        with open(self.path("a.png"), "rb") as file:
            expected = file.read()
        target = io.BytesIO()
        imgtool.write(target, pixels)
        self.assertEqual(target.getvalue(), expected)
        self.assertEqual(imgtool.encode(pixels), expected)
        with open(self.path("b.png"), "wb", buffering=0) as file:
            imgtool.write(file, pixels)
        with open(self.path("b.png"), "rb") as file:
            self.assertEqual(file.read(), expected)

    def test_a_file_object_may_write_a_little_at_a_time(self):
        class Slow(io.RawIOBase):
            taken = b""

            def write(self, data):
                self.taken += bytes(data[:100])
                return min(len(data), 100)

        pixels, slow = make_pixels((30, 40, 3)), Slow()
        imgtool.write(slow, pixels)
        self.assertEqual(slow.taken, imgtool.encode(pixels))

    def test_a_file_object_may_keep_its_views(self):
        """The views that a file object received, and views of these, must stay valid after the call."""
        kinds = [lambda data: data, lambda data: data[:], memoryview, lambda data: numpy.frombuffer(data, "u1")]
        for shape in [(20, 30, 3), (900, 1200, 3)]:
            pixels = numpy.random.default_rng(1).integers(0, 256, shape, "u1")
            expected = imgtool.encode(pixels)
            for keep in kinds:
                kept = []

                class Keeper:
                    def write(self, data):
                        kept.append(keep(data))
                        return len(data)

                imgtool.write(Keeper(), pixels)
                overwrite = [imgtool.encode(255 - pixels) for _ in range(4)]
                self.assertEqual(bytes(kept[0]), expected)
                self.assertTrue(memoryview(kept[0]).readonly)
                del overwrite

    def test_a_full_nonblocking_pipe_reports_what_was_written(self):
        pixels = numpy.random.default_rng(1).integers(0, 256, (900, 1200, 3), "u1")
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        with open(reader, "rb", buffering=0), open(writer, "wb", buffering=0) as file:
            with self.assertRaises(BlockingIOError) as caught:
                imgtool.write(file, pixels)
            self.assertEqual(os.read(reader, 1 << 24)[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(caught.exception.characters_written, 0)

    def test_the_result_of_write_is_checked(self):
        class Says:
            def __init__(self, answer):
                self.answer, self.calls = answer, 0

            def write(self, data):
                self.calls += 1
                return self.answer(data)

        pixels = make_pixels((30, 40, 3))
        size = len(imgtool.encode(pixels))
        for answer in (0, -7, size + 1, 2**70, -(2**70), False):
            target = Says(lambda data: answer)
            with self.assertRaisesRegex(imgtool.FileError, "took .* bytes", msg=str(answer)):
                imgtool.write(target, pixels)
            self.assertEqual(target.calls, 1)
        for answer, calls in [(lambda data: None, 1), (lambda data: numpy.int64((len(data) + 1) // 2), None)]:
            target = Says(answer)
            imgtool.write(target, pixels)
            self.assertEqual(target.calls, calls or size.bit_length())

    def test_a_png_with_another_name_is_protected(self):
        """The PNG may be the only original. Only an explicit request may replace it by a lossy format."""
        pixels = make_pixels((8, 8, 4))
        imgtool.write(self.path("a.jpeg"), pixels, format="png")
        with self.assertRaisesRegex(imgtool.UsageError, "is a PNG whatever its name says"):
            imgtool.write(self.path("a.jpeg"), pixels)
        self.assertTrue((numpy.asarray(imgtool.read(self.path("a.jpeg"))) == pixels).all())
        for name in "jpeg", None:
            imgtool.write(self.path("a.jpeg"), pixels[..., :3], format=name)
            with open(self.path("a.jpeg"), "rb") as file:
                self.assertEqual(file.read(2), b"\xff\xd8")

    def test_options_are_used(self):
        pixels = make_pixels((200, 300, 3))
        sizes = [len(imgtool.encode(pixels, level=level)) for level in (0, 1, 9)]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        for threads in (1, 2, 3):
            self.assertEqual(imgtool.encode(pixels, threads=threads), imgtool.encode(pixels))
        data = imgtool.encode(pixels, interlaced=True)
        self.assertTrue(imgtool.info(data)["interlaced"])
        self.assertEqual(imgtool.encode(pixels, format="jpeg")[:2], b"\xff\xd8")
        for name, start in [("a.jpg", b"\xff\xd8"), ("a.BMP", b"BM"), ("a", b"\x89PNG")]:
            imgtool.write(self.path(name), pixels)
            with open(self.path(name), "rb") as file:
                self.assertEqual(file.read(len(start)), start)

    def test_colours_are_converted(self):
        pixels = make_pixels((20, 30, 4))
        self.assertTrue((back(pixels, color="bgra") == pixels[..., [2, 1, 0, 3]]).all())
        indices = make_pixels((20, 30)) % 4
        palette = bytes(range(12))
        colors = back(indices, color="palette", metadata={"PLTE": palette})
        table = numpy.frombuffer(palette, "uint8").reshape(4, 3)
        self.assertTrue((colors == table[indices]).all())

    def test_invalid_inputs_are_rejected(self):
        for wrong in [
            make_pixels((4, 4)).astype("int32") - 1000,
            make_pixels((4, 4)).astype(">u2"),
            make_pixels((4, 4)).astype("float64") + 2,
            numpy.zeros((0, 4), "uint8"),
            numpy.zeros((4, 4, 5), "uint8"),
            numpy.zeros(4, "uint8"),
            numpy.zeros((2, 2, 2, 2), "uint8"),
        ]:
            self.assertRaises(imgtool.UsageError, imgtool.encode, wrong)
        pixels = make_pixels((4, 4))
        self.assertRaises(TypeError, imgtool.encode, [[1, 2], [3, 4]])
        self.assertRaises(imgtool.UsageError, imgtool.encode, pixels, level=10)
        self.assertRaises(imgtool.UsageError, imgtool.encode, pixels, format="gif")
        self.assertRaises(imgtool.UsageError, imgtool.encode, pixels, color="rgb")
        self.assertRaises(imgtool.UsageError, imgtool.encode, pixels, metadata={"IDAT": b""})
        self.assertRaises(TypeError, imgtool.encode, pixels, metadata=7)
        self.assertRaises(FileNotFoundError, imgtool.write, self.path("no/such/a.png"), pixels)
        self.assertEqual(os.listdir(self.directory), [])

    def test_errors_of_a_file_object_are_raised(self):
        class Full:
            def write(self, data):
                raise OSError("full")

        self.assertRaises(OSError, imgtool.write, Full(), make_pixels((4, 4)))


class Metadata(support.InDirectory):
    def test_metadata_goes_with_an_array(self):
        array = imgtool.read(sample("metadata.png"))
        again = imgtool.read(imgtool.encode(array))
        for kind, data in array.metadata:
            if kind in ("iCCP", "eXIf", "pHYs", "iTXt", "keEp"):
                self.assertIn((kind, data), again.metadata)
        self.assertEqual(again.orientation, 6)
        self.assertEqual(imgtool.read(imgtool.encode(numpy.asarray(array))).metadata, [])

    def test_metadata_can_be_given(self):
        array = imgtool.read(sample("metadata.png"))
        pixels = make_pixels((4, 6, 3))
        given = imgtool.read(imgtool.encode(pixels, metadata=array))
        self.assertEqual(given.orientation, 6)
        chunk = {"pHYs": b"\0\0\0\1\0\0\0\1\0"}
        self.assertEqual(
            imgtool.read(imgtool.encode(pixels, metadata=chunk)).metadata, list(chunk.items())
        )



class FakeImage:
    """A stand-in for an image of Pillow, which need not be installed."""

    def __init__(self, mode, size, data, info=None):
        self.mode, self.size, self.data, self.info = mode, size, data, info or {}
        self.__array_interface__ = {}

    def tobytes(self, *how):
        return self.data

    def convert(self, mode):
        return FakeImage(mode, self.size, self.data * len(mode))


class OtherTypes(unittest.TestCase):
    """Tests bool, integers, floats and Pillow images. They are converted to uint8 if that is unambiguous."""

    def back(self, array):
        first = numpy.asarray(imgtool.read(imgtool.encode(array)))
        second = numpy.asarray(imgtool.run("flip axis=horizontal", imgtool.run("flip axis=horizontal", array)))
        self.assertEqual(first.tolist(), second.tolist())
        self.assertEqual(first.dtype, "uint8" if first.dtype != "uint16" else "uint16")
        return first.tolist()

    def test_bool_becomes_black_and_white(self):
        mask = numpy.array([[True, False, True], [False, False, True]])
        self.assertEqual(self.back(mask), [[255, 0, 255], [0, 0, 255]])
        self.assertEqual(self.back(mask[::-1, ::2]), [[0, 255], [255, 255]])

    def test_integers_in_range_are_accepted(self):
        for dtype in "int8 int16 int32 int64 uint32 uint64".split():
            self.assertEqual(self.back(numpy.array([[0, 1], [100, 127]], dtype)), [[0, 1], [100, 127]])
        self.assertEqual(self.back(numpy.full((2, 2, 3), 255, "int64")), [[[255] * 3] * 2] * 2)
        for wrong in -1, 256, 4711, 2**62:
            with self.assertRaises(ValueError) as raised:
                imgtool.encode(numpy.array([[0, wrong]], "int64"))
            self.assertIn('use array.astype("uint16")', str(raised.exception))
        self.assertRaises(ValueError, imgtool.encode, numpy.array([[2**64 - 1]], "uint64"))

    def test_floats_are_scaled(self):
        for dtype in "float32", "float64":
            self.assertEqual(self.back(numpy.array([[0, 0.5, 1], [0.25, 0.1, 0.999]], dtype)),
                             [[0, 128, 255], [64, 26, 255]])
            self.assertEqual(self.back(numpy.ones((2, 4, 3), dtype)[:, ::2]), [[[255] * 3] * 2] * 2)
            for wrong in 1.01, -0.01, 255.0, numpy.nan, numpy.inf:
                with self.assertRaises(ValueError) as raised:
                    imgtool.encode(numpy.array([[0, wrong]], dtype))
                self.assertIn("floats are samples from 0 to 1", str(raised.exception))
        deep = imgtool.convert(numpy.array([[0, 0.5, 1]]), dtype="uint16")
        self.assertEqual(numpy.asarray(deep).tolist(), [[0, 32768, 65535]])
        picture = imgtool.read(sample("rgb-8.png"))
        floats = imgtool.convert(picture, dtype="float32")
        self.assertEqual(floats.dtype, "float32")
        self.assertEqual(self.back(floats), numpy.asarray(picture).tolist())
        self.assertEqual(imgtool.stats(floats), imgtool.stats(picture))
        self.assertRaises(ValueError, imgtool.encode, numpy.zeros((2, 2), "float16"))
        self.assertRaises(ValueError, imgtool.encode, numpy.zeros((2, 2), "complex64"))

    def test_pillow_like_images_are_accepted(self):
        self.assertEqual(self.back(FakeImage("L", (3, 1), b"abc")), [[97, 98, 99]])
        self.assertEqual(self.back(FakeImage("1", (2, 1), b"\xff\0")), [[255, 0]])
        self.assertEqual(self.back(FakeImage("RGB", (1, 2), b"abcdef")), [[[97, 98, 99]], [[100, 101, 102]]])
        self.assertEqual(self.back(FakeImage("I;16", (1, 1), b"\1\2")), [[0x201]])
        self.assertEqual(self.back(FakeImage("P", (1, 1), b"a")), [[[97] * 3]])
        self.assertEqual(self.back(FakeImage("P", (1, 1), b"a", {"transparency": 0})), [[[97] * 4]])
        for wrong in FakeImage("CMYK", (1, 1), b"abcd"), FakeImage("L", (2, 2), b"abc"), FakeImage(7, (1, 1), b"a"):
            self.assertRaises(ValueError, imgtool.encode, wrong)

    def test_pillow_images_are_accepted(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("no Pillow")
        pixels = make_pixels((5, 7, 3))
        image = Image.fromarray(pixels)
        self.assertEqual(self.back(image), pixels.tolist())
        for mode in "1", "L", "LA", "P", "RGBA":
            other = image.convert(mode)
            shown = other.convert("RGB") if mode == "P" else other.convert("L") if mode == "1" else other
            self.assertEqual(self.back(other), numpy.asarray(shown).tolist(), mode)


if __name__ == "__main__":
    unittest.main()
