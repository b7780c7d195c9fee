#!/bin/sh
# Builds and runs the benchmark of binding ddG on 1C1Y and 1AO7: official way, list path, scan path, in one process each.
# Usage: tests/bench/stab-ddg/run.sh [build folder] [threads] [repeats]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${1:-$root/build/bench}
threads=${2:-1}
repeats=${3:-3}
shared=${ORRERY_SHARED:-$root/../shared}
[ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DORRERY_WINDOW=OFF -DORRERY_BENCH=ON
ninja -C "$build" bench_stab_ddg
status=0
"$build/bin/bench_stab_ddg" "$shared/data/stab-ddg/1C1Y.pdb" A_B "$threads" "$repeats" || status=$?
"$build/bin/bench_stab_ddg" "$shared/data/stab-ddg/1AO7.pdb" ABC_DE "$threads" "$repeats" || status=$?
exit $status
