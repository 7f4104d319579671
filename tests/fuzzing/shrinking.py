"""Makes a failing program small: the smallest found that still fails the same way.

Works on the syntax tree of the program and on its run line; whether a smaller program fails alike is asked of batch.check. A candidate that
NumPy or the compiler does not take is no candidate.
"""

import ast
import copy
import dataclasses
import itertools
import re
import time
import warnings

import numpy as np

import corpus_format
from fuzzing import batch

SECONDS = 60


def shrunk(finding, device):
    """A finding of the same kind with a smaller program."""
    warnings.simplefilter("ignore")
    state = State.of(finding)
    deadline = time.monotonic() + SECONDS
    is_smaller = True
    while is_smaller and time.monotonic() < deadline:
        is_smaller = False
        for kind in (without_functions, without_statements, without_parameters, simpler_expressions, simpler_runs):
            position = 0
            while time.monotonic() < deadline:
                rest = itertools.islice(kind(state), position, None)
                at, smaller = next(((n, c) for n, c in enumerate(rest, position) if is_step(c, state, finding, device, deadline)), (0, None))
                if smaller is None:
                    break
                state, position, is_smaller = smaller, at, True
    program = batch.Program(finding.program.number, state.text())
    return dataclasses.replace(finding, program=program, run_line=state.run_line())


def fails_alike(candidate, finding, device):
    """Whether a candidate is called with what its export says, and fails the same way."""
    try:
        if candidate.run and not takes(candidate.types, corpus_format.captured(candidate.run_line(), 1)[1]):
            return False
        program = batch.Program(finding.program.number, candidate.text())
        return batch.check(program, candidate.run_line(), finding.flags, device, finding.way) == finding.kind
    except Exception:
        return False


def takes(types, arguments):
    """Whether arguments are of the types of an export line."""
    return len(types) == len(arguments) and all(map(is_of_type, types, arguments))


def is_of_type(text, argument):
    if isinstance(argument, (list, set)):
        member, _, sort = text.rpartition(" ")
        return type(argument).__name__ == sort and all(is_of_type(member, value) for value in argument)
    if isinstance(argument, dict):
        (key, _, value), sort = text.rpartition(" ")[0].partition(":"), text.rpartition(" ")[2]
        return sort == "dict" and all(is_of_type(key, k) and is_of_type(value, v) for k, v in argument.items())
    if "[" in text:
        is_array = isinstance(argument, np.ndarray)
        return is_array and argument.dtype == np.dtype(text.split("[")[0]) and argument.ndim == text.count(":")
    python = {"int": int, "float": float, "bool": bool, "str": str}
    return type(argument) is python.get(text, getattr(np, text, None)) or (text == "bool" and isinstance(argument, np.bool_))


@dataclasses.dataclass
class State:
    """A program as it is shrunk: its functions, its export's types, its run line."""

    tree: ast.Module
    export: str
    types: list
    run: ast.Module | None

    @staticmethod
    def of(finding):
        text = finding.program.text
        name, types = re.search(r"^#numptx export (\w+)\((.*)\)$", text, re.M).groups()
        run = ast.parse(finding.run_line) if finding.run_line else None
        # A comment that states a loop parallel is a statement here, which may go as others may.
        text = re.sub(r"^( *)(#(omp|numptx) parallel.*)$", r"\1'\2'", text, flags=re.M)
        return State(ast.parse(text), name, re.split(r", ", types), run)

    def text(self):
        parts = []
        for function in self.tree.body:
            if function.name == self.export:
                parts.append(f"#numptx export {self.export}({', '.join(self.types)})\n{ast.unparse(function)}")
            else:
                parts.append(ast.unparse(function))
        text = "\n\n\n".join(parts) + "\n"
        return re.sub(r"^( *)'(#(omp|numptx) parallel.*)'$", r"\1\2", text, flags=re.M)

    def run_line(self):
        return "; ".join(ast.unparse(statement) for statement in self.run.body) if self.run else None

    def size(self):
        return len(self.text()) + len(self.run_line() or "")

    def clone(self):
        return copy.deepcopy(self)


def is_step(candidate, state, finding, device, deadline):
    return time.monotonic() < deadline and candidate.size() < state.size() and fails_alike(candidate, finding, device)


def without_functions(state):
    for at, function in enumerate(state.tree.body):
        if function.name != state.export:
            smaller = state.clone()
            del smaller.tree.body[at]
            yield smaller


def blocks(tree):
    """Every list of statements, by node and field."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list) and not isinstance(node, ast.Module):
                yield node, field


def without_statements(state):
    """Without one statement, or with the body of one in its place."""
    for number, (node, field) in enumerate(blocks(state.tree)):
        for at in reversed(range(len(getattr(node, field)))):
            statement = getattr(node, field)[at]
            for put in replacements(statement):
                smaller = state.clone()
                node_there, _ = list(blocks(smaller.tree))[number]
                block = getattr(node_there, field)
                block[at : at + 1] = copy.deepcopy(put)
                if not block and field == "body":
                    block.append(ast.Pass())
                if ast.unparse(smaller.tree) != ast.unparse(state.tree):
                    yield smaller


def replacements(statement):
    """What may stand for a statement."""
    if not isinstance(statement, ast.Pass):
        yield []
    for field in ("body", "orelse", "finalbody"):
        if getattr(statement, field, None):
            yield getattr(statement, field)
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield [ast.Return(None)]
    if isinstance(statement, ast.AugAssign):
        yield [ast.Assign([statement.target], statement.value, lineno=0)]


def without_parameters(state):
    """Without a parameter that is not used: in the function, the types and the call."""
    function = next(f for f in state.tree.body if f.name == state.export)
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    for at, parameter in enumerate(function.args.args):
        if parameter.arg in used or not state.run:
            continue
        smaller = state.clone()
        there = next(f for f in smaller.tree.body if f.name == state.export)
        del there.args.args[at]
        del smaller.types[at]
        del smaller.run.body[-1].value.args[at]
        yield smaller


def nodes(tree):
    return [node for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.Slice))]


def simpler_expressions(state):
    """With a part of an expression in its place."""
    for number, node in enumerate(nodes(state.tree)):
        for put in parts(node):
            smaller = state.clone()
            replace(smaller.tree, nodes(smaller.tree)[number], copy.deepcopy(put))
            yield smaller


def parts(node):
    """What may stand for an expression."""
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            yield ast.Subscript(node.value, ast.Constant(...), node.ctx)
        return
    if isinstance(node, ast.Tuple):
        yield from node.elts
        for at in range(len(node.elts)):
            rest = node.elts[:at] + node.elts[at + 1 :]
            if rest:
                yield ast.Tuple(rest, ast.Load())
    elif isinstance(node, ast.Slice):
        for field in ("step", "lower", "upper"):
            if getattr(node, field):
                smaller = copy.copy(node)
                setattr(smaller, field, None)
                yield smaller
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
            yield node.func.value
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id != "np":
            yield node.func.value
        yield from (argument for argument in node.args if not isinstance(argument, ast.Starred))
        for at in range(len(node.keywords)):
            smaller = copy.copy(node)
            smaller.keywords = node.keywords[:at] + node.keywords[at + 1 :]
            yield smaller
    elif isinstance(node, (ast.Constant, ast.Name)):
        return
    else:
        yield from (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr) and not isinstance(child, ast.Slice))
    if isinstance(node, (ast.BinOp, ast.Compare, ast.BoolOp, ast.Subscript)):
        yield ast.Constant(1)


def replace(tree, old, new):
    """Puts an expression in another's place."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and any(member is old for member in value):
                setattr(parent, field, [new if member is old else member for member in value])
                return


def simpler_runs(state):
    """With simpler arguments: without a definition, with parts in place of expressions, with smaller numbers."""
    if not state.run:
        return
    for at in range(len(state.run.body) - 1):
        smaller = state.clone()
        del smaller.run.body[at]
        yield smaller
    for number, node in enumerate(nodes(state.run)):
        if node is state.run.body[-1].value:
            continue
        for put in [*parts(node), *smaller_numbers(node)]:
            smaller = state.clone()
            replace(smaller.run, nodes(smaller.run)[number], copy.deepcopy(put))
            yield smaller


def smaller_numbers(node):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "resize":
        return
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 9:
        yield ast.Constant(9)


def corpus_file(finding):
    """The text of a file for tests/corpus."""
    text = re.sub(rf"\b[fh]{finding.program.number}(_(\d))?\b", lambda m: f"h{m[2]}" if m[2] else "f", finding.program.text)
    run_line = re.sub(rf"\bf{finding.program.number}\(", "f(", finding.run_line or "")
    text = re.sub(r"^# run: .*\n", "", text, flags=re.M)
    flags = [flag for flag in finding.flags if flag != "--host-only"]
    head = f'"""Found by random programs: {finding.kind}."""\n\n' + (f"# flags: {' '.join(flags)}\n" if flags else "")
    text = re.sub(r"^(#numptx export .*\n)", lambda m: f"{m[1]}# run: {run_line}\n", text, flags=re.M)
    imports = ("import numptx\n" if "numptx.prange" in text else "") + "import numpy as np\n"
    return f"{head}{imports}\n\n{text}"
