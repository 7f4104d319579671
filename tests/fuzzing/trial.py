"""One random program, compiled and plain: everything that a caller can see has to agree.

A program is called once a run line, each time with arguments of its own. What is compared: results and whole bases of arguments (type,
dtype, shape, strides, values), who is whom and who shares memory, writeability, owners, the exception and what was written before it,
and that no buffer outlives the results.
"""

import ctypes
import gc
import re
import types
import warnings

import numpy as np

import comparison
import corpus_format
import corpus_run
from fuzzing import allowed

# Not NumPy's order of additions, or not its last bits (its loops of complex products contract): where such a program rounds at all, results are compared within a bound.
ROUNDING = re.compile(
    r"\b(sum|mean|prod|var|std|dot|matmul|inner|tensordot|vdot|einsum|trace|sin|cos|exp|tanh|log1p|hypot|arctan2|cumsum|cumprod|sqrt|complex64|complex128)\b|@|/(?!/)"
)
# Some processors' vector units compute these without the flag that tells that something was rounded, and libraries with threads in others.
LIBRARY = re.compile(r"\b(sin|cos|exp|tanh|log1p|hypot|arctan2)\b|np\.(linalg|fft)\b")
# Exports that take what only objects of Python hold.
OBJECTS = re.compile(r"^#numptx export .*\b(list|dict|set|str)\b", re.M)
TO_INTEGER = re.compile(r"astype\(np\.u?int|dtype=np\.u?int")
FE_INEXACT = 0x20
_libm = ctypes.CDLL("libm.so.6")


class Different(AssertionError):
    """What differs, in one word and in full; the word is what a shrunk program has to keep."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def call(function, positional, keywords):
    """`(outcome, whether something was rounded, whether a value had no meaning)`"""
    undefined = []
    _libm.feclearexcept(FE_INEXACT)
    with np.errstate(all="ignore", invalid="call"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.seterrcall(lambda *_: undefined.append(True))
        result = corpus_run.outcome(function, positional, keywords)
    return result, bool(_libm.fetestexcept(FE_INEXACT)), bool(undefined)


def compare(compiled, plain, source, run_line, way="host", sources=None):
    """Raises Different where the two differ; returns "agrees", "raises", or why no comparison is fair, see also allowed.py.

    sources: the plain module with every source of a store copied first, see copying.py.
    """
    if OBJECTS.search(source):
        return compare_objects(compiled, plain, run_line, way)
    name, plain_arguments, keywords = corpus_format.captured(run_line, 1)
    expected, is_rounded, is_undefined = call(getattr(plain, name), plain_arguments, keywords)
    name, arguments, keywords = corpus_format.captured(run_line, 1)
    given = corpus_run.Placed().to_device(arguments) if way == "device" else arguments
    gc.collect(0)
    before, bad_before = live(), violations()
    result, _, _ = call(getattr(compiled, name), given, keywords)
    may_round = LIBRARY.search(source) or (is_rounded and ROUNDING.search(source))
    tolerance = tolerance_of(source, plain_arguments) if may_round else 0
    if is_read_only(result, arguments):
        return "read-only"
    if "broadcast_arrays" in source and is_refused_write(result) and not is_refused_write(expected):
        # What NumPy's gives may still be written, with a warning.
        return "read-only"
    try:
        if isinstance(expected, Exception) or isinstance(result, Exception):
            same_exception(result, expected)
        else:
            same_result(result, given, expected, plain_arguments, tolerance, way, source)
        same_memory(given, arguments, plain_arguments, tolerance, way)
    except Different as difference:
        if sources is not None and difference.kind in ("values", "arguments"):
            # NumPy itself forgets to copy where vectors of unlike strides overlap: there the rule is taken from it, not the result.
            return compare(compiled, sources, source, run_line, way)
        if allowed.is_newer_where(expected):
            return "newer"
        if allowed.is_empty_mask(result, expected):
            return "empty mask"
        if allowed.is_wider_int(result, getattr(plain, name), *corpus_format.captured(run_line, 1)[1:]):
            return "wider"
        if difference.kind in ("values", "arguments"):
            memory = [(root(a), root(p)) for a, p in zip(given, plain_arguments)]
            memory += [] if isinstance(expected, Exception) else [(result, expected)]
            if allowed.is_product_order(source, *zip(*memory), tolerance):
                return "products"
        if is_undefined and TO_INTEGER.search(source) and difference.kind == "values":
            return "undefined"
        if tolerance and difference.kind in ("values", "arguments"):
            return "rounded"
        raise
    ended = "raises" if isinstance(expected, Exception) else "agrees"
    del result, expected
    gc.collect(0)
    if violations() > bad_before:
        raise Different("violation", "the runtime found a buffer used after its end, or given back twice")
    if live() > before:
        raise Different("leak", f"{live() - before} buffers are alive after the results are gone")
    return ended


def compare_objects(compiled, plain, run_line, way):
    """The same of a program with lists, dictionaries, sets and strings: what is printed, and messages, have to agree as well."""
    run, name = corpus_format.Run(run_line, 1), corpus_format.captured(run_line, 1)[0]
    outcomes = []

    def watched(*positional, **keywords):
        outcomes.append(corpus_run.outcome(getattr(compiled, name), positional, keywords))
        if isinstance(outcomes[-1], Exception):
            raise outcomes[-1]
        return outcomes[-1]

    try:
        corpus_run.compare(types.SimpleNamespace(**{name: watched}), plain, None, run, way)
    except Exception as error:
        if allowed.is_wider_int(outcomes[-1], getattr(plain, name), *corpus_format.captured(run_line, 1)[1:]):
            return "wider"
        kind = f"exception {type(error).__name__}" if not isinstance(error, AssertionError) else re.sub(r"[\d'\"].*", "", str(error))[:30]
        raise Different(kind.strip(), str(error) or repr(error)) from None
    return "raises" if isinstance(outcomes[-1], Exception) else "agrees"


def is_read_only(outcome, arguments):
    """Whether a compiled call may have been refused for an array that cannot be written.

    An array that the function may write to has to be writeable when it is called; NumPy looks when the write is reached. So NumPy's refusal is
    ours too, but not the other way round.
    """
    return isinstance(outcome, ValueError) and not all(a.flags.writeable for a in arguments if isinstance(a, np.ndarray))


def is_refused_write(outcome):
    """Whether a call ended at a write to an array that cannot be written."""
    return isinstance(outcome, ValueError) and "read-only" in str(outcome)


def live():
    """Buffers that are alive, on the host and on devices."""
    import numptx

    return numptx.memory_stats()["live_buffers"]


def violations():
    """What the runtime's debug mode of memory found: uses after the end, references given back twice."""
    import numptx

    return numptx.memory_stats().get("violations", 0)


def tolerance_of(source, arguments):
    """A bound for what was rounded in another order."""
    narrow = any(getattr(a, "dtype", None) in (np.float32, np.complex64) for a in arguments) or "float32" in source
    return 1e-3 if narrow else 1e-9


def same_exception(result, expected):
    """The same type, or what NumPy derives from it for itself."""
    if isinstance(result, Exception) and isinstance(expected, Exception):
        wanted = type(expected)
        if type(result) is wanted or (wanted.__name__.startswith("_") and isinstance(expected, type(result))):
            return
    raise Different(f"exception {name_of(expected)} {name_of(result)}", f"{result!r} where NumPy has {expected!r}")


def name_of(outcome):
    return type(outcome).__name__ if isinstance(outcome, Exception) else "none"


def same_result(result, given, expected, plain_arguments, tolerance, way, source):
    found = corpus_run.to_host(result)
    if way == "device":
        found, expected = corpus_run.without_rank_0(found), corpus_run.without_rank_0(expected)
    same(found, expected, tolerance)
    if way == "host":
        there, here = relations(result, given), relations(expected, plain_arguments)
        if "broadcast_arrays" in source:
            # NumPy's are writeable with a warning, to be read-only one day, and arguments themselves where shapes turn out equal.
            there, here = ({k: v for k, v in found.items() if not re.search("writ|is argument|one object", k)} for found in (there, here))
        if there != here:
            wrong = [f"{key}: {there.get(key)}, NumPy: {here.get(key)}" for key in {**here, **there} if there.get(key) != here.get(key)]
            raise Different(re.sub(r"\d+", "N", wrong[0].split(":")[0]), "; ".join(wrong))


def same(found, expected, tolerance):
    """As `comparison.assert_same`, naming what kind of difference it is."""
    try:
        comparison.assert_same(found, expected, tolerance)
    except AssertionError as error:
        text = str(error)
        word = next((w for w in ("dtype", "shape", "strides", "tuple") if text.startswith(w) or f"not a {w}" in text), "values")
        word = "type" if "where NumPy gives" in text else word
        raise Different(word, text) from None


def same_memory(given, arguments, plain_arguments, tolerance, way):
    """Whole bases: what lies between the elements of an argument is nobody's to write."""
    if way == "device":
        pairs = [(corpus_run.to_host(g), p) for g, p in zip(given, plain_arguments)]
    else:
        pairs = [(root(a), root(p)) for a, p in zip(arguments, plain_arguments)]
    for found, expected in pairs:
        try:
            same(found, expected, tolerance)
        except Different as difference:
            raise Different("arguments" if difference.kind == "values" else difference.kind, str(difference)) from None


def root(array):
    """The array that owns the memory, as far as NumPy knows."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def owner(array):
    """What keeps an array's memory alive. The base of a sliding window is no array, but has a base."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def relations(results, arguments):
    """`comparison.relations`, and: whether results can be written, and who owns their memory."""
    found = comparison.relations(results, arguments)
    outs = [leaf for leaf in comparison.leaves(results)]
    roots = [(i, root(leaf)) for i, leaf in enumerate(arguments) if isinstance(leaf, np.ndarray)]
    for i, out in enumerate(outs):
        if isinstance(out, np.ndarray):
            found[f"result {i} can be written"] = out.flags.writeable
            found[f"result {i} belongs to the owner of arguments"] = [j for j, of in roots if owner(out) is owner(of)]
    return found
