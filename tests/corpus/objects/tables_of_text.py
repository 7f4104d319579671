"""Tables in text: columns of numbers, missing values, and lines that are wrong."""

import numpy as np


#numptx export columns(str)
# run: columns("x,y\n1,2.5\n3,4\n")
# run: columns("x\n")
# run: columns("x,y\n1,oops\n")
# run: columns("größe,höhe\r\n 1e3 , -inf\r\nnan,1_000")
# run: columns("a,b\n1,2,3")
# run: columns("")
def columns(text):
    lines = text.splitlines()
    names = [name.strip() for name in lines[0].split(",")]
    table = {}
    for name in names:
        table[name] = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split(",")
        if len(fields) != len(names):
            raise ValueError(f"line {number}: {len(fields)} fields, expected {len(names)}")
        for name, field in zip(names, fields):
            table[name].append(float(field))
    return table


#numptx export means_by_group(str)
# run: means_by_group("a 1.0;b 2.0;a 3.0")
# run: means_by_group("")
# run: means_by_group("a 1.0;;b")
# run: means_by_group("é nan;é 1")
def means_by_group(text):
    groups = {}
    for record in text.split(";"):
        parts = record.split()
        if len(parts) == 2:
            groups.setdefault(parts[0], []).append(float(parts[1]))
    return {name: np.mean(np.array(values)) for name, values in groups.items()}


#numptx export matrix(str)
# run: matrix("1 2 3\n4 5 6")
# run: matrix("7")
# run: matrix("1 2\n3 -4\n\n# end\n")
def matrix(text):
    rows = []
    for line in text.split("\n"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        rows.append([int(word) for word in line.split()])
    out = np.zeros((len(rows), len(rows[0])), dtype=np.int64)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            out[i, j] = value
    return out
