"""Strings: taken apart, put together and formatted."""


#numptx export joined(str list)
# run: joined(["a", "b", "c"])
# run: joined([])
def joined(words):
    return ", ".join(words), "".join(sorted(words))


#numptx export counted_words(str)
# run: counted_words("a b a")
# run: counted_words("")
def counted_words(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts


#numptx export shown(int, float, str)
# run: shown(3, 2.5, "x")
# run: shown(-7, 1e10, "")
def shown(n, x, name):
    return f"{name}={n:04d} {x:.3f} {n!r} {x}", "{}:{:>6}".format(n, name), "%5.2f" % x


#numptx export parsed(str)
# run: parsed("12,7")
# run: parsed("1")
# run: parsed("a")
def parsed(text):
    total = 0
    for part in text.split(","):
        total += int(part)
    return total


#numptx export reversed_words(str)
# run: reversed_words("one two  three")
# run: reversed_words(" x ")
def reversed_words(text):
    words = text.strip().split(" ")
    words.reverse()
    return " ".join(words), text[::-1], text[1:3], len(text)


#numptx export classified(str)
# run: classified("a1 B?")
# run: classified("")
def classified(text):
    letters, digits, others = 0, 0, []
    for c in text:
        if c.isalpha():
            letters += 1
        elif c.isdigit():
            digits += ord(c) - ord("0")
        else:
            others.append(c)
    return letters, digits, others, text.upper().replace("A", "*"), text.find("b")


#numptx export shifted(str, int)
# run: shifted("abc xyz", 3)
# run: shifted("Hi", 0)
def shifted(text, by):
    out = ""
    for c in text:
        if "a" <= c <= "z":
            out += chr((ord(c) - 97 + by) % 26 + 97)
        else:
            out += c
    return out, out == text


#numptx export refused(int)
# run: refused(3)
# run: refused(-3)
def refused(n):
    if n < 0:
        raise ValueError(f"{n} is negative")
    return "ab" * n


#numptx export told(int list)
# run: told([1, 2])
def told(xs):
    for i, x in enumerate(xs):
        print(i, x)
    print("done:", len(xs), xs)
    return len(xs)
