#!/usr/bin/python3
"""check_commands.py IMGTOOL REPOSITORY [MODULES]: runs the commands of all Markdown files. Those of each file run
in a directory with pictures of all kinds, small and large, and files that are broken, empty or JPEGs. MODULES is
the directory of the Python module. Exit code 0: all behaved as expected; 1: some did not; 77: without jq."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from commands import commands_of, markdown_files, python_of

IMGTOOL, REPOSITORY = map(os.path.abspath, sys.argv[1:3])
MODULES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else ""
SAMPLES = os.path.join(REPOSITORY, "samples")
SECONDS_MOST = 300

# Commands that cannot run here, and why. Words in them that look like paths of the repository must still exist.
SKIPPED = [
    (r"apt-get |quickstart\.sh", "installs packages"),
    (r"^cmake |cpack|^cc |^mkdir -p finds", "builds; tests/run.sh and library_installed do that"),
    (r"^(\w+=\S* |\w+='[^']*' )*(bash )?tests/|^(\w+=\S* )*bash tests|^ctest|^build|^strace|^i=|^\$i|pipelines\.py",
     "runs tests"),
    (r"^(checkkernels|npp_|cub_|cv2_|python3 tests/peers)", "measures, many on a GPU"),
    (r"--backend cuda|h100\.json", "needs a GPU"),
    (r"^imgtool bench (lab( |$)(--json|all|sum)|files photos|--load)|^imgtool bench$", "measures for a minute or more"),
    (r"^(sbatch|kubectl|parallel)", "needs a cluster"),
    (r"roatte", "an example of a test"),
]

# For commands that begin with these words: the expected exit code, and bash conditions that must hold afterwards in the
# same directory. Some files of `photos/` are broken.
EXPECTED = {
    "imgtool crop --x": (0, "size out.png 300x200"),
    "imgtool crop 300x200+10+20": (0, "size out.png 300x200"),
    "imgtool resize 1600x1600": (0, "size out.png 1600x1068"),
    "imgtool thumbnail 400x300": (0, "size out.png 400x267"),
    "imgtool montage --columns 6 photos/": (3, "! test -e sheet.png"),
    "imgtool tiles --size 512x512 scans/": (1, "size tiles/page-0-0.png 512x427 && test -e tiles/page-0-1.png"),
    "imgtool convert scan.png": (0, "head -c 3 scan.jpg | od -An -tx1 | grep -q 'ff d8 ff'"),
    "curl": (0, "size turned.png 427x640"),
    "imgtool batch 'autorotate": (1, "size_jpeg web/large.jpg 1600 1120 && size_jpeg web/more/small.jpg 7 5 && "
                                     "size_jpeg web/sideways.jpg 76 62 && ! test -e web/broken.jpg && "
                                     "! grep -qa Exif web/sideways.jpg"),
    "imgtool batch stats --json --recursive photos/ |\n    jq -r 'select": (
        1, "grep -qx photos/white.png stdout && ! grep -q -e landscape -e broken -e null stdout"),
    "imgtool batch stats --csv": (1, "grep -q '^file,photos/broken.png,.*,format$' stats.csv"),
    "imgtool batch stats --json --recursive photos/ | jq -rs": (
        1, "test \"$(cat stdout)\" = 'photos/landscape.png  photos/more/copy.png'"),
    "imgtool compare first.png second.png": (0, "grep -q '^same pixels$' stdout"),
    "imgtool compare --diff": (0, ""),
    "imgtool batch autorotate --in-place": (1, "size photos/sideways.png 76x62 && cmp photos/large.png large.png"),
    "imgtool batch rotate --recursive photos/ turned/ --report": (
        1, "jq -es 'map(select(.status == \"failed\")) | length == 3' report.json"),
    "imgtool batch rotate --recursive photos/ turned/ --resume": (1, "size turned/large.png 1400x2000"),
    "srun -N3 -n6 imgtool batch rotate": (1, "test $(ls report-*.json | wc -l) = 6"),
    "srun -N3 -n6 imgtool batch flip": (1, ""),
    "mpirun": (1, ""),
    "srun -n6 --output": (1, "test $(ls part-*.jsonl | wc -l) = 6"),
    "imgtool stats merge": (1, ""),
    "imgtool batch merge-report report-*.json": (1, ""),
    "imgtool batch flip photos/ out/ --dry-run": (0, ""),
    "for f in *.png": (0, "cmp <(imgtool run 'autorotate | clahe' in.png -) out/in.png"),
}

# For commands that begin with these words: bash commands that make the files that the Markdown text assumes.
BEFORE = {
    "imgtool batch merge-report": "test -e report-1-of-6.json || srun -n6 imgtool batch flip photos/ out/ --shard auto "
                                  "--report 'report-{shard}.json'",
}

HELPERS = """
size() { imgtool info --json "$1" | jq -e --arg s "$2" '.files[0] | "\\(.width)x\\(.height)" == $s' >/dev/null; }
size_jpeg() { # SOF0 has width and height of a baseline JPEG
    python3 -c 'import sys, struct
data = open(sys.argv[1], "rb").read()
at = data.index(b"\\xff\\xc0")
height, width = struct.unpack(">HH", data[at + 5:at + 9])
sys.exit([width, height] != [int(sys.argv[2]), int(sys.argv[3])])' "$@"
}
set -o pipefail
"""

# A stand-in for the programs that start the parts of a batch, such as srun and mpirun. It sets the variables that tell
# a part its number.
LAUNCHER = """#!/bin/bash
parts=6 output=
while [[ $1 == -* ]]; do
    case $1 in
    -n6 | -N3) ;;
    --output=*) output=${1#*=} ;;
    -np) parts=$2 && shift ;;
    esac
    shift
done
code=0
for ((i = 0; i < parts; i++)); do
    RANK_VARIABLES "$@" >"${output:+${output/\\%t/$i}}${output:-/dev/stdout}" || code=$?
done
exit $code
"""

problems, ran, skipped = [], 0, {}


def imgtool(*arguments):
    subprocess.run([IMGTOOL, *arguments, "-q"], check=True)


def sample(name, target):
    shutil.copy(os.path.join(SAMPLES, name), target)


def make_fixture():
    """Makes the files of the fixture in the working directory."""
    for name in "photos/more", "scans", "bin":
        os.makedirs(name)
    sample("landscape.png", "in.png")
    sample("rgba-8.png", "logo.png")
    for name in "scan.png", "photo.png", "first.png":
        sample("landscape.png", name)
    imgtool("convert", "--level", "9", "--strip", "in.png", "second.png")
    imgtool("resize", "2000x1400", "--fit", "fill", "--filter", "nearest", os.path.join(SAMPLES, "palette-4.png"),
            "large.png")
    shutil.copy("large.png", "photos/large.png")
    sample("landscape.png", "photos/landscape.png")
    shutil.copy("second.png", "photos/more/copy.png")
    sample("orientation-6.png", "photos/sideways.png")
    sample("palette-4.png", "photos/palette.png")
    sample("gray-16.png", "photos/deep.png")
    imgtool("resize", "7x5", "--fit", "fill", "in.png", "photos/more/small.png")
    imgtool("run", "brightness value=100", "photos/more/small.png", "photos/white.png")
    imgtool("convert", "in.png", "photos/jpeg.jpg")
    shutil.copy("photos/jpeg.jpg", "photos/jpeg.png")
    with open("in.png", "rb") as whole, open("photos/broken.png", "wb") as broken:
        broken.write(whole.read()[:5000])
    with open("photos/empty.png", "wb"), open("scans/empty.png", "wb"):
        pass
    sample("landscape.png", "scans/page.png")
    with open("steps.txt", "w", encoding="ascii") as steps:
        steps.write("# upright\nautorotate\nresize 50%\n")
    with open("look.cube", "w", encoding="ascii") as look:
        look.write("LUT_1D_SIZE 2\n0.1 0 0\n1 1 0.9\n")
    os.mkdir("out")
    os.chmod(".", 0o700)  # the socket of a server is created in this directory
    launchers = {"srun": "SLURM_STEP_ID=0 SLURM_PROCID=$i SLURM_STEP_NUM_TASKS=$parts",
                 "mpirun": "OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=$parts"}
    for name, variables in launchers.items():
        write_program(name, LAUNCHER.replace("RANK_VARIABLES", "env " + variables))
    write_program("curl", "#!/bin/bash\ncat in.png\n")
    os.symlink(IMGTOOL, "bin/imgtool")


def write_program(name, text):
    with open(os.path.join("bin", name), "w", encoding="ascii") as program:
        program.write(text)
    os.chmod(os.path.join("bin", name), 0o755)


def fail(command, text):
    problems.append(f"{command.file}:{command.line}: {command.text}\n    {text}")


def skip(reason):
    skipped[reason] = skipped.get(reason, 0) + 1


def check_paths(command):
    """Checks that the scripts and directories in a command exist. The command itself is not run."""
    for word in command.text.split():
        if re.match(r"(tests|samples|app|kernels|io)/[\w./-]*$", word) and \
                not os.path.exists(os.path.join(REPOSITORY, word)):
            fail(command, f"there is no {word}")


def check_name(command):
    """Checks a text that only names a command, perhaps with options. The help must have the command and its options."""
    words = command.text.split()[1:]
    name = next((word for word in words if not word.startswith("-")), "help")
    done = subprocess.run([IMGTOOL, "help", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        fail(command, done.stderr)
        return
    for option in words:
        if option.startswith("--") and option not in done.stdout:
            fail(command, f"{name} has no option {option}")


def is_only_named(text):
    """Returns true if a command has no operands, so that the text only mentions it, or if it is a synopsis."""
    words = text.split()[1:]
    if "[options]" in words or re.search(r"\b(FILE|REPORT|SIZE|I/N)\b", text):
        return True
    return not any(re.search(r"[./{'|=]", word) for word in words) and "--list" not in words


def expected_of(text):
    for start, expected in EXPECTED.items():
        if text.startswith(start):
            return start, expected
    return None, (0, "")


def run(command, used):
    start, (code, check) = expected_of(command.text)
    used.add(start)
    environment = {**os.environ, "PATH": os.path.abspath("bin") + ":" + os.environ["PATH"],
                   "IMGTOOL_SOCKET": os.path.abspath("socket")}
    for begin, script in BEFORE.items():
        if command.text.startswith(begin):
            subprocess.run(["bash", "-c", script], env=environment, stderr=subprocess.DEVNULL, check=False)
    with open("stdout", "w+", encoding="utf-8") as out, open("stderr", "w+", encoding="utf-8") as err:
        done = subprocess.run(["bash", "-c", HELPERS + command.text], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                              env=environment, timeout=SECONDS_MOST, check=False)
        err.seek(0)
        said = err.read().strip()
    if done.returncode != code:
        fail(command, f"exit code {done.returncode}, not {code}: {said}")
    elif check:
        found = subprocess.run(["bash", "-c", HELPERS + check], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
        if found.returncode != 0:
            with open("stdout", encoding="utf-8") as out:
                fail(command, f"does not hold: {check}\n    {found.stdout}{out.read()[:500]}")


def check_command(command, used):
    global ran
    for pattern, reason in SKIPPED:
        if re.search(pattern, command.text):
            skip(reason)
            check_paths(command)
            return
    ran += 1
    if command.text.startswith("imgtool ") and is_only_named(command.text) and \
            not command.text.startswith(("imgtool serve --", "imgtool ops --", "imgtool devices --")):
        check_name(command)
    else:
        run(command, used)


def check_python(command):
    global ran
    ran += 1
    start = "import imgtool, numpy, numpy as np, io, os\npaths = ['in.png', 'photo.png']\np = 'photos/palette.png'\n" \
            "a = imgtool.read(p)\narray = a\nb = open(p, 'rb').read()\nw, h = 30, 20\nfile = io.BytesIO()\n" \
            "image = a\nexif = b''\nbgr = np.asarray(a)\nos.makedirs('web', exist_ok=True)\n"
    if ".compare(" in command.text:
        start += "b = a\n"
    done = subprocess.run([sys.executable, "-c", start + command.text], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": MODULES}, check=False)
    if done.returncode != 0:
        fail(command, done.stdout.strip().split("\n")[-1])


def python_runs():
    return MODULES and subprocess.run([sys.executable, "-c", "import imgtool, numpy"], stderr=subprocess.DEVNULL,
                                      env={**os.environ, "PYTHONPATH": MODULES}, check=False).returncode == 0


def main():
    if shutil.which("jq") is None:
        print("skipped: jq is not installed")
        sys.exit(77)
    work = tempfile.mkdtemp(prefix="imgtool-readme.")
    used = set()
    with_python = python_runs()
    try:
        os.chdir(work)
        os.mkdir("fixture")
        os.chdir("fixture")
        make_fixture()
        for file in markdown_files(REPOSITORY):
            os.chdir(work)
            shutil.copytree("fixture", "here", symlinks=True)
            os.chdir("here")
            for command in commands_of(REPOSITORY, file):
                check_command(command, used)
            for command in python_of(REPOSITORY, file):
                if re.search(r"torch|on_gpu|to_device", command.text):
                    skip("needs a GPU")
                elif with_python:
                    check_python(command)
                else:
                    skip("the module for Python or NumPy is not there")
            os.chdir(work)
            shutil.rmtree("here")
    finally:
        os.chdir("/")
        shutil.rmtree(work)
    for start in set(EXPECTED) - used:
        problems.append(f"no command begins with {start!r}: remove it from EXPECTED")
    for problem in problems:
        print("FAILED:", problem)
    for reason, count in sorted(skipped.items()):
        print(f"skipped: {count}: {reason}")
    print(f"{ran} commands ran, {sum(skipped.values())} skipped, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
