#!/usr/bin/env bash
# run.sh PYTHON MODULES SAMPLES TEST...: runs unittest on the module in MODULES. Exit code 77: a requirement of the
# tests is missing.
set -eu
python=$1 modules=$2 samples=$3
shift 3
cd "$(dirname "${BASH_SOURCE[0]}")"
export PYTHONPATH=$modules IMGTOOL_SAMPLES=$samples PYTHONDONTWRITEBYTECODE=1
for name in "$@"; do
    # shellcheck disable=SC2086 # a test may be a program and its argument
    "$python" -X dev $name.py
done
