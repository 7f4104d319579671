"""Numbers as text: in other bases, with padding, as Roman numerals, as runs of digits."""


#numptx export parsed(str list, int)
# run: parsed(["ff", "0x1F", " 7 "], 16)
# run: parsed([], 10)
# run: parsed(["12", "-8", "9"], 8)
# run: parsed(["-101", "+11", "1_0"], 2)
# run: parsed(["é"], 10)
def parsed(words, base):
    return [int(word, base) for word in words]


#numptx export in_base(int, int)
# run: in_base(255, 16)
# run: in_base(0, 2)
# run: in_base(-10, 3)
# run: in_base(5, 1)
def in_base(n, base):
    if base < 2 or base > 36:
        raise ValueError(f"base {base} is not within 2..36")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    if n == 0:
        return "0"
    out = []
    left = abs(n)
    while left:
        left, digit = divmod(left, base)
        out.append(digits[digit])
    return ("-" if n < 0 else "") + "".join(out[::-1])


#numptx export roman(int)
# run: roman(1994)
# run: roman(0)
# run: roman(-4)
def roman(n):
    parts = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    text = ""
    for value, letters in parts:
        text += letters * (n // value)
        n %= value
    return text


#numptx export from_roman(str)
# run: from_roman("MCMXCIV")
# run: from_roman("")
# run: from_roman("IIX")
# run: from_roman("IQ")
def from_roman(text):
    value_of = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total, largest = 0, 0
    for i in range(len(text) - 1, -1, -1):
        value = value_of[text[i]]
        if value < largest:
            total -= value
        else:
            largest = value
            total += value
    return total


#numptx export padded(int list, int)
# run: padded([7, -7, 12345], 4)
# run: padded([], 4)
# run: padded([0], 0)
def padded(numbers, width):
    plain = [str(n).zfill(width) for n in numbers]
    right = [str(n).rjust(width, ".") for n in numbers]
    left = [str(n).ljust(width) + "|" for n in numbers]
    middle = [str(n).center(width + 3, "*") for n in numbers]
    return plain, right, left, middle
