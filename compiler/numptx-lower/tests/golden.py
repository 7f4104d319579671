"""Runs the programs of this folder under NumPy and writes down what they give.

    python tests/golden.py        rewrites programs/*.txt

Each `# run:` line of a program is an expression: a call of one of its functions. The text holds the call's arguments as they
were before it, its result, leaf by leaf, the arguments as they are after it, or the exception.
"""

import importlib.util
import pathlib
import warnings

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "programs"
SHORT = {"bool": "bool", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint64": "u64", "uint32": "u32",
         "uint16": "u16", "uint8": "u8", "float64": "f64", "float32": "f32", "complex128": "c128", "complex64": "c64"}


def number(x):
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, int) and not -2**63 <= x < 2**63:
        raise OverflowError("Python int is too large: ints have 64 bits")
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return repr(float(x))


def leaf(x):
    if isinstance(x, np.ndarray):
        shape = ",".join(map(str, x.shape))
        return f"array {SHORT[x.dtype.name]}[{shape}] " + " ".join(number(e) for e in x.ravel())
    if isinstance(x, np.generic):
        return f"numpy {SHORT[x.dtype.name]} {number(x)}"
    kind = {bool: "bool", int: "i64", float: "f64", complex: "c128"}[type(x)]
    return f"python {kind} {number(x)}"


def leaves(x):
    if x is None:
        return []
    if isinstance(x, tuple):
        return [line for member in x for line in leaves(member)]
    return [leaf(x)]


def run(module, expression):
    calls = []

    def recorder(function):
        def record(*arguments):
            lines = [f"run {expression}", f"function {function.__name__}"]
            lines += [f"argument {line}" for line in leaves(arguments)]
            try:
                result = function(*arguments)
                lines += [f"result {line}" for line in leaves(result)]
                lines += [f"after {line}" for line in leaves(arguments)]
            except Exception as error:  # the exception is the result
                lines.append(f"raises {type(error).__name__}: {error}")
            calls.append(lines)
        return record

    scope = {"np": np, "nan": np.nan, "inf": np.inf, **{n: getattr(np, n) for n in ("arange", "zeros", "ones", "array")}}
    scope |= {name: recorder(value) for name, value in vars(module).items() if callable(value)}
    eval(expression, scope)
    return calls[0]


def main():
    warnings.simplefilter("ignore")
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        blocks = []
        for line in path.read_text().splitlines():
            if line.startswith("# run: "):
                blocks.append("\n".join(run(module, line.removeprefix("# run: "))))
        path.with_suffix(".txt").write_text("\n\n".join(blocks) + "\n")


if __name__ == "__main__":
    main()
