#!/usr/bin/env bash
# Shows a run on a real Slurm with one node, started here for the purpose: the workers are Slurm jobs, and one
# of them is cancelled in mid-run. Needs root; installs Debian's slurm-wlm and munge if they are missing.
# Everything else lives in a folder of its own, and is stopped and removed at the end.
# Expected: every job passes, exactly the one of the cancelled worker at the second attempt. Exit code 0 if so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly python=$PWD/.venv/bin/python list=verif/lists/cluster.yaml cluster=regress/clusters/slurm.yaml
readonly passed_before_cancel=4 workers=2
die() { echo "slurm check: $*" >&2; exit 1; }
[ -x "$python" ] || die "there is no .venv; type: make setup"
[ "$(id -u)" = 0 ] || die "not possible here: slurmd has to be started by root"

missing() { for tool in munged slurmctld slurmd sbatch; do command -v $tool >/dev/null || return 0; done; return 1; }
if missing; then
    command -v apt-get >/dev/null || die "not possible here: Slurm is not installed, and there is no apt-get"
    echo "slurm check: installing slurm-wlm and munge"
    # Their services must not start; the daemons below are ours.
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends slurm-wlm munge \
        >/tmp/slurm_check_apt.log 2>&1 || true
    rm -f /usr/sbin/policy-rc.d
    ! missing || die "not possible here: $(grep -m 1 '^E:' /tmp/slurm_check_apt.log || echo "apt-get failed")"
fi

scratch=$(mktemp -d)
chmod 755 "$scratch"   # munged wants to be reached by everybody
mkdir "$scratch"/{state,spool,munge}
export SLURM_CONF=$scratch/slurm.conf
pids=()
came_through=no

finish() {
    scancel --user root 2>/dev/null || true
    for _ in {1..50}; do [ -n "$(squeue --noheader 2>/dev/null)" ] || break; sleep 0.2; done
    for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
    sleep 1
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    if [ "$came_through" = yes ]; then
        rm -rf "$scratch"
        echo "slurm check: passed"
    else
        echo "slurm check: FAILED, see $scratch" >&2
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
        [ $SECONDS -lt $end ] || die "$what"
        sleep 0.2
    done
}

# daemon NAME COMMAND…: in the foreground of a background job, so that this script can stop it.
daemon() {
    local name=$1
    shift
    "$@" >"$scratch/$name.out" 2>&1 &
    pids+=($!)
}

node=$(hostname -s)
socket=$scratch/munge/socket
head -c 1024 /dev/urandom >"$scratch/munge/key"
chmod 700 "$scratch/munge/key"
chmod 755 "$scratch/munge"
cat >"$SLURM_CONF" <<CONF
ClusterName=check
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$socket
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000 State=UNKNOWN
PartitionName=check Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF

daemon munged munged --foreground --force --key-file="$scratch/munge/key" --socket="$socket" \
    --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed"
wait_for 30 "munged did not start: $(tail -1 "$scratch/munged.out")" test -S "$socket"
daemon slurmctld slurmctld -D
daemon slurmd slurmd -D -N "$node"
node_is_idle() { [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; }
wait_for 60 "the node did not come up" node_is_idle
echo "Slurm $(sinfo --version | cut -d' ' -f2), node $node is idle"

start=$SECONDS
"$python" -m regress run "$list" --cluster "$cluster" --out "$scratch/run" >"$scratch/run.log" 2>&1 &
run=$!
pids+=("$run")
# The jobs below the workers, found by their parents: a Slurm job, its nanny, its worker.
busy() { [ "$(pgrep -cf 'python.* -m regress.run.job .*regress-')" -ge "$workers" ]; }
in_mid_run() {
    { [ "$(grep -c '\] PASS' "$scratch/run.log")" -ge "$passed_before_cancel" ] && busy; } || ! kill -0 "$run"
}
wait_for 1800 "no $passed_before_cancel jobs passed" in_mid_run
squeue --format='%i %j %T' | sed 's/^/  /'
cancelled=$(squeue --noheader --states=RUNNING --format=%i | head -1)
scancel "$cancelled"
echo "cancelled Slurm job $cancelled after $(grep -c '\] PASS' "$scratch/run.log") jobs had passed"

status=0
wait "$run" || status=$?
grep -E '^regress: |AGAIN|^(PASSED|FAILED)' "$scratch/run.log" || true
"$python" -m ci.cluster_result "$scratch/run" --lost 1 || status=1
nothing_left() { [ -z "$(squeue --noheader --states=PENDING,RUNNING)" ]; }
wait_for 30 "the workers were not taken down: $(squeue --noheader)" nothing_left
echo "  no Slurm job is left; $((SECONDS - start)) s"
[ "$status" = 0 ] && came_through=yes
