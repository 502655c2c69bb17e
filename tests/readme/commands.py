"""Finds commands in Markdown files: in sh blocks, `$ ` lines and indented blocks, and `imgtool ...` in the text."""
import os
import re
from typing import NamedTuple

# First words that identify a command in an indented block. All other indented blocks are sketches or output, and are
# not run.
PROGRAMS = re.compile(r"(\$ )?(imgtool|bash|ctest|cmake|python3|checkkernels|srun|mpirun|strace|mkdir|for \w+ in|cc"
                      r"|(tests|build)[-\w]*/\S+|npp_\w+|cub_\w+|cv2_\w+\.py|[A-Z]+=\S+|i=\S+|\$i)(\s|$)")


class Command(NamedTuple):
    file: str
    line: int
    text: str


def markdown_files(root):
    for directory, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith((".", "build")))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(directory, name), root)


def _without_comment(line):
    """Removes '# ...' outside quotes."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at].rstrip()
    return line.rstrip()


def _is_complete(text):
    quote = ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
    return not quote and not text.rstrip().endswith(("\\", "|", "&&", "||"))


def _joined(lines):
    """Yields (line, text) of whole commands, which may extend over several lines."""
    text, start = "", 0
    for number, line in lines:
        if not text:
            start = number
        text += ("\n" if text else "") + (_without_comment(line) if _is_complete(text) else line)
        if text.strip() and _is_complete(text):
            yield start, text.strip()
            text = ""
        elif not text.strip():
            text = ""


def _blocks(lines):
    """Yields (kind, lines) of fenced and indented blocks, and of the text between them."""
    kind, block, blank = "text", [], True
    for number, line in enumerate(lines, 1):
        if kind.startswith("fence"):
            if line.startswith("```"):
                yield kind, block
                kind, block = "text", []
            else:
                block.append((number, line))
            continue
        if line.startswith("```"):
            yield kind, block
            kind, block = "fence" + line[3:].strip(), []
            continue
        indented = line.startswith("    ") and (blank or kind == "indented")
        wanted = "indented" if indented else "text"
        if wanted != kind and not (kind == "indented" and not line.strip()):
            yield kind, block
            kind, block = wanted, []
        block.append((number, line))
        blank = not line.strip()
    yield kind, block


def commands_of(root, file):
    with open(os.path.join(root, file), encoding="utf-8") as opened:
        lines = opened.read().split("\n")
    for kind, block in _blocks(lines):
        if kind == "fencesh":
            found = _joined(block)
        elif kind == "fence":
            found = _joined((number, line[2:]) for number, line in block if line.startswith("$ "))
        elif kind == "indented":
            stripped = [(number, line[4:]) for number, line in block]
            found = ((number, text) for number, text in _joined(stripped) if PROGRAMS.match(text))
        elif kind == "text":
            whole = "\n".join(line for _, line in block)
            first = block[0][0] if block else 0
            found = [(first + whole.count("\n", 0, match.start()),
                      " ".join(match[1].replace("\\|", "|").split()))
                     for match in re.finditer(r"(?<!`)`((?:imgtool|srun|mpirun|parallel|sbatch|kubectl) [^`]+)`", whole)]
        else:
            continue
        for number, text in found:
            yield Command(file, number, re.sub(r"^\$ ", "", text))


def python_of(root, file):
    """Yields Python blocks, and the calls in the last column of tables."""
    with open(os.path.join(root, file), encoding="utf-8") as opened:
        lines = opened.read().split("\n")
    for kind, block in _blocks(lines):
        if kind == "fencepython" and block:
            yield Command(file, block[0][0], "\n".join(line for _, line in block))
    for number, line in enumerate(lines, 1):
        cells = line.split(" | ")
        if line.startswith("| ") and len(cells) == 3:
            for code in re.findall(r"`((?:imgtool\.\w+|read|write|run)\([^`]*\))`", cells[2]):
                text = code if code.startswith("imgtool.") else "imgtool." + code
                yield Command(file, number, text.replace("WxH", "30x20"))
