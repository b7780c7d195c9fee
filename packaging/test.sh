#!/usr/bin/env bash
# Sets up what is missing, builds everything and runs all tests, under a virtual display of their own.
#   packaging/test.sh [arguments of ctest]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
started=$SECONDS
"$here/setup.sh"
echo "test: set up in $((SECONDS - started)) s"
started=$SECONDS
werror=OFF
if [ "${CI:-}" = true ]; then werror=ON; fi
cmake -S "$root" --preset release -DORRERY_TESTS=ON -DORRERY_WERROR=$werror >/dev/null
cmake --build "$root/build/release" -- --quiet
echo "test: built in $((SECONDS - started)) s"
started=$SECONDS
"$here/with-display.sh" ctest --test-dir "$root/build/release" --output-on-failure --no-tests=error "$@"
echo "test: ran in $((SECONDS - started)) s"
