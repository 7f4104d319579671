"""The programs of `docs/differences.md`, compiled and plain: what the page says to differ does, and what it says to be the same is."""

import re
import warnings

import pytest

import corpus_format
import corpus_run
from compilation import ROOT

PAGE = (ROOT / "docs/differences.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
CALLS = [
    (program, word, text)
    for program in PROGRAMS
    for word, text in re.findall(r"^# (differs|same|warns): (.*)$", program, re.MULTILINE)
]


@pytest.fixture
def agree(workshop):
    """`agree(program, text)`: whether a call gives the same compiled and plain."""

    def compare(program, text):
        compiled, plain = workshop.pair(program, "differences")
        try:
            corpus_run.compare(compiled, plain, None, corpus_format.Run(text, 1), "host")
        except (AssertionError, ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):
            return False
        return True

    return compare


@pytest.mark.parametrize("program, word, text", CALLS, ids=[f"{word}: {text}" for _, word, text in CALLS])
def test_the_page_is_true(program, word, text, agree, workshop):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert agree(program, text) == (word != "differs")
    if word != "warns":
        return
    for module, count in zip(workshop.pair(program, "differences"), ((0, 0), (1, 9)), strict=True):
        name, positional, keywords = corpus_format.Run(text, 1).arguments()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(module, name)(*positional, **keywords)
        assert count[0] <= len(caught) <= count[1], [str(w.message) for w in caught]


def test_every_program_says_something():
    assert len(PROGRAMS) > 15 and all(re.search(r"# (differs|same|warns): |#! NPX", program) for program in PROGRAMS)
