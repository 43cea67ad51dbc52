#!/usr/bin/env bash
# Prepares a machine: the system packages the project needs, and a private .venv with the packages of
# requirements.txt. A second call finds the stamp, returns at once and uses no network.
#
#   PYTHON=…                  the Python to build .venv with (default: python3)
#   SETUP_SYSTEM_PACKAGES=no  never install system packages, only name the missing ones
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A Python path set for another project would hide the packages of .venv; a user-wide pip setting for
# --user is an error inside it.
unset PYTHONHOME PYTHONPATH
export PIP_USER=0

readonly venv_python=.venv/bin/python stamp=.venv/setup-stamp
readonly oldest_verilator=5.036   # what cocotb accepts
readonly icarus_package=iverilog

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# What .venv depends on. The folder is part of it: a .venv does not survive being moved or copied. So is
# the Python version: the system's python3 may have been upgraded under it.
fingerprint() {
    printf '%s\n%s\n' "$PWD" "$(sha256sum < requirements.txt)"
    "$venv_python" -I -S -c 'import sys; print(sys.version)' 2>/dev/null || echo "no python"
}

# The stamp: the Python asked for, the shared library simulators load it from, the fingerprint.
venv_is_ready() {
    [ -x "$venv_python" ] && [ -f "$stamp" ] || return 1
    local python_used library wanted
    { read -r python_used; read -r library; wanted=$(cat); } < "$stamp"
    [ -z "${PYTHON:-}" ] || [ "$PYTHON" = "$python_used" ] || return 1
    [ -e "$library" ] && [ "$wanted" = "$(fingerprint)" ]
}

is_ready() { have g++ && have make && have perl && venv_is_ready; }

# ---------------------------------------------------------------------------------------------------------
# System packages
# ---------------------------------------------------------------------------------------------------------

find_python() {
    python=${PYTHON:-python3}
    [ -z "${PYTHON:-}" ] || have "$python" || die "there is no PYTHON=$PYTHON"
    have "$python" || die "python3 is missing; $(how_to_install python3)"
    "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
        || die "$python is $("$python" -V 2>&1), wanted is 3.10 to 3.13; choose another: make … PYTHON=<path>"
    # No system package completes a Python that does not come from the system.
    is_system_python || { python_can venv && python_can share; } \
        || die "$(command -v "$python") lacks the venv module or its shared library (built without" \
               "--enable-shared); choose another: make … PYTHON=/usr/bin/python3"
}

# python_can venv: makes virtual environments. Debian keeps ensurepip in a package of its own.
# python_can share: comes with the shared library which the simulators load Python from.
python_can() {
    "$python" - "$1" >/dev/null 2>&1 <<'PY'
import ctypes, os, sys, sysconfig
if sys.argv[1] == "venv":
    import ensurepip, venv
else:
    name = sysconfig.get_config_var("INSTSONAME") or ""
    if ".so" not in name and ".dylib" not in name:
        sys.exit("built without a shared library")
    folders = [sysconfig.get_config_var("LIBDIR") or "", os.path.join(sys.base_prefix, "lib")]
    found = [p for p in (os.path.join(f, name) for f in folders) if os.path.exists(p)]
    ctypes.CDLL(found[0] if found else name)
PY
}

is_system_python() { [ "$("$python" -c 'import sys; print(sys.base_prefix)')" = /usr ]; }

find_missing() {
    local version
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    missing_hard=() missing_soft=()
    have g++ || missing_hard+=(g++)
    have make || missing_hard+=(make)
    have perl || missing_hard+=(perl)
    python_can venv || missing_hard+=(python3-venv)
    python_can share || missing_hard+=("libpython$version")
    have iverilog || missing_soft+=("$icarus_package")
    have ccache || missing_soft+=(ccache)
    have berkeley-abc || missing_soft+=(berkeley-abc)
    have ghdl || missing_soft+=(ghdl)
    if have g++; then
        has_header lz4.h || missing_soft+=(liblz4-dev)
        has_header zlib.h || missing_soft+=(zlib1g-dev)
    else
        missing_soft+=(liblz4-dev zlib1g-dev)
    fi
}

has_header() { echo "#include <$1>" | g++ -E -x c++ - >/dev/null 2>&1; }

may_install() {
    [ "${SETUP_SYSTEM_PACKAGES:-yes}" != no ] && have apt-get || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=()
    elif have sudo && sudo -n true >/dev/null 2>&1; then
        as_root=(sudo -n)
    else
        return 1
    fi
}

# apt_get ARGUMENTS…: without questions, and without waiting for a network that is not there.
apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=1 \
        -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 "$@" \
        </dev/null >>"$apt_log" 2>&1
}

# What to type for the given packages.
how_to_install() {
    if ! have apt-get; then
        echo "install with the system's package manager (Debian's names): $*"
    elif have sudo || [ "$(id -u)" = 0 ]; then
        local prefix="sudo "
        [ "$(id -u)" = 0 ] && prefix=""
        echo "type: ${prefix}apt-get install -y $*"
    else
        echo "type: su -c 'apt-get install -y $*'"
    fi
}

install_system_packages() {
    find_missing
    local -a missing=("${missing_hard[@]}" "${missing_soft[@]}")
    if [ ${#missing[@]} -gt 0 ] && may_install; then
        say "installing ${missing[*]}"
        apt_log=$(mktemp)
        apt_get update || true   # an old package list may still do
        # What is indispensable goes first, alone: one unknown name makes apt reject the whole call.
        [ ${#missing_hard[@]} -eq 0 ] || apt_get install --no-install-recommends "${missing_hard[@]}" || true
        [ ${#missing_soft[@]} -eq 0 ] || apt_get install --no-install-recommends "${missing_soft[@]}" || true
        find_missing
        [ ${#missing_hard[@]} -eq 0 ] || grep -m 1 '^E:' "$apt_log" >&2 || true
        rm -f "$apt_log"
    fi

    if [ ${#missing_hard[@]} -gt 0 ]; then
        die "missing: ${missing_hard[*]}; $(how_to_install "${missing_hard[@]}" "${missing_soft[@]}")"
    fi
    local -a rest=()
    local package
    for package in "${missing_soft[@]}"; do
        [ "$package" = "$icarus_package" ] || rest+=("$package")
    done
    [ ${#rest[@]} -eq 0 ] \
        || say "for fast rebuilds (ccache), proofs about mutants (berkeley-abc), VHDL (ghdl) and waveforms, $(how_to_install "${rest[@]}")"
}

tell_missing_icarus() {
    have iverilog || say "Icarus Verilog is missing, Verilator only; $(how_to_install "$icarus_package")"
}

# ---------------------------------------------------------------------------------------------------------
# Python packages
# ---------------------------------------------------------------------------------------------------------

# Reads what pip prints and says how far it is; a terminal sees one line that changes.
tell_progress() {
    local word package rest count=0 total step=10 start="" end=$'\n'
    total=$(grep -c == requirements.txt)
    [ ! -t 1 ] || { step=1 start=$'\r\e[K' end=""; }
    while read -r word package rest; do
        case "$word $package" in
            "Collecting "*)
                count=$((count + 1))
                [ $((count % step)) != 0 ] \
                    || printf '%ssetup: %d of %d: %s%s' "$start" "$count" "$total" "${package%%=*}" "$end" ;;
            "Installing collected")
                printf '%s' "$start"
                say "unpacking and compiling them (half a minute)" ;;
        esac
    done
}

make_venv() {
    # Whatever is there is half made, from other requirements or of another Python: start afresh.
    rm -rf .venv
    say "creating .venv with $("$python" -V 2>&1)"
    "$python" -m venv .venv
    say "installing $(grep -c == requirements.txt) Python packages (this once needs the network)"
    "$venv_python" -m pip install --no-input --disable-pip-version-check --only-binary :all: \
        --progress-bar off --no-compile -r requirements.txt > >(tell_progress) || die "pip could not install requirements.txt; run again when the network is back"
    # Where PYTHONDONTWRITEBYTECODE is set, no other program compiles the modules, and each of hundreds
    # of jobs would compile what it imports, about a second of it. pip compiles on one processor.
    "$venv_python" -m compileall -q -j 0 -x '/tests?/' .venv/lib || true   # some modules are templates
    local library
    library=$("$venv_python" -m find_libpython) && [ -n "$library" ] \
        || die "the shared library of $python was not found; choose another: make … PYTHON=<path>"
    # Last, and in one step: without it the next call starts afresh.
    { echo "${PYTHON:-python3}"; echo "$library"; fingerprint; } > "$stamp.new"
    mv "$stamp.new" "$stamp"
}

# The rule of regress: a Verilator on PATH when cocotb accepts it, else the one in .venv.
tell_verilator() {
    local version
    version=$(verilator --version 2>/dev/null | sed -n 's/^Verilator \([0-9]*\.[0-9]*\).*/\1/p') || true
    if [ -n "$version" ] && printf '%s\n' "$oldest_verilator" "$version" | sort -C -V; then
        say "Verilator $version from $(command -v verilator)"
    else
        say "Verilator $(sed -n 's/^verilator==//p' requirements.txt) from .venv"
    fi
}

if ! is_ready; then
    # Two calls at a time must not build the same .venv twice.
    if have flock; then
        exec 9<requirements.txt
        flock 9
    fi
    if ! is_ready; then
        find_python
        install_system_packages
        if ! venv_is_ready; then
            make_venv
        fi
        tell_verilator
    fi
fi
tell_missing_icarus
