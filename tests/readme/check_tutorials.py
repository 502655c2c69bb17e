#!/usr/bin/env python3
"""check_tutorials.py SOURCE BUILD: checks the syntax of the code in kernels/TUTORIAL_*.md.

It writes each new file that a page shows into an empty directory. It compiles the file there with the options of a
similar file of the tree, taken from the compile commands of BUILD. Where the page adds a line to a file, the line
after which it belongs must exist. Files for CUDA are compiled if the build compiles CUDA."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
# For each kind of file of a page: the file of the tree whose options compile it.
SIMILAR = {"kernels/point": "kernels/point/invert.c", "kernels/edge": "kernels/edge/laplacian.c",
           "kernels/edge/cuda": "kernels/edge/cuda/laplacian.cu", "tests/unit": "tests/unit/test_edge.c"}
failures = []


def compile_commands():
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return {entry["file"]: (shlex.split(entry["command"]), entry["directory"]) for entry in entries}


def write_files(page, directory):
    """Writes the new files of a page and returns their paths."""
    paths = re.findall(r"(?ms)^\*\*New file: ([\w./]+)\*\*\n\n```\w+\n(.*?)^```$", page.read_text(encoding="utf-8"))
    for path, text in paths:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    return [path for path, _ in paths]


def check_anchors(page):
    """Checks that each file to which the page adds a line has the line before it, once."""
    anchors = re.findall(r"(?m)^\*\*In ([\w./]+), after the line `(.*)`\*\*$", page.read_text(encoding="utf-8"))
    for path, line in anchors:
        if (source / path).read_text(encoding="utf-8").splitlines().count(line) != 1:
            failures.append(f"{page.name}: {path} does not have the line '{line}' once")
    return len(anchors)


def check_syntax(page, directory, path, commands):
    """Compiles a new file. Its own directory comes before that of the source. Returns whether the build can."""
    similar = str(source / SIMILAR[str(pathlib.PurePath(path).parent)])
    if similar not in commands:
        return False
    words, where = commands[similar]
    words = words[1:] if pathlib.PurePath(words[0]).name == "ccache" else words
    words = [str(directory / path) if word == similar else word for word in words]
    for option, value in ("-o", "object"), ("-MF", "dependencies"):
        if option in words:
            words[words.index(option) + 1] = str(directory / value)
    run = subprocess.run([words[0], "-I", str(directory), *words[1:]], cwd=where, capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        failures.append(f"{page.name}: {path}: {run.stdout}{run.stderr}")
    return True


def main():
    commands = compile_commands()
    compiled = anchors = 0
    for page in sorted((source / "kernels").glob("TUTORIAL_*.md")):
        anchors += check_anchors(page)
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            for path in write_files(page, directory):
                if not path.endswith(".h"):
                    compiled += check_syntax(page, directory, path, commands)
    print(f"{compiled} files compiled, {anchors} places for lines")
    if compiled < 4 or anchors < 4:
        failures.append("these are too few: has the form of the pages changed?")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
