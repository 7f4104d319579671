"""A program in which every source of a store is copied before the store: what overlapping stores mean.

NumPy promises it, but forgets it for vectors whose strides differ: with `a = arange(39)`, `a[2:18:3] = a[1:24:4]` writes 21 where 17 belongs.
"""

import ast

import numpy as np


class Copying(ast.NodeTransformer):
    """`place = value` becomes `place = copied(value)`."""

    def visit_Assign(self, node):
        if any(isinstance(target, ast.Subscript) for target in node.targets):
            value = ast.Assign([ast.Name("_value", ast.Store())], node.value)
            # From left to right, as Python assigns.
            return [value, *(ast.Assign([target], source_for(target)) for target in node.targets)]
        return node


def source_for(target):
    """What is assigned to a target: a copy where it is a store."""
    value = ast.Name("_value", ast.Load())
    return ast.Call(ast.Name("_copied", ast.Load()), [value], []) if isinstance(target, ast.Subscript) else value


def copied(value):
    """The same array in memory of its own; other values as they are."""
    return value.copy() if isinstance(value, np.ndarray) else value


def load(path):
    """The module of a file, its stores made so."""
    tree = ast.fix_missing_locations(Copying().visit(ast.parse(path.read_text())))
    names = {"_copied": copied}
    exec(compile(tree, str(path), "exec"), names)
    return type("Module", (), {name: staticmethod(value) for name, value in names.items() if callable(value)})
