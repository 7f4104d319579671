"""Random typed NumPy programs, compiled and compared with NumPy.

    python tests/fuzz.py 2000 [--seed S] [--device cuda] [--jobs J] [--forced K] [--out build/fuzz]
    python tests/fuzz.py --programs FOLDER --compiled FOLDER …      programs written, and perhaps compiled, before

`random-programs` (tests/generator) writes them, and `fuzzing/objects.py` those with lists, dictionaries, sets and strings (`--kind objects`);
`make fuzz N=2000` builds and runs both. Batches of programs are compiled together and run in
processes of their own; each batch is compiled once as it is, and in K versions that nobody would choose (`--force`, `--without`).
A difference, a crash, a hang, a leak or a failure of the compiler is shrunk to a minimal program, which is written to the folder `--out` as a
file for the corpus. What the compiler refuses is counted by reason. The status is 1 if anything was found.
"""

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from compilation import ROOT, TARGET
from fuzzing import batch, objects, shrinking

GENERATOR = TARGET / "release/random-programs"
VERSIONS = [
    ("--force=mayalias",),
    ("--force=snapshots",),
    ("--force=late",),
    ("--force=unfused",),
    ("--force=strided",),
    ("--force=mayalias,snapshots,unfused,strided",),
    ("--force=mayalias,late,strided",),
    ("--without=simplify",),
    ("--without=remove-dead",),
    ("--without=share-counts",),
    ("--without=reduce-masked",),
    ("--without=fuse-maps",),
    ("--without=fuse-reductions",),
    ("--without=eliminate-checks",),
    ("--without=form-nests",),
    ("--without=tile-time",),
    ("--without=simplify-bodies",),
    ("--without=reuse-buffers",),
    ("--without=hoist-allocations",),
    ("--without=rotate-buffers",),
    ("--without=join-waits",),
    ("--without=elide-ownership",),
]
# As many findings of one kind are shrunk; more are counted.
SHRUNK_A_KIND = 2


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=None, help="the number of the first program")
    parser.add_argument("--kind", choices=["any", "patterns", "library", "objects"], default="any", help="programs of which kind (tests/generator, fuzzing/objects.py)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--forced", type=int, default=1, help="versions that nobody would choose, a batch")
    parser.add_argument("--size", type=int, default=50, help="programs a batch")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "fuzz", help="where minimal programs go")
    parser.add_argument("--generator", default=os.environ.get("NUMPTX_RANDOM_PROGRAMS", GENERATOR))
    parser.add_argument("--programs", type=pathlib.Path, help="a folder of files that random-programs wrote")
    parser.add_argument("--compiled", type=pathlib.Path, help="a folder of libraries of those files")
    parser.add_argument("--compile-only", action="store_true", help="compile --programs into --compiled, run nothing")
    parser.add_argument("--arch", default=None, help="a GPU architecture to compile for, such as sm_90")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--in-process", action="store_true", help="run everything in this process, for compute-sanitizer")
    return parser.parse_args()


def texts(given):
    """`(name, text of a batch)`, one after the other."""
    if given.programs:
        for path in sorted(given.programs.glob("*.py")):
            yield path.stem, path.read_text()
        return
    first = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 40)
    print(f"fuzz: {given.count} programs from number {first} on", flush=True)
    for start in range(0, given.count, given.size):
        n = min(given.size, given.count - start)
        if given.kind == "objects":
            yield str(first + start), objects.programs(first + start, n)
            continue
        command = [str(given.generator), str(first + start), str(n), *([given.kind] if given.kind != "any" else [])]
        yield str(first + start), subprocess.run(command, check=True, capture_output=True, text=True).stdout


def versions(given, number):
    """Flags of each version of a batch: the one that everyone gets, and the next few of the others."""
    halves = ("--host-only",) if given.device == "cpu" else (("--arch", given.arch) if given.arch else ())
    forced = [VERSIONS[(number * given.forced + n) % len(VERSIONS)] for n in range(given.forced)]
    return [halves, *(halves + flags for flags in forced)]


def run_batch(given, number, name, text):
    """`(counts, findings)` of one batch in all its versions."""
    counts, findings = collections.Counter(), []
    ways = ["host"] if given.device == "cpu" else ["host", "device"]
    programs = batch.read(text)
    counts["programs"] += len(programs)
    for at, flags in enumerate(versions(given, number)):
        with tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            library, kept, refused, found = made(given, name, at, programs, folder, flags)
            counts["seconds compiling"] += time.monotonic() - started
            findings += found
            if at == 0:
                counts.update(f"refused: {reason}" for _, reason in refused)
                counts["refused"] += len(refused)
            started = time.monotonic()
            if library and not given.compile_only:
                run = batch.tried_here if given.in_process else batch.tried
                for word, result in run(library, kept, flags, given.device, ways):
                    if word == "found":
                        findings.append(result)
                    else:
                        counts[result] += 1
            counts["seconds running"] += time.monotonic() - started
    return counts, findings


def made(given, name, at, programs, folder, flags):
    """The library of a batch: one that was compiled before, or a new one."""
    if not given.compiled:
        return batch.compiled(programs, folder, flags)
    ready = given.compiled / f"{name}-{at}"
    library = ready / "kernels.so"
    if library.exists():
        kept = {program.number for program in batch.read_file(ready / "kernels.py")}
        return library, [program for program in programs if program.number in kept], [], []
    ready.mkdir(parents=True, exist_ok=True)
    return batch.compiled(programs, ready, flags)


def main():
    given = options()
    started = time.monotonic()
    counts, findings, shrunk = collections.Counter(), [], collections.Counter()
    for more, found in batches(given):
        counts.update(more)
        for finding in found:
            findings.append(finding)
            key = (finding.kind, finding.flags[1:])
            shrunk[key] += 1
            if shrunk[key] <= SHRUNK_A_KIND:
                report(given, finding)
    for key in sorted(k for k in counts if k.startswith("refused: ")):
        print(f"fuzz: {counts[key]:5d} {key}")
    for key, n in shrunk.items():
        print(f"fuzz: {n:5d} FOUND {key[0]} {' '.join(key[1])}")
    seconds = time.monotonic() - started
    runs = {key: counts[key] for key in ("agrees", "raises", "rounded", "undefined", "read-only", "products", "newer") if counts[key]}
    print(
        f"fuzz: {counts['programs']} programs, {counts['refused']} refused, runs: {runs}, found: {len(findings)}; "
        f"{seconds:.0f} s ({counts['seconds compiling']:.0f} s compiling, {counts['seconds running']:.0f} s running)"
    )
    sys.exit(1 if findings else 0)


def batches(given):
    """Counts and findings of each batch, as they end."""
    jobs = enumerate(texts(given))
    if given.in_process:
        for number, (name, text) in jobs:
            yield run_batch(given, number, name, text)
        return
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(given.jobs, mp_context=context) as pool:
        waiting = [pool.submit(run_batch, given, number, name, text) for number, (name, text) in jobs]
        for future in concurrent.futures.as_completed(waiting):
            yield future.result()


def report(given, finding):
    """Shrinks a finding, writes it to a file, and says where."""
    print(f"\nfuzz: program {finding.program.number}: {finding.kind} ({' '.join(finding.flags)}, {finding.way})", flush=True)
    print(f"      {finding.text}\n      # run: {finding.run_line}", flush=True)
    smaller = finding
    if not given.no_shrink and finding.kind != "hang":
        smaller = shrinking.shrunk(finding, given.device)
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"program_{finding.program.number}.py"
    path.write_text(shrinking.corpus_file(smaller))
    print(f"{path.read_text()}\nfuzz: written to {path}", flush=True)


if __name__ == "__main__":
    main()
