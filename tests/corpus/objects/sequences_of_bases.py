"""Sequences of bases in text: records, counts, complements, words of three."""

import numpy as np


#numptx export records(str)
# run: records(">one first\nACGT\nAC\n>two\nGGG")
# run: records("")
# run: records(">é\n\n>é\nA")
# run: records("ACGT")
def records(text):
    sequences = {}
    name = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith(">"):
            name = line[1:].split()[0]
            sequences[name] = ""
        elif line:
            sequences[name] += line.upper()
    return sequences


#numptx export composition(str)
# run: composition("ACGTACGG")
# run: composition("")
# run: composition("nNäA")
def composition(sequence):
    counts = {base: sequence.count(base) for base in "ACGT"}
    n = 0
    for count in counts.values():
        n += count
    content = (counts["G"] + counts["C"]) / n if n > 0 else 0.0
    return counts, content, n - len(sequence)


#numptx export reverse_complement(str)
# run: reverse_complement("ACCGT")
# run: reverse_complement("")
# run: reverse_complement("A")
# run: reverse_complement("ACX")
def reverse_complement(sequence):
    pairs = {"A": "T", "T": "A", "C": "G", "G": "C"}
    out = ""
    for base in sequence:
        out = pairs[base] + out
    return out


#numptx export words(str, int)
# run: words("ACGACGACG", 3)
# run: words("AC", 3)
# run: words("AAAA", 1)
def words(sequence, k):
    counts = {}
    for i in range(len(sequence) - k + 1):
        word = sequence[i : i + k]
        counts[word] = counts.get(word, 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ranked[:3], len(counts)


#numptx export distances(str list)
# run: distances(["ACGT", "ACGA", "TTTT"])
# run: distances(["A"])
# run: distances(["AC", "A"])
def distances(sequences):
    n = len(sequences)
    out = np.zeros((n, n), dtype=np.int64)
    for i, a in enumerate(sequences):
        for j, b in enumerate(sequences):
            if len(a) != len(b):
                raise ValueError(f"{a} and {b} have {len(a)} and {len(b)} bases")
            out[i, j] = sum([x != y for x, y in zip(a, b)])
    return out
