#!/usr/bin/env bash
# Sets up what is missing, builds the workbench and opens it on a real sample: 1AK4, cyclophilin A with the HIV-1 capsid.
#   packaging/run.sh [arguments of orrery]
# Without a display the window opens under its own virtual one (for journeys and screenshots).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
"$here/setup.sh" --no-tests
cache=${ORRERY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery}
started=$SECONDS
cmake -S "$root" --preset release -DORRERY_TESTS=OFF >/dev/null  # tests need Catch2, which test.sh brings
cmake --build "$root/build/release" --target orrery_programs -- --quiet
echo "run: built in $((SECONDS - started)) s"
program=("$root/build/release/bin/orrery")
if [ $# -eq 0 ]; then set -- "$cache/samples/1AK4.pdb"; fi
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  "$here/setup.sh"
  exec "$here/with-display.sh" "${program[@]}" "$@"
fi
exec "${program[@]}" "$@"
