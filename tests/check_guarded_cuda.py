"""Checks the CUDA code that not every GPU gets: code that `__CUDA_ARCH__` selects, and assembler.

    check_guarded_cuda.py NVCC SOURCE_DIR

A build without a GPU compiles all CUDA code for the oldest GPUs only, and only to PTX. This test finds the files that
hold `__CUDA_ARCH__` or `asm`. It compiles some sources that together include all of them, to machine code for the newest
GPUs of the default build, without their host code.
"""

import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

nvcc, source = sys.argv[1:]
os.chdir(source)


@functools.cache
def text_of(file):
    return pathlib.Path(file).read_text(encoding="utf-8")


@functools.cache
def read_by(file):
    """Returns the source and all files of the project that it includes, directly or indirectly."""
    found, ahead = set(), [file]
    while ahead:
        name = ahead.pop()
        if name not in found and os.path.exists(name):
            found.add(name)
            ahead += re.findall(r'^#include "([^"]+)"', text_of(name), re.MULTILINE)
    return found


sources = sorted(str(path) for top in ("kernels", "io", "app") for path in pathlib.Path(top).rglob("*.cu"))
guarded = {
    name
    for file in sources
    for name in read_by(file)
    if re.search(r"__CUDA_ARCH__|\basm\b", text_of(name))
}
left, chosen = set(guarded), []
while left:
    # Chooses the source that covers the most files in `left`; among several such sources, the one that includes the
    # least text.
    chosen.append(max(sources, key=lambda file: (len(read_by(file) & left), -sum(map(len, map(text_of, read_by(file)))))))
    left -= read_by(chosen[-1])

versions = re.search(r"set\(CMAKE_CUDA_ARCHITECTURES ([^)]*)\)", text_of("CMakeLists.txt"))
if not versions or not chosen:
    sys.exit("CMakeLists.txt names no architectures, or no CUDA source was found")
newest = max(int(number) for number in re.findall(r"\d+", versions[1]))
options = [f"-arch=sm_{newest}"]
if "--Ofast-compile" in subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=True).stdout:
    options.append("--Ofast-compile=max")

print(f"{len(chosen)} of {len(sources)} sources, which read {len(guarded)} files with code for some GPUs only; sm_{newest}")
failed = False
with tempfile.TemporaryDirectory() as work:
    for file in chosen:
        made = subprocess.run(
            [nvcc, "--fatbin", "-std=c++17", "-I.", "-DIMGTOOL_CUDA=1", *options, file, "-o", f"{work}/code"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        if made.returncode != 0:
            print(f"{file}:\n{made.stdout}")
            failed = True
sys.exit(failed)
