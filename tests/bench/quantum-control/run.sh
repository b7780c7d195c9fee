#!/bin/sh
# Builds and runs the benchmark of a Lambda trajectory, QuTiP's time of the same pulse beside it from the same run.
# QuTiP goes into a virtual environment of its own in the build folder.
# Usage: tests/bench/quantum-control/run.sh [build folder]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/tests/bench/quantum-control
build=${1:-$root/build/bench}
shared=${ORRERY_SHARED:-$root/../shared}
pulse=$shared/data/quantum-control/lambda_rl_pulse.csv
[ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DORRERY_WINDOW=OFF -DORRERY_BENCH=ON
ninja -C "$build" bench_quantum_control
venv=$build/qutip-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import qutip' 2>/dev/null || "$venv/bin/pip" install --quiet qutip==5.3.1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$venv/bin/python" "$here/qutip_way.py" "$pulse" | tee "$build/qutip.txt"
"$build/bin/bench_quantum_control" "$pulse" "$(tail -1 "$build/qutip.txt")"
