#!/usr/bin/env bash
# test_gpu_script.sh: runs gpu.sh with stub programs, without a GPU. It must run every part, and report failures,
# missing programs and left-out cases.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build" "$work/bin"

# stub FILE: makes FILE an executable bash script from the text on standard input.
stub() {
    { echo '#!/usr/bin/env bash' && cat; } >"$1"
    chmod +x "$1"
}
stub "$work/bin/nvidia-smi" <<<'echo a GPU'
stub "$work/bin/compute-sanitizer" <<<'shift 4; exec "$@"'
for name in imgtool run_lab check_png_encode check_png_decode check_batches; do
    stub "$work/build/$name" <<<'echo done'
done
stub "$work/build/checkkernels" <<'END'
[ "$1" != --list ] || { printf '%s\n' blur flip && exit; }
echo "$*"
[[ " $* " != *" --tight "*" --op ${FAULTY-} "* ]]
END

# gpu CODE PART...: runs gpu.sh, which must end with CODE.
gpu() {
    local wanted=$1 code=0
    shift
    PATH=$work/bin:$PATH JOBS=4 SEED=7 bash tests/gpu.sh "$work/build" "$@" >"$work/out" 2>&1 || code=$?
    [ $code -eq "$wanted" ] || { cat "$work/out" && echo "exit code $code, not $wanted" && exit 1; }
}

# says TEXT...: the output of gpu.sh must contain each TEXT.
says() {
    local text
    for text in "$@"; do
        grep -qF -- "$text" "$work/out" || { cat "$work/out" && echo "not said: $text" && exit 1; }
    done
}

gpu 0 reference codec large sanitizers choice
says 'left out: failures' 'ok ' 'against the reference, quick' '--op flip' 'racecheck, blur' 'memcheck, flip' 'initcheck, lab' \
    'synccheck, PNG decoding' 'batches into tensors' 'over 4 GB, flip' '--fail-if-slower' 'left out: commands' 'left out: table' ' 0 failed'
FAULTY=flip gpu 1 sanitizers
says 'FAIL' 'memcheck, flip (exit code 1)' 'left out: reference' ' 1 failed'
gpu 0 table
says '--against none' 'left out: choice'
gpu 2 everything
says "there is no part 'everything'"
rm "$work/build/run_lab"
gpu 1 sanitizers
says 'there is no run_lab'
echo 'gpu.sh runs all parts, and says what fails'
