#!/usr/bin/env bash
# Replays one journey on the real window, with settings, sessions and data of its own:
#   run-journey.sh ORRERY JOURNEY FOLDER
# Screenshots are left in FOLDER. Ends with 77 (skipped) where there is no display.
set -euo pipefail
program=$1 journey=$2 folder=$3
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "skipped: there is no display (packaging/test.sh brings its own)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/data"
export ORRERY_STATE=$folder/state JOURNEY_FOLDER=$folder LIBGL_ALWAYS_SOFTWARE=${LIBGL_ALWAYS_SOFTWARE:-1}
need=$(sed -n 's/^# needs: *//p' "$journey")
for file in $need; do
  file=$(eval echo "$file")
  if [ ! -e "$file" ]; then
    echo "skipped: $file is not there"
    exit 77
  fi
done
exec "$program" --journey "$journey" --screenshots "$folder" --report-stalls
