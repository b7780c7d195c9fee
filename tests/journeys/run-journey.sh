#!/usr/bin/env bash
# Replays one journey on the real window, with settings, sessions and data of its own:
#   run-journey.sh ORRERY JOURNEY FOLDER
# A line "# restart" ends the program there and starts it anew for what follows. A line "# needs: FILE ..." names files
# without which the journey is skipped (exit code 77), as it is where there is no display. A line "# first: COMMAND"
# is run before the window starts. Screenshots stay in FOLDER.
set -euo pipefail
program=$1 journey=$2 folder=$3
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "skipped: there is no display (packaging/test.sh brings its own)"
  exit 77
fi
rm -rf "$folder"
mkdir -p "$folder/data"
export ORRERY_STATE=$folder/state JOURNEY_FOLDER=$folder LIBGL_ALWAYS_SOFTWARE=${LIBGL_ALWAYS_SOFTWARE:-1}
for file in $(sed -n 's/^# needs: *//p' "$journey"); do
  file=$(eval echo "$file")
  if [ ! -e "$file" ]; then
    echo "skipped: $file is not there"
    exit 77
  fi
done
while read -r command; do
  eval "$command"
done < <(sed -n 's/^# first: *//p' "$journey")
# Parts keep their line numbers, so that a message names the line of the journey itself.
parts=$(($(grep -c '^# restart' "$journey" || true) + 1))
for part in $(seq 1 "$parts"); do
  name=$folder/$(basename "$journey")
  awk -v want="$part" 'BEGIN { part = 1 } /^# restart/ { part++ } { print (part == want ? $0 : "") }' "$journey" >"$name"
  "$program" --journey "$name" --screenshots "$folder" --report-stalls
done
