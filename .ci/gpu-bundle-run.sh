#!/usr/bin/env bash
# Runs the tests and the benchmarks of this bundle on the GPU of this machine.
#   ./run.sh            both; results go to $OUT (default: ./results)
#   ./run.sh tests      or only one of them: tests, bench
set -uo pipefail
cd "$(dirname "$0")"
out=${OUT:-results}
what=${1:-all}
mkdir -p "$out"

if [ ! -d installed/numptx ]; then
  python3 -m pip install --quiet --no-index --no-deps --target installed wheels/*.whl || exit 1
fi
export PYTHONPATH="$PWD/installed" PATH="$PWD/installed/bin:$PATH" NUMPTX_COMPILER="$PWD/installed/bin/numptx"
numptx info | tee "$out/info.txt"

status=0
if [ "$what" != bench ]; then
  python3 -m pytest tests --device cuda --compiled compiled -q -p no:cacheprovider 2>&1 | tee "$out/tests.txt"
  status=${PIPESTATUS[0]}
fi
if [ "$what" != tests ]; then
  for benchmark in bench/*.py; do
    python3 "$benchmark" --device cuda --compiled compiled --out "$out" 2>&1 | tee -a "$out/bench.txt"
    [ "${PIPESTATUS[0]}" = 0 ] || status=1
  done
fi
exit "$status"
