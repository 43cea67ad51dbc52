#!/usr/bin/env bash
# The package in an empty environment, on two strangers' projects: a counter with a plain cocotb
# test and a queue with a pyuvm bench, each with seeds, on both simulators, with coverage, and with
# a bug that ends in a bucket with its waves. Needs the network; its argument is the folder to work in.
set -Eeuo pipefail # E: the trap holds in functions, too

root=$(cd "$(dirname "$0")/.." && pwd)
readonly root
folder=${1:-$(mktemp -d)}
readonly folder
trap 'echo "package check failed, see $folder" >&2' ERR

python3 -m venv "$folder/venv"
cp -r "$root/regress" "$folder/source" # setuptools writes beside what it builds
"$folder/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder" "$folder/source"
megabytes=$(du -sm "$folder/venv/lib" | cut -f1)
"$folder/venv/bin/pip" install --quiet "$folder"/*.whl
megabytes=$(($(du -sm "$folder/venv/lib" | cut -f1) - megabytes))
echo "regress alone: $megabytes MB"
test "$megabytes" -le 120
"$folder/venv/bin/pip" install --quiet "$(ls "$folder"/*.whl)[uvm]" # for the queue's bench
rm -r "$folder/source"
unset PYTHONPATH REGRESS_ROOT
regress=$folder/venv/bin/regress
readonly regress
cd "$folder"
"$folder/venv/bin/python" -c "import regress, sys; sys.exit(not regress.__file__.startswith('$folder/venv'))"

# check NAME TEST FILE BUG BUCKET: a sample, then with a bug: a command of sed for its design FILE.
check() {
  local name=$1 test=$2 design=$3 bug=$4 bucket=$5
  echo "== $name"
  cp -r "$root/regress/tests/samples/$name" "$folder/$name"
  cd "$folder/$name"
  "$regress" init
  test "$(wc -l < regress_project.py)" -le 30
  "$regress" run quick --out runs/good
  test "$(grep -ho '"seed": [0-9]*' runs/good/jobs/*/attempt-1/job.json | sort -u | wc -l)" -eq 3
  cat >> lists/quick.yaml <<< "code_coverage: true"
  "$regress" run quick --sim verilator --out runs/coverage > coverage.txt
  grep "^code coverage: " coverage.txt
  "$regress" holes runs/coverage || test $? -eq 1 # it says what was not covered
  sed -i '/^code_coverage/d' lists/quick.yaml
  sed -i "$bug" "$design"
  if "$regress" run quick --out runs/bad > bad.txt; then
    echo "$name: the injected fault was not found" >&2
    false
  fi
  grep "^6 jobs .*: $bucket" bad.txt
  ls runs/bad/jobs/*/waves-1/wave.svg
  rm "runs/bad/jobs/$test-icarus-s2/status.json" # as if the runner had been killed
  "$regress" run --resume runs/bad > resumed.txt && false
  grep "5 of 6 jobs have ended" resumed.txt
}

check counter counts counter.sv "s/count + 1'b1/count + (count == 9 ? 2 : 1)/" "count is #, expected #"
check queue RandomTest queue.sv "s/<= wdata;/<= wdata ^ {7'b0, tail == 3'd5};/" "rdata is #, expected #"
grep '"level"' "$folder/queue/runs/good/run.json"
echo "package check passed"
