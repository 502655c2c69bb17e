#!/usr/bin/env bash
# pip.sh SOURCE PYTHON: makes an sdist of SOURCE with app/python, installs it in a new environment and tests it. The
# build is without CUDA, even if nvcc exists. Exit code 77: something is unavailable, such as PyPI without a network.
set -eu
source=$1 python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
if command -v ccache > "$work/ccache"; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache
fi
"$python" -m venv "$work/venv" > "$work/log" 2>&1 || {
    echo "skipped: no venv in this Python: $(tail -1 "$work/log")"
    exit 77
}
pip=("$work/venv/bin/python" -m pip --retries 1 --timeout 15)
"${pip[@]}" install -q build 'scikit-build-core>=0.10' > "$work/log" 2>&1 || {
    echo "skipped: PyPI cannot be reached"
    exit 77
}
"$work/venv/bin/python" -m build --no-isolation --sdist "$source/app/python" -o "$work" > "$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
# The paths below $work (CCACHE_BASEDIR) are the same in each run, so that ccache can use earlier results.
mkdir "$work/source"
tar -xzf "$work"/imgtool-*.tar.gz -C "$work/source" --strip-components 1
"${pip[@]}" install -v --config-settings=build-dir="$work/build" "$work/source" > "$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
grep -q 'CUDA backend off (IMGTOOL_CUDA=OFF)' "$work/log" || { echo "no word of how it was built"; exit 1; }
cd "$work"
venv/bin/python - "$source/samples/rgb-8.png" <<'CODE'
import sys, imgtool

assert "venv" in imgtool.__file__, imgtool.__file__
turned = imgtool.run("rotate", imgtool.read(sys.argv[1]))
assert imgtool.read(imgtool.encode(turned)).shape == turned.shape
imgtool.batch("invert", [sys.argv[1]], "out")
try:
    imgtool.devices()
    raise SystemExit("there is CUDA in it")
except imgtool.UnavailableError:
    pass
CODE
echo "installed from $(basename imgtool-*.tar.gz)"
