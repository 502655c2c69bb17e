"""imgtool.read, imgtool.info and the properties of an Array."""

import inspect
import io
import os
import pathlib
import struct
import unittest
import zlib

import support
from support import imgtool, numpy, sample


class Read(support.InDirectory):
    def test_all_sources_give_the_same(self):
        path = sample("landscape.png")
        data = pathlib.Path(path).read_bytes()
        expected = numpy.array(imgtool.read(path))
        with open(path, "rb") as file:
            sources = [pathlib.Path(path), path.encode(), file, io.BytesIO(data)]
            # A file name given as bytes counts as the content of a file, so it must be rejected.
            self.assertRaises(imgtool.FormatError, imgtool.read, sources.pop(1))
            for source in sources + [data, bytearray(data), memoryview(data)]:
                self.assertTrue((numpy.asarray(imgtool.read(source)) == expected).all())

    def test_shapes_and_types_follow_the_file(self):
        for name, shape, dtype, color in [
            ("gray-8.png", 2, "uint8", "gray"),
            ("gray-2.png", 2, "uint8", "gray"),
            ("gray-16.png", 2, "uint16", "gray"),
            ("gray-alpha-8.png", 3, "uint8", "gray+alpha"),
            ("rgb-16.png", 3, "uint16", "rgb"),
            ("rgba-8.png", 3, "uint8", "rgba"),
            ("palette-4.png", 3, "uint8", "rgb"),
            ("trns-palette-8.png", 3, "uint8", "rgba"),
        ]:
            with self.subTest(name):
                array = imgtool.read(sample(name))
                pixels = numpy.asarray(array)
                self.assertEqual(array.color, color)
                self.assertEqual(array.dtype, dtype)
                self.assertEqual(pixels.dtype, dtype)
                self.assertEqual(array.shape, pixels.shape)
                self.assertEqual(pixels.ndim, shape)
                self.assertEqual(len(array), pixels.shape[0])

    def test_few_bits_are_scaled(self):
        pixels = numpy.asarray(imgtool.read(sample("gray-2.png")))
        self.assertLessEqual(set(pixels.ravel()), {0, 85, 170, 255})

    def test_formats_are_converted(self):
        path = sample("rgb-8.png")
        rgb = numpy.asarray(imgtool.read(path))
        bgra = numpy.asarray(imgtool.read(path, color="bgra"))
        self.assertTrue((bgra[..., 2::-1] == rgb).all())
        self.assertTrue((bgra[..., 3] == 255).all())
        for dtype in ("float32", numpy.float32, numpy.dtype("float32")):
            floats = numpy.asarray(imgtool.read(path, dtype=dtype))
            self.assertEqual(floats.dtype, "float32")
            self.assertLess(abs(floats * 255 - rgb).max(), 1e-3)
        wide = numpy.asarray(imgtool.read(path, dtype="uint16"))
        self.assertTrue((wide == rgb.astype("uint16") * 257).all())
        self.assertEqual(imgtool.read(path, color="gray").shape, rgb.shape[:2])

    def test_palettes_can_stay_indices(self):
        array = imgtool.read(sample("palette-4.png"), color="palette")
        palette = numpy.frombuffer(dict(array.metadata)["PLTE"], "uint8").reshape(-1, 3)
        colors = numpy.asarray(imgtool.read(sample("palette-4.png")))
        self.assertTrue((palette[numpy.asarray(array)] == colors).all())

    def test_nearest_keeps_palette_indices(self):
        array = imgtool.read(sample("palette-4.png"), color="palette")
        twice = numpy.asarray(imgtool.run("resize 200% filter=nearest", array))
        self.assertTrue((twice == numpy.asarray(array).repeat(2, 0).repeat(2, 1)).all())

    def test_info_describes_the_file(self):
        info = imgtool.info(sample("metadata.png"))
        self.assertEqual((info["width"], info["height"]), (80, 60))
        self.assertEqual((info["color"], info["bits"], info["orientation"]), ("rgb", 8, 6))
        self.assertIn("iCCP", [kind for kind, _ in info["chunks"]])
        self.assertTrue(imgtool.info(sample("interlaced-rgb-8.png"))["interlaced"])

    def test_invalid_limits_are_rejected(self):
        """Limits that do not fit 64 bits would otherwise become other numbers."""
        for call in (imgtool.read, imgtool.info, lambda path, **limits: imgtool.run("flip", numpy.zeros((2, 2), "u1"), **limits)):
            for limit in ("max_pixels", "max_memory"):
                for wrong in (-1, 2**64, 2**64 + 10**9):
                    self.assertRaises(OverflowError, call, sample("rgb-8.png"), **{limit: wrong})
                self.assertRaises(TypeError, call, sample("rgb-8.png"), **{limit: 1.5})
                call(sample("rgb-8.png"), **{limit: numpy.uint64(10**9)})

    def test_limits_are_enforced(self):
        with self.assertRaises(imgtool.LimitError):
            imgtool.read(sample("landscape.png"), max_pixels=1000)

    def test_impossible_requests_are_rejected(self):
        path = sample("rgb-8.png")
        self.assertRaises(imgtool.UsageError, imgtool.read, path, color="cmyk")
        self.assertRaises(imgtool.UsageError, imgtool.read, path, dtype="int8")
        self.assertRaises(imgtool.UsageError, imgtool.read, path, color="bgra", dtype="uint16")
        self.assertRaises(imgtool.Error, imgtool.read, path, color="palette")
        self.assertRaises(imgtool.UsageError, imgtool.read, path, threads=-1)
        self.assertRaises(TypeError, imgtool.read, 7)
        self.assertRaises(TypeError, imgtool.read, io.StringIO("text"))


class Errors(support.InDirectory):
    def test_errors_have_kinds(self):
        with self.assertRaises(FileNotFoundError) as caught:
            imgtool.read(self.path("none.png"))
        self.assertIsInstance(caught.exception, imgtool.FileError)
        self.assertEqual(caught.exception.path, self.path("none.png"))
        self.assertEqual(caught.exception.filename, self.path("none.png"))
        self.assertNotIn("none.png", caught.exception.problem)
        with self.assertRaises(ValueError) as caught:
            imgtool.read(sample("README.md"))
        self.assertIsInstance(caught.exception, imgtool.FormatError)
        self.assertTrue(caught.exception.problem)

    def test_damaged_files_give_an_error(self):
        data = pathlib.Path(sample("rgb-8.png")).read_bytes()
        for length in range(0, len(data) - 1, 97):
            with self.assertRaises(imgtool.FormatError):
                imgtool.read(data[:length])

    def test_all_errors_have_one_base_class(self):
        for name in imgtool.__all__:
            value = getattr(imgtool, name)
            if inspect.isclass(value) and issubclass(value, Exception):
                self.assertTrue(issubclass(value, imgtool.Error), name)


class Documentation(unittest.TestCase):
    def test_objects_have_descriptions(self):
        for name in imgtool.__all__:
            value = getattr(imgtool, name)
            self.assertTrue(value.__doc__, name)
            if not inspect.isclass(value):
                inspect.signature(value)

    def test_stubs_list_everything(self):
        stubs = pathlib.Path(imgtool.__file__).with_name("__init__.pyi").read_text()
        names = {}
        exec(compile(stubs, "__init__.pyi", "exec", 0x1000000), names)  # without evaluating annotations
        for name in imgtool.__all__:
            self.assertTrue(name in names, name)
            value = getattr(imgtool, name)
            if not inspect.isclass(value) and name != "batch":
                self.assertEqual(
                    list(inspect.signature(value).parameters),
                    list(inspect.signature(names[name]).parameters),
                    name,
                )


class Transparency(support.InDirectory):
    """A transparent colour in tRNS, in a file with one pixel of that colour and one of another."""

    def keyed(self, color, bits, key, data):
        def chunk(kind, content):
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

        header = struct.pack(">IIBBBBB", 2, 1, bits, {"gray": 0, "rgb": 2}[color], 0, 0, 0)
        body = [chunk(b"IHDR", header), chunk(b"tRNS", key), chunk(b"IDAT", zlib.compress(b"\0" + data))]
        return b"\x89PNG\r\n\x1a\n" + b"".join(body) + chunk(b"IEND", b"")

    def alphas(self, picture):
        return numpy.asarray(imgtool.read(imgtool.encode(picture), color="rgba", dtype="uint8"))[0, :, 3].tolist()

    def key(self, picture):
        return dict(picture.metadata).get("tRNS")

    def test_read_shows_transparency(self):
        """Two pixels of 2 bits have the values 2 and 3. The value 2 of 3 becomes 170 of 255, and 43690 of 65535."""
        two = self.keyed("gray", 2, b"\0\2", b"\xb0")
        for options, key in [({}, b"\0\xaa"), ({"dtype": "uint16"}, b"\xaa\xaa")]:
            picture = imgtool.read(two, **options)
            self.assertEqual(self.key(picture), key)
            self.assertEqual(self.alphas(picture), [0, 255])
        deep = self.keyed("rgb", 16, b"\1\2\3\4\5\6", b"\1\2\3\4\5\6" + bytes(6))
        self.assertEqual(self.alphas(imgtool.read(deep)), [0, 255])
        for options in [{"dtype": "uint8"}, {"color": "rgba"}, {"color": "gray"}, {"dtype": "float32"}]:
            self.assertIsNone(self.key(imgtool.read(deep, **options)), options)

    def test_convert_and_run_keep_transparency(self):
        picture = imgtool.read(self.keyed("rgb", 8, b"\0\1\0\2\0\3", b"\1\2\3\1\2\4"))
        deep = imgtool.convert(picture, dtype="uint16")
        self.assertEqual(self.key(deep), b"\1\1\2\2\3\3")
        self.assertEqual(self.alphas(deep), [0, 255])
        self.assertIsNone(self.key(imgtool.convert(deep, dtype="uint8")))
        self.assertIsNone(self.key(imgtool.convert(picture, color="gray")))
        self.assertEqual(self.alphas(imgtool.run("rotate angle=180", picture)), [255, 0])
        inverted = imgtool.run("invert", picture)
        self.assertEqual(self.alphas(inverted), [0, 255])
        self.assertEqual(inverted.shape, (1, 2, 4))
        self.assertIsNone(self.key(inverted))
        gray = imgtool.read(self.keyed("gray", 8, b"\0\7", b"\7\x08"))
        self.assertEqual(imgtool.run("gamma value=1.4", gray).shape, (1, 2, 2))
        self.assertEqual(self.alphas(imgtool.run("trim | gamma value=1.4", gray)), [255])

    def test_batch_keeps_transparency(self):
        """As in the command, steps get pictures with an alpha channel."""
        with open(self.path("in.png"), "wb") as file:
            file.write(self.keyed("rgb", 8, b"\0\1\0\2\0\3", b"\1\2\3\1\2\4"))
        imgtool.batch("invert", [self.path("in.png")], self.path("out"))
        written = numpy.asarray(imgtool.read(self.path("out/in.png")))
        self.assertEqual(written.tolist(), [[[254, 253, 252, 0], [254, 253, 251, 255]]])


if __name__ == "__main__":
    unittest.main()
