#!/usr/bin/env bash
# Shows that the committed state works from nothing: clones it into an empty folder with an empty home
# (no caches of pip, ccache or Yosys), runs the two commands, then runs them again without a network.
# The folder is removed when everything passed and named when something failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

scratch=$(mktemp -d)
mkdir "$scratch/home"
export HOME=$scratch/home
# What a new login has: nothing of pyenv, which brings a `python` where Debian has `python3` alone.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
unset XDG_CACHE_HOME CCACHE_DIR VIRTUAL_ENV

times=()
finish() {
    local status=$?
    [ ${#times[@]} -eq 0 ] || printf '%s\n' "" "seconds" "${times[@]}"
    if [ "$status" = 0 ]; then
        rm -rf "$scratch"
        echo "fresh machine: passed"
    else
        echo "fresh machine: FAILED, see $scratch/clone" >&2
    fi
}
trap finish EXIT

# timed LABEL COMMAND…
timed() {
    local label=$1 start=$SECONDS
    shift
    printf '\n===== %s: %s\n' "$label" "$*"
    local status=0
    "$@" || status=$?
    times+=("$(printf '%6d  %-8s %s%s' $((SECONDS - start)) "$label" "${*: -2}" \
        "$([ "$status" = 0 ] || echo ", exit code $status")")")
    return "$status"
}

git clone -q "$root" "$scratch/clone"
cd "$scratch/clone"
timed fresh make regress
timed fresh make test

# An empty network namespace: root may make one, others where user namespaces are allowed.
offline=()
for candidate in "unshare --net" "unshare --net --map-current-user"; do
    if $candidate true 2>/dev/null; then
        read -ra offline <<< "$candidate"
        break
    fi
done
if [ ${#offline[@]} -eq 0 ]; then
    echo "offline: skipped, unshare --net is not allowed here"
else
    timed offline "${offline[@]}" make regress
    timed offline "${offline[@]}" make test
fi
