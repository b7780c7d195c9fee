#!/usr/bin/env bash
# Runs a command under a virtual display of its own, with software GL:  packaging/with-display.sh COMMAND [ARGUMENTS]
set -euo pipefail
export LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY
exec xvfb-run -a -s "-screen 0 1920x1080x24 +extension GLX -nolisten tcp" "$@"
