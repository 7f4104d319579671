"""Lengths of the chains that halve even numbers and triple odd ones, each found once."""


#numptx export longest_chain(int)
# run: longest_chain(30)
# run: longest_chain(1)
# run: longest_chain(0)
def longest_chain(limit):
    lengths = {1: 1}
    longest, start = 0, 0
    for first in range(1, limit + 1):
        path = []
        n = first
        while n not in lengths:
            path.append(n)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        length = lengths[n]
        for m in reversed(path):
            length += 1
            lengths[m] = length
        if lengths[first] > longest:
            longest, start = lengths[first], first
    return start, longest, len(lengths), max(lengths)


#numptx export cycle_of_digits(int, int)
# run: cycle_of_digits(1, 7)
# run: cycle_of_digits(1, 8)
# run: cycle_of_digits(5, 0)
def cycle_of_digits(numerator, denominator):
    remainder = numerator % denominator
    seen = {}
    digits = []
    while remainder != 0 and remainder not in seen:
        seen[remainder] = len(digits)
        remainder *= 10
        digits.append(str(remainder // denominator))
        remainder %= denominator
    if remainder == 0:
        return "".join(digits), ""
    begin = seen[remainder]
    return "".join(digits[:begin]), "".join(digits[begin:])


#numptx export iterations_until_repeated(float, float, int)
# run: iterations_until_repeated(3.2, 0.4, 500)
# run: iterations_until_repeated(0.0, 0.4, 10)
# run: iterations_until_repeated(float("inf"), 0.4, 5)
def iterations_until_repeated(r, x, most):
    seen = {}
    for step in range(most):
        key = round(x, 6)
        if key in seen:
            return step, step - seen[key], key
        seen[key] = step
        x = r * x * (1.0 - x)
    return most, 0, x
