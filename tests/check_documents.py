#!/usr/bin/env python3
"""check_documents.py IMGTOOL SOURCE: checks that help, the manual and the READMEs name only what exists.

It looks for: options in the help of each command, which the command itself must have; commands and operations
after `imgtool`, each with its own options; links and paths of the tree; the limits of app/SECURITY.md, which the
code must have. Other tests run the commands."""
import pathlib
import re
import subprocess
import sys

imgtool, source = sys.argv[1], pathlib.Path(sys.argv[2])
# OPTION matches an option in a text. DESCRIBED matches an option that a line of the help describes.
OPTION = r"(?<![\w-])--[a-z][a-z0-9-]*"
DESCRIBED = r"(?m)^ +(?:-\w, )?(--[a-z][a-z0-9-]*)"
failures = []


def run(*words):
    return subprocess.run([imgtool, *words], check=True, capture_output=True, text=True).stdout


def names_of_help():
    """Returns the names of commands and operations. The short help describes each of them on its own line."""
    return re.findall(r"(?m)^  ([a-z]+)  ", run("--help"))


def check_help(name, options):
    """Checks the options in the help of a command. The description of an option may name only options of this command.
    All other text, and the help of `help`, may name options of any command."""
    anywhere = set().union(*options.values())
    for part in re.split(r"\n\n|(?m:^(?= +(?:-\w, )?--))", run("help", name)):
        known = options[name] if re.match(DESCRIBED, part) and name != "help" else anywhere
        for option in sorted(set(re.findall(OPTION, part.replace("-\n", "-"))) - known):
            failures.append(f"imgtool help {name} names {option}, which it has not: {part.split()[0]}")


def commands_in(text, is_manual):
    """Yields the command lines of a text. They are in a code block, indented, or between backquotes."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        elif in_block or line.startswith("    ") or is_manual:
            code = re.sub(r"(^|\s)#.*", "", line)
            for command in re.findall(r"(?:^\s*|[|&;(]\s*)imgtool ([a-z][^|&;)]*)", code):
                yield number, command
        else:
            for command in re.findall(r"`(?:\w+ )*imgtool ([a-z][^`|]*)", line):
                yield number, command


def check_commands(name, text, options, is_manual=False):
    found = 0
    for number, command in commands_in(text, is_manual):
        word = re.match(r"[a-z]+", command).group()
        if word not in options:
            failures.append(f"{name}:{number}: imgtool has no command or operation {word}: imgtool {command}")
            continue
        found += 1
        own = set(options[word])
        # After `batch` and `help`, each operation that the command names adds its own options.
        for other in re.findall(r"[a-z]+", command):
            own |= options[other] if word in ("batch", "help") and other in options else set()
        for option in re.findall(OPTION, command):
            if option not in own:
                failures.append(f"{name}:{number}: imgtool {word} has no option {option}")
    return found


def check_paths(document, text):
    found = 0
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target):
            found += 1
            if not (document.parent / target).exists():
                failures.append(f"{document.relative_to(source)}: there is no {target}")
    for path in re.findall(r"`(?:bash |python3 )?((?:app|io|kernels|samples|tests)/[\w./-]+)`", text):
        known = [document.parent / path, source / path]
        if not re.search(r"[A-Z]{4}(?!\w*\.md)", path) and not any(at.exists() for at in known):
            failures.append(f"{document.relative_to(source)}: there is no {path}")
    return found


def check_limits():
    """Each row of the table in app/SECURITY.md names a file and text that it must contain."""
    text = (source / "app/SECURITY.md").read_text(encoding="utf-8")
    places = re.findall(r"(?m)^\|.*\| `([a-z0-9_/]+\.[ch]): (.*)` \|$", text)
    for file, limit in places:
        if limit not in (source / file).read_text(encoding="utf-8"):
            failures.append(f"app/SECURITY.md: there is no '{limit}' in {file}")
    return len(places)


def main():
    names = names_of_help()
    options = {name: set(re.findall(DESCRIBED, run("help", name))) for name in names}
    for name in names:
        check_help(name, options)
    commands = links = 0
    for top in (".", "app", "io", "kernels", "samples", "tests"):
        pattern = "*.md" if top == "." else "**/*.md"
        for document in sorted((source / top).glob(pattern)):
            text = document.read_text(encoding="utf-8")
            links += check_paths(document, text)
            if top != "tests":
                commands += check_commands(str(document.relative_to(source)), text, options)
    manual = re.sub(r"\\(?:f[BIR]|&)", "", run("help", "--format", "man").replace("\\-", "-"))
    commands += check_commands("the manual", manual, options, is_manual=True)
    limits = check_limits()
    print(f"{commands} commands, {links} links and {limits} limits in documents")
    if commands < 100 or links < 50 or limits < 15:
        failures.append("these are too few: has the form of the documents changed?")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
