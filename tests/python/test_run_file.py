"""imgtool.run_file, compared with the command, whose path is in IMGTOOL_COMMAND, and with read, run and write."""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import threading
import time
import unittest
import zlib

import support
from support import imgtool, make_pixels, numpy, sample

COMMAND = os.environ.get("IMGTOOL_COMMAND")
os.environ["SOURCE_DATE_EPOCH"] = "0"  # the time that results contain (tIME)


def noise(height, width):
    return numpy.random.default_rng(1).integers(0, 256, (height, width, 3), "uint8")


def chunk(kind, data, error=0):
    """Returns a chunk of a PNG; an `error` other than 0 makes its CRC wrong."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ error)


class Files(support.InDirectory):
    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def bytes_of(self, name):
        with open(self.path(os.fsdecode(name)), "rb") as file:
            return file.read()

    def large(self):
        """Returns the path of a picture of 4.5 MB of pixels."""
        imgtool.write(self.path("large.png"), noise(1001, 1500), level=1)
        return self.path("large.png")


class Results(Files):
    @unittest.skipUnless(COMMAND, "IMGTOOL_COMMAND names no command")
    def test_bytes_are_those_of_the_command(self):
        steps = "rotate angle=7.5 | sharpen", "resize 50% | equalize", "thumbnail 64", "pad left=3"
        names = "landscape", "metadata", "palette-4", "interlaced-rgb-8", "trns-gray-2", "orientation-6"
        for extension in "png", "jpg":
            ours, theirs = self.path(f"a.{extension}"), self.path(f"b.{extension}")
            for text in steps:
                for name in names:
                    arguments = ["run", "-q", text, sample(f"{name}.png"), theirs]
                    subprocess.run([COMMAND, *arguments], check=True)
                    imgtool.run_file(text, sample(f"{name}.png"), ours)
                    self.assertEqual(self.bytes_of(ours), self.bytes_of(theirs), (text, name, extension))

    def test_bytes_are_those_of_read_run_and_write(self):
        for steps in "rotate", "blur sigma=3 | invert", "trim | median", "equalize | resize 50%":
            picture = imgtool.read(sample("rgb-8.png"))
            imgtool.write(self.path("wanted.png"), imgtool.run(steps, picture))
            self.assertEqual(imgtool.run_file(steps, sample("rgb-8.png"), self.path("got.png")), [])
            self.assertEqual(self.bytes_of("got.png"), self.bytes_of("wanted.png"), steps)

    def test_pixels_that_do_not_change_stay_compressed_as_they_are_if_that_is_smaller(self):
        small, got = self.path("small.png"), self.path("got.png")
        imgtool.write(small, imgtool.read(sample("landscape.png")), level=9)
        for steps in "", "autorotate", "depth bits=8":
            imgtool.run_file(steps, small, got)
            self.assertEqual(self.bytes_of(got), self.bytes_of(small), steps)
        imgtool.run_file("", small, got, level=1)
        self.assertGreater(len(self.bytes_of(got)), len(self.bytes_of(small)))

    def test_the_kind_of_a_picture_stays(self):
        for name, kept in ("palette-4", "color"), ("gray-2", "bits"), ("interlaced-rgb-8", "interlaced"):
            imgtool.run_file("rotate", sample(f"{name}.png"), self.path("out.png"))
            self.assertEqual(imgtool.info(self.path("out.png"))[kept], imgtool.info(sample(f"{name}.png"))[kept])

    def test_threads_and_memory_do_not_change_the_bytes(self):
        large = self.large()
        for steps in "rotate", "resize 50%", "equalize | rotate angle=30", "":
            imgtool.run_file(steps, large, self.path("wanted.png"))
            for limits in {"threads": 1}, {"threads": 7}, {"max_memory": 4 << 20}, {"max_memory": 4 << 20, "threads": 1}:
                imgtool.run_file(steps, large, self.path("got.png"), temporary=self.directory, **limits)
                self.assertEqual(self.bytes_of("got.png"), self.bytes_of("wanted.png"), (steps, limits))
        self.assertEqual(sorted(os.listdir(self.directory)), ["got.png", "large.png", "wanted.png"])

    def test_encodings_are_those_of_write(self):
        source = sample("landscape.png")
        picture = imgtool.run("invert", imgtool.read(source))
        for name, options in [
            ("a.png", {"level": 0}),
            ("a.png", {"level": 9}),
            ("a.png", {"index": False}),
            ("a.JPG", {}),
            ("a.jpeg", {"quality": 30}),
            ("a.bmp", {}),
            ("a", {}),
            ("a.bmp", {"format": "tga"}),
            ("a.webp", {}),
        ]:
            imgtool.write(self.path(name), picture, **options)
            wanted = self.bytes_of(name)
            os.unlink(self.path(name))
            imgtool.run_file("invert", source, self.path(name), **options)
            self.assertEqual(self.bytes_of(name), wanted, (name, options))
            os.unlink(self.path(name))

    def test_paths_have_any_type(self):
        shutil.copy(sample("rgb-8.png"), self.path("in.png"))
        imgtool.run_file("rotate", self.path("in.png"), self.path("wanted.png"))
        for source, target in [
            (os.fsencode(self.path("in.png")), os.fsencode(self.path("got.png"))),
            (pathlib.Path(self.path("in.png")), pathlib.Path(self.path("got.png"))),
            (self.path("in.png"), self.path("\udcff.png")),
        ]:
            imgtool.run_file("rotate", source, target, temporary=pathlib.Path(self.directory))
            self.assertEqual(self.bytes_of(target), self.bytes_of("wanted.png"))
            os.unlink(target)
        for source, target in (7, "out.png"), ("in.png", None), ("in.png", bytearray(b"out.png")):
            self.assertRaises(TypeError, imgtool.run_file, "rotate", source, target)
        self.assertRaises(ValueError, imgtool.run_file, "rotate", "a\0b.png", "out.png")

    def test_notes_tell_what_is_lost(self):
        notes = imgtool.run_file("", sample("metadata.png"), self.path("out.jpg"))
        self.assertTrue(any(note.startswith(f"{self.path('out.jpg')}: lost: ") for note in notes), notes)
        self.assertNotIn("--", "".join(notes))  # notes must not mention options of the command
        self.assertEqual(imgtool.run_file("", sample("metadata.png"), self.path("out.png")), [])


class Replaced(Files):
    def test_a_file_may_replace_itself(self):
        shutil.copy(sample("rgb-8.png"), self.path("a.png"))
        os.link(self.path("a.png"), self.path("same.png"))
        imgtool.run_file("rotate", self.path("a.png"), self.path("wanted.png"))
        imgtool.run_file("rotate", self.path("a.png"), self.path("same.png"))
        self.assertEqual(self.bytes_of("same.png"), self.bytes_of("wanted.png"))
        imgtool.run_file("rotate", self.path("same.png"), self.path("same.png"))
        imgtool.run_file("rotate", self.path("wanted.png"), self.path("wanted.png"))
        self.assertEqual(self.bytes_of("same.png"), self.bytes_of("wanted.png"))

    def test_a_png_with_another_name_is_protected(self):
        """A file that replaces itself stays a PNG. Another PNG is replaced by a JPEG only on request."""
        shutil.copy(sample("rgb-8.png"), self.path("a.jpg"))
        with self.assertRaisesRegex(imgtool.UsageError, "is a PNG whatever its name says"):
            imgtool.run_file("rotate", sample("gray-8.png"), self.path("a.jpg"))
        imgtool.run_file("rotate", self.path("a.jpg"), self.path("a.jpg"))
        turned = numpy.rot90(numpy.asarray(imgtool.read(sample("rgb-8.png"))), -1)
        self.assertTrue((numpy.asarray(imgtool.read(self.path("a.jpg"))) == turned).all())
        imgtool.run_file("rotate", self.path("a.jpg"), self.path("a.jpg"), format="jpeg")
        self.assertEqual(self.bytes_of("a.jpg")[:2], b"\xff\xd8")

    def test_losses_must_be_accepted(self):
        data = imgtool.encode(make_pixels((8, 9)))
        control = chunk(b"fcTL", struct.pack(">5I2H2B", 0, 9, 8, 0, 0, 1, 10, 0, 0))
        animated = self.write("animated.png", data[:33] + chunk(b"acTL", b"\0\0\0\2\0\0\0\0") + control + data[33:])
        damaged = self.write("damaged.png", data[:33] + chunk(b"tEXt", b"a\0b", error=1) + data[33:])
        for source, target in (animated, self.path("out.png")), (damaged, damaged):
            before = self.bytes_of(source)
            with self.assertRaisesRegex(imgtool.UnsupportedError, "accepts_losses") as raised:
                imgtool.run_file("flip", source, target)
            self.assertEqual(raised.exception.path, source)
            self.assertEqual(self.bytes_of(source), before)
            imgtool.run_file("flip", source, target, accepts_losses=True)
            self.assertFalse(imgtool.info(target)["animated"])

    def test_damage_is_noted(self):
        data = imgtool.encode(make_pixels((8, 9)))
        damaged = self.write("damaged.png", data[:33] + chunk(b"tEXt", b"a\0b", error=1) + data[33:])
        (note,) = imgtool.run_file("flip", damaged, self.path("out.png"))
        self.assertRegex(note, "damaged.png: .*CRC.*tEXt|damaged.png: .*tEXt.*CRC")


class Errors(Files):
    def test_errors_name_the_path_and_leave_the_target(self):
        good, old = sample("rgb-8.png"), self.write("old.png", b"old")
        short = self.write("short.png", self.bytes_of(good)[:-40])
        missing, nowhere, no_directory = (self.path(name) for name in ("missing.png", "none/out.png", "none"))
        for problem, path, arguments, options in [
            (imgtool.MissingFileError, missing, ("rotate", missing, old), {}),
            (imgtool.MissingFileError, os.fsencode(missing), ("rotate", os.fsencode(missing), old), {}),
            (imgtool.MissingFileError, nowhere, ("rotate", good, nowhere), {}),
            (imgtool.MissingFileError, no_directory, ("rotate", good, old), {"temporary": no_directory}),
            (imgtool.FileError, self.directory, ("rotate", self.directory, old), {}),
            (imgtool.FileError, self.directory, ("rotate", good, self.directory), {}),
            (imgtool.FormatError, short, ("rotate", short, old), {}),
            (imgtool.UnsupportedError, good, ("crop 9999x9999", good, old), {}),
            (imgtool.LimitError, good, ("rotate", good, old), {"max_pixels": 10}),
            (imgtool.LimitError, good, ("rotate", good, old), {"max_memory": 1000}),
            (imgtool.UsageError, None, ("nonsense", good, old), {}),
            (imgtool.UsageError, None, ("rotate", good, old), {"backend": "gpu"}),
            (imgtool.UsageError, None, ("rotate", good, old), {"format": "gif"}),
            (imgtool.UsageError, None, ("rotate", good, old), {"level": 10}),
            (imgtool.UsageError, None, ("rotate", good, old), {"quality": 0}),
            (imgtool.UsageError, None, ("rotate", good, old), {"threads": -1}),
            (imgtool.MissingFileError, None, (f"overlay image={missing}", good, old), {}),
        ]:
            with self.assertRaises(problem, msg=(arguments, options)) as raised:
                imgtool.run_file(*arguments, **options)
            self.assertEqual(raised.exception.path, path, (arguments, options))
            self.assertNotEqual(raised.exception.status, "")
            if path is not None:
                self.assertFalse(raised.exception.problem.startswith(os.fsdecode(path)))
            self.assertEqual(self.bytes_of(old), b"old")
            self.assertEqual(sorted(os.listdir(self.directory)), ["old.png", "short.png"])
        self.assertRaises(OverflowError, imgtool.run_file, "rotate", good, old, max_memory=-1)

    def test_a_directory_without_room_is_named(self):
        for temporary in "/proc", b"/proc", pathlib.Path("/proc"):
            with self.assertRaisesRegex(imgtool.FileError, " in /proc: .*; set temporary to ") as raised:
                imgtool.run_file("rotate", self.large(), self.path("out.png"), temporary=temporary, max_memory=4 << 20)
            self.assertEqual(raised.exception.path, self.path("large.png"))
        self.assertEqual(os.listdir(self.directory), ["large.png"])

    def test_limits_have_the_defaults_of_the_module(self):
        support.run_python(
            "import imgtool\n"
            "imgtool._imgtool._set_max_memory(1000)\n"
            "try:\n"
            f"    imgtool.run_file('rotate', {sample('rgb-8.png')!r}, {self.path('out.png')!r})\n"
            "    raise SystemExit('no limit')\n"
            "except imgtool.LimitError:\n"
            "    pass\n"
        )
        # 1,001 megapixels; the header is enough for the error
        header = chunk(b"IHDR", struct.pack(">2I5B", 1001000, 1000, 8, 0, 0, 0, 0))
        vast = self.write("vast.png", b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
        self.assertRaises(imgtool.LimitError, imgtool.run_file, "rotate", vast, self.path("out.png"))
        with self.assertRaises(imgtool.FormatError):
            imgtool.run_file("rotate", vast, self.path("out.png"), max_pixels=2000000000)


class Memory(Files):
    def test_memory_stays_within_max_memory(self):
        """Pages of files do not count, because the system drops them when memory is short."""
        with open("/proc/self/status", encoding="ascii") as file:
            if "RssAnon" not in file.read():
                self.skipTest("this system does not count anonymous memory")
        imgtool.write(self.path("in.png"), noise(3000, 4000), level=1)  # 36 MB
        for steps in "rotate", "equalize | sharpen", "median radius=3", "":
            support.run_python(
                "import imgtool, threading, time\n"
                "def resident():\n"
                "    with open('/proc/self/status', encoding='ascii') as file:\n"
                "        return next(int(line.split()[1]) for line in file if line.startswith('RssAnon'))\n"
                "imgtool.parse('flip')\n"
                "before, most, done = resident(), 0, threading.Event()\n"
                "def watch():\n"
                "    global most\n"
                "    while not done.wait(0.001):\n"
                "        most = max(most, resident())\n"
                "thread = threading.Thread(target=watch)\n"
                "thread.start()\n"
                f"imgtool.run_file({steps!r}, {self.path('in.png')!r}, {self.path('out.png')!r},\n"
                "                 threads=2, max_memory=8 << 20)\n"
                "done.set()\n"
                "thread.join()\n"
                "assert 0 < most < before + (16 << 10), f'{most} KiB, {before} before'\n"
            )


class Threads(Files):
    def test_threads_do_not_disturb_each_other(self):
        names = [name for name in sorted(os.listdir(support.SAMPLES)) if name.endswith(".png")]

        def work(number, name):
            target = self.path(f"{number}-{name}")
            notes = imgtool.run_file("rotate | resize 150%", sample(name), target, threads=1)
            return notes, self.bytes_of(target)

        expected = [work(0, name) for name in names]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            got = list(pool.map(work, range(1, 1 + 3 * len(names)), 3 * names))
        self.assertEqual(got, 3 * expected)

    def test_other_threads_run_meanwhile(self):
        large, done, count = self.large(), threading.Event(), 0

        def work():
            imgtool.run_file("median radius=2", large, self.path("out.png"), level=9, threads=1)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            count += 1
        thread.join()
        self.assertGreater(count, 1000)

    def test_a_forked_child_can_work(self):
        """The child has no threads of the parent's contexts, so it creates its own."""
        large = self.large()
        imgtool.run_file("rotate", large, self.path("out.png"), threads=2)
        child = os.fork()
        if child == 0:
            imgtool.run_file("rotate", large, self.path("child.png"), threads=2)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(self.bytes_of("child.png"), self.bytes_of("out.png"))


class Interrupt(Files):
    def test_ctrl_c_leaves_nothing_behind(self):
        """Each work would take many seconds if it was not interrupted. A step that runs on the whole
        picture is finished first."""
        source, directory = self.path("in.png"), self.path("out")
        imgtool.write(source, noise(4000, 6000), level=1)
        os.mkdir(directory)
        target = os.path.join(directory, "a.png")
        for steps, options in [
            ("", {"level": 9, "threads": 1}),
            (" | ".join(["median radius=3"] * 29), {}),
            (" | ".join(["rotate angle=30 size=keep"] * 29), {"max_memory": 64 << 20}),
        ]:
            for old in [], ["a.png"]:
                for name in old:
                    self.write(os.path.join(directory, name), b"old")
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                start = time.process_time()
                with self.assertRaises(KeyboardInterrupt, msg=steps):
                    imgtool.run_file(steps, source, target, **options)
                self.assertLess(time.process_time() - start, 10)
                self.assertEqual(os.listdir(directory), old)
                for name in old:
                    self.assertEqual(self.bytes_of(os.path.join(directory, name)), b"old")
                    os.unlink(os.path.join(directory, name))
        imgtool.run_file("flip", sample("rgb-8.png"), target)

    def test_signals_during_a_wait_for_a_pipe_lose_nothing(self):
        content, pipe, got = self.bytes_of(sample("rgb-8.png")), self.path("pipe"), []
        imgtool.run_file("rotate", sample("rgb-8.png"), self.path("wanted.png"))
        os.mkfifo(pipe)

        def give():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(0.1)
            with open(pipe, "wb", buffering=0) as file:
                file.write(content[:200])
                time.sleep(0.1)
                file.write(content[200:])

        def take():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(0.1)
            with open(pipe, "rb") as file:
                got.append(file.read())

        before = signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        try:
            for work, source, target in (give, pipe, self.path("got.png")), (take, sample("rgb-8.png"), pipe):
                thread = threading.Thread(target=work, daemon=True)
                thread.start()
                imgtool.run_file("rotate", source, target)
                thread.join()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(self.bytes_of("got.png"), self.bytes_of("wanted.png"))
        self.assertEqual(got, [self.bytes_of("wanted.png")])

    def test_a_handler_that_raises_ends_a_wait_for_a_pipe(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for source, target in (pipe, self.path("out.png")), (sample("rgb-8.png"), pipe):
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            self.assertRaises(KeyboardInterrupt, imgtool.run_file, "rotate", source, target)
        self.assertEqual(os.listdir(self.directory), ["pipe"])


if __name__ == "__main__":
    unittest.main()
