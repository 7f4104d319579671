"""Texts that are numbers or not: exceptions caught in loops."""


#numptx export total(str list)
# run: total(["1.5", "x", "2"])
# run: total([])
# run: total(["", "nan", "-3e2", " 7 "])
def total(words):
    numbers = 0.0
    others = 0
    for word in words:
        try:
            numbers += float(word)
        except ValueError:
            others += 1
    return numbers, others


#numptx export kept(str list, int)
# run: kept(["1", "two", "3"], 10)
# run: kept(["a"], 2)
# run: kept(["ff", "10", "zz"], 16)
def kept(words, base):
    good = []
    messages = []
    for n, word in enumerate(words):
        try:
            good.append(int(word, base))
        except ValueError as e:
            messages.append(f"{n}: {e}")
        else:
            good.append(-n)
    return good, messages


#numptx export asserted(int list)
# run: asserted([1, -2, 3])
# run: asserted([])
# run: asserted([-1, -1])
def asserted(xs):
    n = 0
    for x in xs:
        try:
            assert x > 0, f"{x} is not positive"
            n += x
        except AssertionError as e:
            print(e)
            n -= 100
    return n
