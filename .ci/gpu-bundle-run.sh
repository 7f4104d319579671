#!/usr/bin/env bash
# Runs the tests and the benchmarks of this bundle on the GPU of this machine.
#   ./run.sh            both; results go to $OUT (default: ./results)
#   ./run.sh tests      or only one of them: tests, bench
#   ./run.sh fuzz       2,000 random programs, compiled here and compared with NumPy (BATCHES=4: only the first 200)
#   ./run.sh npbench    the kernels of the NPBench checkout $NPBENCH at the preset $PRESET (paper), compiled here
#   ./run.sh sanitize   200 of them under compute-sanitizer: memcheck and racecheck
set -uo pipefail
cd "$(dirname "$0")"
out=${OUT:-results}
what=${1:-all}
case $what in all | tests | bench | npbench | fuzz | sanitize) ;; *) echo "run.sh: \`$what\` is none of tests, bench, npbench, fuzz, sanitize" >&2; exit 2 ;; esac
mkdir -p "$out"

if [ ! -d installed/numptx ]; then
  python3 -m pip install --quiet --no-index --no-deps --target installed wheels/*.whl || exit 1
fi
export PYTHONPATH="$PWD/installed" PATH="$PWD/installed/bin:$PATH" NUMPTX_COMPILER="$PWD/installed/bin/numptx"
numptx info | tee "$out/info.txt"

status=0
arch=${ARCH-sm_90}
device=${DEVICE:-cuda}
if [ "$what" = fuzz ] || [ "$what" = sanitize ]; then
  [ "$what" = sanitize ] && BATCHES=${BATCHES:-4}
  rm -rf chosen && mkdir chosen
  ls programs/*.py | head -n "${BATCHES:-40}" | xargs -I{} cp {} chosen/
fi
if [ "$what" = fuzz ]; then
  python3 tests/fuzz.py --programs chosen --device "$device" ${arch:+--arch "$arch"} --forced 0 --no-shrink --out "$out/fuzz" 2>&1 | tee "$out/fuzz.txt"
  exit "${PIPESTATUS[0]}"
fi
if [ "$what" = sanitize ]; then
  python3 tests/fuzz.py --programs chosen --compiled sanitized --compile-only --device "$device" ${arch:+--arch "$arch"} --forced 0 --no-shrink || exit 1
  sanitizer=${SANITIZER-compute-sanitizer}
  running=()
  # Its backtraces of Python keep references to what calls return, which the programs' check for leaks finds.
  for tool in memcheck racecheck; do
    for file in chosen/*.py; do
      name=$(basename "$file" .py)
      mkdir -p "one/$name" && cp "$file" "one/$name/"
      ${sanitizer:+"$sanitizer" --show-backtrace no --tool "$tool" --error-exitcode 9} python3 tests/fuzz.py --programs "one/$name" --compiled sanitized \
        --device "$device" --forced 0 --no-shrink --in-process --out "$out/fuzz" > "$out/$tool-$name.txt" 2>&1 &
      running+=($!)
    done
  done
  for process in "${running[@]}"; do wait "$process" || status=1; done
  tail -n 3 "$out"/memcheck-*.txt "$out"/racecheck-*.txt
  [ "$status" = 0 ] && echo "sanitize: clean" || echo "sanitize: something was found, see $out"
  exit "$status"
fi
if [ "$what" = npbench ]; then
  preset=${PRESET:-paper}
  python3 bench/npbench.py --npbench "${NPBENCH:?names no checkout}" --device "$device" ${arch:+--arch "$arch"} --preset "$preset" \
    --json "$out/npbench-$device-$preset.json" ${KERNELS:+--kernels $KERNELS} 2>&1 | tee "$out/npbench.txt"
  exit "${PIPESTATUS[0]}"
fi
if [ "$what" != bench ]; then
  # A plugin for benchmarks, where there is one, refuses to be beside xdist.
  python3 -m pytest tests --device cuda --large -q -n auto --dist loadfile -p no:cacheprovider -p no:benchmark 2>&1 | tee "$out/tests.txt"
  status=${PIPESTATUS[0]}
fi
if [ "$what" != tests ]; then
  python3 bench/bench.py --device cuda ${arch:+--arch "$arch"} --out "$out" 2>&1 | tee -a "$out/bench.txt"
  [ "${PIPESTATUS[0]}" = 0 ] || status=1
fi
exit "$status"
