#!/usr/bin/env bash
# Rewrites requirements.txt from ci/requirements.in: `ci/lock.sh`, or PYTHON=… ci/lock.sh.
# The oldest supported Python decides: what it can install, the newer ones can too, and the back-ports
# only it needs do no harm on them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3.10}
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 10))' \
    || { echo "lock: $python is not Python 3.10 (PYTHON=… chooses another)" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install -q --no-input --disable-pip-version-check \
    --only-binary :all: -r ci/requirements.in
{
    echo "# Every package the project installs, all pinned. Made by ci/lock.sh from ci/requirements.in with"
    echo "# Python 3.10 (pip install, then pip freeze); valid from 3.10 on. Do not edit by hand."
    "$scratch/venv/bin/python" -m pip freeze --disable-pip-version-check
    # pip freeze leaves out which packages pip builds from their sources.
    grep '^--no-binary' ci/requirements.in
} > "$scratch/requirements.txt"
cp "$scratch/requirements.txt" requirements.txt
echo "lock: $(grep -c == requirements.txt) packages pinned in requirements.txt"
