#!/usr/bin/env bash
# Shows a run on a real Dask cluster of two workers, one of which is killed in mid-run.
# Worker two has nothing of this project but a copy of .venv at another path: for root the project, its .venv
# and the run's folder are hidden from it. Worker one is frozen, its jobs are counted, and it is killed.
# Expected: every job passes, exactly the counted ones at the second attempt. Exit code 0 if so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly python=$PWD/.venv/bin/python list=verif/lists/cluster.yaml
readonly passed_before_kill=4 threads=2
[ -x "$python" ] || { echo "dask check: there is no .venv; type: make setup" >&2; exit 1; }
venv=$(realpath .venv)
scratch=$(mktemp -d)
mkdir "$scratch"/{runner,one,two}
pids=()
came_through=no

finish() {
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    if [ "$came_through" = yes ]; then
        rm -rf "$scratch"
        echo "dask check: passed"
    else
        echo "dask check: FAILED, see $scratch" >&2
        exit 1
    fi
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# wait_for SECONDS WHAT COMMAND…
wait_for() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "dask check: $what" >&2; exit 1; }
        sleep 0.2
    done
}

# worker NAME PYTHON [COMMAND…]: without a nanny, which would start it again.
worker() {
    local name=$1 interpreter=$2
    shift 2
    (cd "$scratch/$name" && exec "$@" "$interpreter" -m distributed.cli.dask_worker "$address" --no-nanny \
        --nthreads "$threads" --name "$name" --local-directory "$scratch/$name" --no-dashboard \
        >"$scratch/$name.log" 2>&1) &
    pids+=($!)
    worker_pid=$!
    disown "$worker_pid"  # else the shell reports its end
}

"$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard \
    --scheduler-file "$scratch/scheduler.json" >"$scratch/scheduler.log" 2>&1 &
pids+=($!)
wait_for 60 "the scheduler did not start" test -s "$scratch/scheduler.json"
address=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$scratch/scheduler.json")

worker one "$python"
killed=$worker_pid
cp -al "$venv" "$scratch/two/venv" 2>/dev/null || { rm -rf "$scratch/two/venv"; cp -a "$venv" "$scratch/two/venv"; }
hide=()
if unshare --mount true 2>/dev/null; then
    hidden='for folder; do [ "$folder" = -- ] && break; mount -t tmpfs none "$folder"; done
            while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
    hide=(unshare --mount sh -c "$hidden" hide "$venv" "$PWD" "$scratch/runner" --)
else
    echo "worker two can see the project: unshare --mount is not allowed here"
fi
worker two "$scratch/two/venv/bin/python" "${hide[@]}"

start=$SECONDS
"$python" -m regress run "$list" --scheduler "$address" --out "$scratch/runner/run" \
    >"$scratch/run.log" 2>&1 &
run=$!
pids+=("$run")
enough_passed() { [ "$(grep -c '\] PASS' "$scratch/run.log")" -ge "$passed_before_kill" ] || ! kill -0 "$run"; }
wait_for 1800 "no $passed_before_kill jobs passed" enough_passed

jobs=()
freeze() {
    kill -STOP "$killed"
    mapfile -t jobs < <(pgrep -P "$killed" -f regress.run.job)
    [ ${#jobs[@]} = "$threads" ] || { kill -CONT "$killed"; return 1; }
}
wait_for 60 "worker one never had $threads jobs" freeze
kill -KILL "$killed"
echo "killed worker one with ${#jobs[@]} running jobs after $(grep -c '\] PASS' "$scratch/run.log") had passed"
# Gone, or waiting to be reaped.
gone() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status" 2>/dev/null; }
for job in "${jobs[@]}"; do wait_for 20 "process $job of the killed worker still runs" gone "$job"; done

status=0
wait "$run" || status=$?
grep -E '^regress: |AGAIN|^(PASSED|FAILED)' "$scratch/run.log"
"$python" -m ci.cluster_result "$scratch/runner/run" --lost ${#jobs[@]} || status=1
echo "  $((SECONDS - start)) s"
[ "$status" = 0 ] && came_through=yes
