"""Threads, Ctrl-C, forks and other interpreters."""

import concurrent.futures
import contextlib
import os
import signal
import tempfile
import threading
import time
import unittest

import support
from support import imgtool, make_pixels, numpy, sample


@contextlib.contextmanager
def harmless_signals():
    """Sends a signal every 20 ms, which interrupts every wait of this thread."""
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Threads(unittest.TestCase):
    def test_threads_do_not_disturb_each_other(self):
        names = [name for name in sorted(os.listdir(support.SAMPLES)) if name.endswith(".png")]

        def work(name):
            array = imgtool.read(sample(name), threads=1)
            turned = imgtool.run("rotate | rotate angle=270", array)
            return imgtool.encode(turned, level=1)

        expected = [work(name) for name in names]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for _ in range(4):
                self.assertEqual(list(pool.map(work, names)), expected)

    def test_other_threads_run_meanwhile(self):
        """One thread counts while another encodes: the encoder must have released the GIL."""
        pixels = make_pixels((1000, 1500, 3))
        count, done = 0, threading.Event()

        def work():
            imgtool.encode(pixels, level=9, threads=1)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            count += 1
        thread.join()
        self.assertGreater(count, 1000)

    def test_other_threads_run_while_steps_read_files(self):
        """If steps held the GIL, the thread that writes the file could not run, and parse would wait for ever."""
        with tempfile.TemporaryDirectory() as directory:
            name = os.path.join(directory, "pipe")
            os.mkfifo(name)
            with open(sample("rgb-8.png"), "rb") as file:
                content = file.read()
            support.run_python(
                "import imgtool, threading\n"
                f"def write():\n    with open({name!r}, 'wb') as file:\n        file.write({content!r})\n"
                "thread = threading.Thread(target=write, daemon=True)\nthread.start()\n"
                f"imgtool.parse('overlay image={name}')\n"
            )


class Interrupt(unittest.TestCase):
    def test_ctrl_c_ends_work(self):
        """Each work would take many seconds if it was not interrupted."""
        pixels = numpy.random.default_rng(1).integers(0, 256, (4000, 6000, 3), "uint8")
        for work in (
            lambda: imgtool.encode(pixels, level=9, threads=1),
            lambda: imgtool.encode(pixels, level=9, interlaced=True),
            lambda: imgtool.run(" | ".join(["median radius=7"] * 29), pixels, threads=1),
        ):
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            start = time.process_time()
            self.assertRaises(KeyboardInterrupt, work)
            self.assertLess(time.process_time() - start, 5)
        self.assertEqual(imgtool.run("flip", pixels[:4, :4]).shape, (4, 4, 3))

    def test_a_wait_for_a_pipe_continues_after_signals(self):
        """The other end of the pipe is opened after the handler of the signals has run. The call must still be waiting
        then."""
        with tempfile.TemporaryDirectory() as directory, open(sample("rgb-8.png"), "rb") as file:
            content, name = file.read(), os.path.join(directory, "pipe")
            os.mkfifo(name)
            picture, got, handled = imgtool.read(content), [], []

            def after_signals(work):
                def run():
                    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                    while len(handled) < 3:
                        time.sleep(0.01)
                    work()

                handled.clear()
                thread = threading.Thread(target=run, daemon=True)
                thread.start()
                return thread

            def give():
                with open(name, "wb") as pipe:
                    pipe.write(content)

            def take():
                with open(name, "rb") as pipe:
                    got.append(pipe.read())

            before = signal.signal(signal.SIGALRM, lambda *_: handled.append(1))
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
            try:
                for work, call in [
                    (give, lambda: imgtool.read(name)),
                    (give, lambda: imgtool.parse(f"overlay image={name}")),
                    (take, lambda: imgtool.write(name, picture)),
                ]:
                    thread = after_signals(work)
                    call()
                    thread.join()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
            self.assertEqual(imgtool.read(got[0]).shape, picture.shape)

    def test_signals_while_steps_read_a_pipe_lose_nothing(self):
        """If the pipe was opened again, the bytes that were already read would be lost."""
        pixels, first, rest = make_pixels((8, 8)), b"0 1 0\n1 0 1\n", b"0 1 0\n"
        with tempfile.TemporaryDirectory() as directory:
            file, pipe = os.path.join(directory, "file"), os.path.join(directory, "pipe")
            with open(file, "wb") as out:
                out.write(first + rest)
            os.mkfifo(pipe)

            def give():
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                with open(pipe, "wb", buffering=0) as out:
                    out.write(first)
                    time.sleep(0.2)
                    out.write(rest)

            thread = threading.Thread(target=give, daemon=True)
            with harmless_signals():
                thread.start()
                got = imgtool.run(f"convolve file={pipe}", pixels)
                thread.join()
            expected = numpy.asarray(imgtool.run(f"convolve file={file}", pixels))
            self.assertTrue((numpy.asarray(got) == expected).all())

    def test_signals_while_steps_wait_for_a_second_pipe_keep_the_first(self):
        pixels, kernel = make_pixels((8, 8)), b"0 1 0\n1 0 1\n0 1 0\n"
        with tempfile.TemporaryDirectory() as directory:
            names = [os.path.join(directory, name) for name in ("first", "second", "file")]
            with open(names[2], "wb") as out:
                out.write(kernel)
            for name in names[:2]:
                os.mkfifo(name)

            def give():
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
                for name in names[:2]:
                    with open(name, "wb", buffering=0) as out:
                        out.write(kernel)
                    time.sleep(0.2)

            thread = threading.Thread(target=give, daemon=True)
            with harmless_signals():
                thread.start()
                got = imgtool.run(f"convolve file={names[0]} | convolve file={names[1]}", pixels)
                thread.join()
            expected = imgtool.run(f"convolve file={names[2]} | convolve file={names[2]}", pixels)
            self.assertTrue((numpy.asarray(got) == numpy.asarray(expected)).all())

    def test_a_handler_that_raises_ends_a_wait_for_data(self):
        """The other end of the pipe is open, but no data is read or written until the call has waited far too long."""
        with open(sample("rgb-8.png"), "rb") as file:
            beginning = file.read(200)
        large = numpy.zeros((1000, 1000), "uint8")
        with tempfile.TemporaryDirectory() as directory:
            name = os.path.join(directory, "pipe")
            for given, work in (
                (b"", lambda: imgtool.read(name)),
                (beginning, lambda: imgtool.read(name)),
                (b"0 1 0\n", lambda: imgtool.parse(f"convolve file={name}")),
                (beginning, lambda: imgtool.parse(f"overlay image={name}")),
                (b"", lambda: imgtool.write(name, large, level=0, threads=1)),
            ):
                os.mkfifo(name)
                other = os.open(name, os.O_RDWR)
                os.write(other, given)
                watchdog = threading.Timer(5, lambda: (os.unlink(name), os.close(other)))
                watchdog.start()
                call = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
                call.start()
                self.assertRaises(KeyboardInterrupt, work)
                self.assertTrue(watchdog.is_alive(), given)
                watchdog.cancel()
                os.close(other)
                os.unlink(name)

    def test_a_handler_that_raises_ends_a_wait_for_a_pipe(self):
        waits = []

        def raise_while_it_waits(*_):
            if waits:
                waits.clear()
                raise KeyboardInterrupt

        def call(work):
            waits.append(1)
            work()

        with tempfile.TemporaryDirectory() as directory:
            name = os.path.join(directory, "pipe")
            os.mkfifo(name)
            before = signal.signal(signal.SIGALRM, raise_while_it_waits)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
            try:
                for work in (lambda: imgtool.read(name), lambda: imgtool.parse(f"lut file={name}")):
                    self.assertRaises(KeyboardInterrupt, call, work)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)


class Processes(unittest.TestCase):
    def test_a_forked_child_can_work(self):
        """The child has no threads of the parent's contexts, so it creates its own."""
        pixels = make_pixels((1000, 1500, 3))
        expected = imgtool.encode(pixels, threads=4)
        child = os.fork()
        if child == 0:
            os._exit(0 if imgtool.encode(pixels, threads=4) == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_other_interpreters_can_import_it(self):
        work = f"import imgtool; imgtool.encode(imgtool.run('flip', imgtool.read({sample('rgb-8.png')!r})))"
        support.run_python(
            "try:\n import _xxsubinterpreters as interpreters\n"
            "except ImportError:\n import _interpreters as interpreters\n"
            f"{work}\n"
            "for _ in range(5):\n"
            "    one = interpreters.create()\n"
            f"    interpreters.run_string(one, {work!r})\n"
            "    interpreters.destroy(one)\n"
            f"{work}\n"
        )

    def test_a_capsule_can_be_released_in_another_interpreter(self):
        """The capsule is released with the GIL of the other interpreter. Both interpreters must end without delay."""
        work = f"import imgtool; imgtool.kept = imgtool.read({sample('rgb-8.png')!r}).__dlpack__()"
        support.run_python(
            "try:\n import _xxsubinterpreters as interpreters\n"
            "except ImportError:\n import _interpreters as interpreters\n"
            "one = interpreters.create()\n"
            f"interpreters.run_string(one, {work!r})\n"
            f"interpreters.run_string(one, {'del imgtool.kept'!r})\n"
            f"interpreters.run_string(one, {work!r})\n"
            "interpreters.destroy(one)\n"
        )

    def test_arrays_may_live_until_the_end(self):
        """Arrays may live until the interpreter ends, also if other packages hold them."""
        path = sample("rgb-8.png")
        support.run_python(
            f"import imgtool, numpy\narray = imgtool.read({path!r})\n"
            "pixels = numpy.asarray(array)\nimgtool.kept = array, pixels, array.__dlpack__()"
        )


if __name__ == "__main__":
    unittest.main()
