#!/usr/bin/env bash
# The package in an empty environment, on two strangers' projects: a counter with a plain cocotb
# test and a queue with a pyuvm bench. Needs the network; the folder it works in is its argument.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
readonly root
folder=${1:-$(mktemp -d)}
readonly folder
trap 'echo "package check failed, see $folder" >&2' ERR

python3 -m venv "$folder/venv"
cp -r "$root/regress" "$folder/source" # setuptools writes beside what it builds
"$folder/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder" "$folder/source"
"$folder/venv/bin/pip" install --quiet "$folder"/*.whl
unset PYTHONPATH
regress=$folder/venv/bin/regress
readonly regress

for name in counter queue; do
  cp -r "$root/regress/tests/samples/$name" "$folder/$name"
  cd "$folder/$name"
  "$regress" init
  test "$(wc -l < regress_project.py)" -le 30
  "$regress" run quick --out runs/good
  cat >> lists/quick.yaml <<< "code_coverage: true"
  "$regress" run quick --sim verilator --out runs/coverage
  "$regress" holes runs/coverage || true # it says what was not covered, and ends with 1
done

cd "$folder/counter"
sed -i "s/count + 1'b1/count + (count == 9 ? 2 : 1)/" counter.sv
if "$regress" run quick --out runs/bad > bad.txt; then
  echo "the planted bug was not found" >&2
  exit 1
fi
grep -q "count is #, expected #" bad.txt
ls runs/bad/jobs/*/waves-1/wave.svg > pictures.txt
rm runs/bad/jobs/counts-icarus-s2/status.json # as if the runner had been killed
"$regress" run --resume runs/bad > resumed.txt && exit 1
grep -q "5 of 6 jobs have ended" resumed.txt
echo "package check passed"
