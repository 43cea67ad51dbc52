#!/usr/bin/env bash
# The nightly run, for any CI system: ci/nightly.sh, or ci/in_container.sh ci/nightly.sh. Each step runs also
# after a failed step. The exit code is 0 only if all steps passed.
#
#   NIGHTLY_ARGS=…   arguments of list nightly, for instance "--budget 3h"
#   SUMMARY=FILE     gets the Markdown of every run (GitHub: $GITHUB_STEP_SUMMARY)
#   KEEP_DAYS=30     how long to keep runs below runs/
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

summary=${SUMMARY:-${GITHUB_STEP_SUMMARY:-}}
[ -z "$summary" ] || : > "$summary"   # a cache may have brought that of an earlier night
failed=()
started=$(mktemp)
trap 'rm -f "$started"' EXIT

# step NAME COMMAND…
step() {
    local name=$1 start=$SECONDS
    shift
    touch "$started"
    printf '\n===== %s: %s\n' "$name" "$*"
    if "$@"; then
        printf '===== %s: passed in %d s\n' "$name" $((SECONDS - start))
    else
        failed+=("$name")
        printf '===== %s: FAILED in %d s\n' "$name" $((SECONDS - start))
    fi
}

# publish: appends the summary of the run of the step before, if the step came to a run.
publish() {
    local page=runs/latest/summary.md
    if [ -n "$summary" ] && [ "$page" -nt "$started" ]; then
        cat "$page" >> "$summary"
    fi
}

# Another slice each night. A survivor (exit code 1) is listed, but does not fail the nightly run.
mutants() {
    .venv/bin/python -m regress mutate --budget 10m --seed "$(date +%Y%m%d)" || [ $? -eq 1 ]
}

# Another slice of the catalogue each night. A survivor is listed, but does not fail the nightly run.
faults() {
    .venv/bin/python -m regress faults --budget 10m --each 3m --seed "$(date +%Y%m%d)" || [ $? -eq 1 ]
}

# Check each example core as a core of a user, at all its widths.
cores() {
    local description bad=0
    for description in verif/own_core/cores/*/core.yaml; do
        .venv/bin/python -m regress check "$description" --list deep --budget 10m || bad=1
    done
    return "$bad"
}

# Published signatures, and signatures that OpenSSL verifies, on cores of 1024 bits.
signatures() {
    local core bad=0
    for core in request_power stream_power; do
        .venv/bin/python -m regress check "verif/own_core/cores/$core/core.yaml" --width 1024 \
            --only "published RSA signatures (FIPS 186-2)" \
            --only "RSA signatures, judged by OpenSSL" || bad=1
    done
    return "$bad"
}

# Check the project's own architectures as cores of a user, on their bus alone.
own() {
    rm -rf build/own
    .venv/bin/python -m regress own-cores build/own --check
}

# Compare the environment with a bare harness, on the architecture with the slowest model.
speed() {
    .venv/bin/python -m regress bench --arch optimized_interleaved --exponentiations 0 \
        --check verif/docs/speed.md
}

# Area of the published configurations at 1024 bits; the results page has the last figures.
wide() {
    local implement=(.venv/bin/python -m regress implement --width 1024 --target ecp5 --synthesis-only)
    local bad=0
    "${implement[@]}" --arch fast_montgomery,faster_montgomery,optimized_interleaved || bad=1
    "${implement[@]}" --arch quotient_pipelined --parameter Latency=4 || bad=1
    "${implement[@]}" --design exponentiation --arch mwrkmm \
        --parameter Elements=20 --parameter Latency=3 || bad=1
    return "$bad"
}

make setup || exit 1
step nightly make nightly ARGS="${NIGHTLY_ARGS:-}"
publish
step coverage make coverage
publish
step tests make test
step "tests marked campaign" .venv/bin/python -m pytest -n auto --dist worksteal -m campaign
step "lint of every configuration" make lint ARGS=--every
step "generate blocks of the lists" .venv/bin/python -m regress blocks
step proofs make formal
step "proofs of broken designs" make formal ARGS=--faults
step netlists .venv/bin/python -m regress run netlist
step "area and clock" make implement
publish
step "area at 1024 bits" wide
step "speed of the environment" speed
step "cores from outside" cores
step "defects of cores from outside" .venv/bin/python -m regress trials --seeds 2 --again
step "signatures on cores from outside" signatures
step "own architectures as cores from outside" own
step "package in an empty environment" ci/package_check.sh
step mutants mutants
step faults faults
step "commands of the pages" .venv/bin/python -m ci.documentation
step retention find runs -mindepth 2 -maxdepth 2 -name plan.json -mtime "+${KEEP_DAYS:-30}" \
    -execdir sh -c 'rm -rf "$PWD"' \;

if [ ${#failed[@]} -gt 0 ]; then
    printf '\nnightly: FAILED: %s\n' "${failed[*]}" >&2
    exit 1
fi
printf '\nnightly: passed\n'
