"""Molecules as text: symbols and coordinates, counts of elements, masses."""

import numpy as np


#numptx export geometry(str)
# run: geometry("3\nwater\nO 0 0 0.1\nH 0.76 0 -0.48\nH -0.76 0 -0.48\n")
# run: geometry("0\nempty")
# run: geometry("2\nshort\nO 0 0 0")
# run: geometry("x\n")
# run: geometry("1\nÅ\nHe 1 2")
def geometry(text):
    lines = text.splitlines()
    n = int(lines[0])
    symbols = [""] * n
    xyz = np.zeros((n, 3))
    for i in range(n):
        fields = lines[i + 2].split()
        symbols[i] = fields[0]
        for k in range(3):
            xyz[i, k] = float(fields[k + 1])
    return symbols, xyz, xyz.mean(axis=0) if n else np.zeros(3)


#numptx export counts_of_elements(str)
# run: counts_of_elements("C6H12O6")
# run: counts_of_elements("NaCl")
# run: counts_of_elements("")
# run: counts_of_elements("CH3CH2OH")
# run: counts_of_elements("2H")
def counts_of_elements(formula):
    counts = {}
    i = 0
    while i < len(formula):
        if not formula[i].isupper():
            raise ValueError(f"unexpected {formula[i]!r} at {i}")
        symbol = formula[i]
        i += 1
        while i < len(formula) and formula[i].islower():
            symbol += formula[i]
            i += 1
        digits = ""
        while i < len(formula) and formula[i].isdigit():
            digits += formula[i]
            i += 1
        counts[symbol] = counts.get(symbol, 0) + (int(digits) if digits else 1)
    return counts


#numptx export mass(str:int dict)
# run: mass({"C": 6, "H": 12, "O": 6})
# run: mass({})
# run: mass({"O": -1, "H": 0})
# run: mass({"Xx": 1})
def mass(counts):
    weights = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999}
    total = 0.0
    for symbol, count in counts.items():
        total += weights[symbol] * count
    return total


#numptx export bonds(str list, float64[:,:])
# run: bonds(["O", "H", "H"], array([[0.0, 0.0, 0.0], [0.9, 0.0, 0.0], [0.0, 0.9, 0.0]]))
# run: bonds([], zeros((0, 3)))
# run: bonds(["C", "C"], array([[0.0, 0.0, 0.0], [nan, 0.0, 0.0]]))
def bonds(symbols, xyz):
    radius = {"H": 0.31, "C": 0.76, "O": 0.66}
    found = []
    for i in range(len(symbols)):
        for j in range(i + 1, len(symbols)):
            d = np.linalg.norm(xyz[i] - xyz[j])
            if d < 1.2 * (radius[symbols[i]] + radius[symbols[j]]):
                found.append(f"{symbols[i]}{i}-{symbols[j]}{j}")
    return found
