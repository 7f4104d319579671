"""Which programs of the corpus `make test` runs everywhere, and not on the CPU alone: the sample. `make test-all` runs all of them everywhere.

The sample is fixed. `tests/sample.rs` shows by counting that each pass of the compiler changes one of its programs.
"""

import pathlib

# Names of corpus files, one a line, after a comment that says what they are there for.
LIST = pathlib.Path(__file__).with_suffix(".txt")
PROGRAMS = frozenset(line for line in LIST.read_text().split("\n") if line and not line.startswith("#"))


def corpus_flags(path, program, config, device=False):
    """The flags that a corpus file is compiled with, the same wherever it runs in a session of `make`: one library serves all.

    The device's half is left out where nothing of the session runs it and the caller does not want it (`device`).
    """
    both = device or (config.getoption("--quick") and path.stem in PROGRAMS)
    return [*program.flags, *([] if both else halves(config)), "--report", "{folder}/report.json"]


def halves(config):
    """The flag that leaves out the device's half, where nothing of a session runs it."""
    return [] if config.getoption("--device") == "cuda" or config.getoption("--both") else ["--host-only"]


def processors(config):
    """For which processor a file is compiled that asks for none: this one where a sample is run, but for the sample itself; else all of them."""
    is_quick = config.getoption("--quick")
    return lambda path: "native" if is_quick and path.stem not in PROGRAMS else None


def is_left_out(item):
    """Whether a test is marked `long`, or is marked `sampled` and about a program that is not in the sample, or about a further version of one."""
    longs = [mark.args for mark in item.iter_markers("long")]
    if any(not devices or item.config.getoption("--device") in devices for devices in longs):
        return True
    if not item.get_closest_marker("sampled"):
        return False
    parameters = item.callspec.params
    if "nth" in parameters:
        return parameters["nth"] > 0
    return pathlib.Path(parameters["path"]).stem not in PROGRAMS
