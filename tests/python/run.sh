#!/usr/bin/env bash
# run.sh PYTHON MODULES SAMPLES TEST...: tests of the module in MODULES, by unittest. 77: what they need is not here.
set -eu
python=$1 modules=$2 samples=$3
shift 3
cd "$(dirname "${BASH_SOURCE[0]}")"
export PYTHONPATH=$modules IMGTOOL_SAMPLES=$samples PYTHONDONTWRITEBYTECODE=1
for name in "$@"; do
    "$python" -X dev "$name.py"
done
