"""Many programs in one file: compiled together, run in a process of their own, so that a crash or a hang is one program's.

Nothing here decides what is right: see trial.py.
"""

import dataclasses
import json
import os
import pathlib
import re
import signal
import sys
import tempfile

from compilation import Refused, compile_file, load_compiled, load_plain
from fuzzing import copying, trial

HEAD = "import numptx\nimport numpy as np\n\n\n"
SECONDS_A_PROGRAM = 20
SECONDS_TO_COMPILE = 900
REFUSAL = re.compile(r"^ *[×x] (?P<message>.*?)(?:\n.*?)*?[╭,]─?-?\[[^\]:]*:(?P<line>\d+):", re.M)


@dataclasses.dataclass
class Program:
    """A random program: its number and the text of its functions, run lines among them."""

    number: int
    text: str

    def runs(self):
        """The run lines."""
        return re.findall(r"^# run: (.*)$", self.text, re.M)


@dataclasses.dataclass
class Finding:
    """A program that a version of the compiler gets wrong."""

    program: Program
    run_line: str | None
    kind: str
    text: str
    flags: tuple
    way: str


def read(text):
    """The programs of what `random-programs` wrote."""
    parts = re.split(r"^# program (\d+)\n", text, flags=re.M)[1:]
    return [Program(int(number), body.strip() + "\n") for number, body in zip(parts[::2], parts[1::2])]


def written(programs, folder):
    """The file of several programs, and the line that each begins at."""
    lines, text = [], HEAD
    for program in programs:
        lines.append(text.count("\n") + 1)
        text += program.text + "\n\n"
    path = pathlib.Path(folder) / "kernels.py"
    path.write_text(text)
    return path, lines


def compiled(programs, folder, flags):
    """`(library, programs in it, [(program, why refused)], findings)`: what is refused is left out."""
    refused, findings = [], []
    programs = list(programs)
    while programs:
        path, starts = written(programs, folder)
        try:
            return compile_file(path, folder, flags, timeout=SECONDS_TO_COMPILE), programs, refused, findings
        except Refused as error:
            reasons = {}
            for match in REFUSAL.finditer(str(error)):
                at = max(n for n, start in enumerate(starts) if start <= int(match["line"]))
                reasons.setdefault(at, match["message"])
            if not reasons:
                raise RuntimeError(f"cannot tell which program is refused:\n{error}") from None
            refused += [(programs[at], re.sub(r"`[^`]*`|\d+", "…", reason)) for at, reason in reasons.items()]
            programs = [program for n, program in enumerate(programs) if n not in reasons]
        except Exception as error:
            if len(programs) == 1:
                said = re.search(r"internal error in pass [\w-]+: \w+|panicked at [^:]*", str(error))
                kind = f"compiler: {said[0] if said else type(error).__name__}"
                findings.append(Finding(programs[0], None, kind, str(error)[-3000:], tuple(flags), "host"))
                return None, [], refused, findings
            # One of them breaks the compiler: halves are tried apart, what remains is compiled together.
            middle = len(programs) // 2
            good = []
            for half in (programs[:middle], programs[middle:]):
                _, kept, more, found = compiled(half, folder, flags)
                good, refused, findings = good + kept, refused + more, findings + found
            programs = good
    return None, [], refused, findings


def jobs_of(programs, ways):
    return [(program, line, way) for program in programs for line in program.runs() for way in ways]


def tried_here(library, programs, flags, device, ways):
    """Runs programs in this process; yields `("done", word)` and `("found", Finding)`."""
    answer = answers(library, device)
    for program, run_line, way in jobs_of(programs, ways):
        word, text = answer(program, run_line, way)
        yield word, Finding(program, run_line, *text, tuple(flags), way) if word == "found" else text


def tried(library, programs, flags, device, ways):
    """The same in child processes: a crash and a hang are findings, and the next run goes on."""
    jobs = jobs_of(programs, ways)
    at = 0
    while at < len(jobs):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            work(library, jobs[at:], device, writer)
        os.close(writer)
        try:
            with os.fdopen(reader) as lines:
                for line in lines:
                    word, text = json.loads(line)
                    program, run_line, way = jobs[at]
                    yield word, Finding(program, run_line, *text, tuple(flags), way) if word == "found" else text
                    at += 1
        finally:
            # A child whose reader is gone ends at its next line.
            _, status = os.waitpid(child, 0)
        if at < len(jobs):
            program, run_line, way = jobs[at]
            number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            kind = "hang" if number == signal.SIGALRM else f"crash {number or os.WEXITSTATUS(status)}"
            yield "found", Finding(program, run_line, kind, f"the process ended with status {status}", tuple(flags), way)
            at += 1


def work(library, jobs, device, writer):
    """The child: one line of JSON a job."""
    try:
        os.environ.setdefault("NUMPTX_CHECK_LEAKS", "1")
        if jobs[0][0].number % 4 < 2:
            # By the number of the first program: freed memory is poisoned and kept apart.
            os.environ.setdefault("NUMPTX_DEBUG_MEMORY", "1")
        with os.fdopen(writer, "w", buffering=1) as out:
            answer = answers(library, device)
            for job in jobs:
                signal.alarm(SECONDS_A_PROGRAM)
                print(json.dumps(answer(*job)), file=out)
        os._exit(0)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(3)


def answers(library, device):
    """A function of a job that compares, and gives what `tried` yields, the finding as its kind and text."""
    import numptx

    path = pathlib.Path(library).with_suffix(".py")
    module, plain, sources = load_compiled(library), load_plain(path), copying.load(path)

    def answer(program, run_line, way):
        try:
            with numptx.device(device):
                return "done", trial.compare(module, plain, program.text, run_line, way, sources)
        except trial.Different as difference:
            return "found", (difference.kind, str(difference))

    return answer


def check(program, run_line, flags, device, way):
    """The kind of what is wrong with one run of one program; None where all is well or nothing can be said."""
    only = Program(program.number, re.sub(r"^# run: .*\n", "", program.text, flags=re.M))
    with tempfile.TemporaryDirectory() as folder:
        library, _, refused, findings = compiled([only], folder, flags)
        if findings:
            return findings[0].kind
        if refused or run_line is None:
            return None
        only.runs = lambda: [run_line]
        for word, finding in tried(library, [only], flags, device, [way]):
            if word == "found":
                return finding.kind
    return None


def read_file(path):
    """The programs of a file that `written` wrote, by the numbers of their functions."""
    numbers = re.findall(r"^#numptx export f(\d+)\(", path.read_text(), re.M)
    return [Program(int(number), "") for number in numbers]
