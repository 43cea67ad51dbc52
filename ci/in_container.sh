#!/usr/bin/env bash
# Runs a command in a clean Debian 12: ci/in_container.sh make regress
# As the caller's user and at the same path, so that .venv, build/ and runs/ stay the caller's and stay
# valid; the caches of pip, ccache and Yosys go to build/. CONTAINER_ENGINE=… chooses docker or podman.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

engine=${CONTAINER_ENGINE:-}
for candidate in docker podman; do
    [ -n "$engine" ] || ! command -v "$candidate" >/dev/null || engine=$candidate
done
[ -n "$engine" ] || { echo "in_container: neither docker nor podman is installed" >&2; exit 1; }

image=modmul-verification
"$engine" build --quiet --tag "$image" --file ci/Containerfile ci >/dev/null
mkdir -p build/home
as_caller=(--user "$(id -u):$(id -g)")
# Rootless podman maps the caller to root by default.
[ "$(basename "$engine")" != podman ] || as_caller+=(--userns=keep-id)
exec "$engine" run --rm --init "${as_caller[@]}" --volume "$PWD:$PWD" --workdir "$PWD" \
    --env HOME="$PWD/build/home" --env SUMMARY --env NIGHTLY_ARGS --env KEEP_DAYS "$image" "$@"
