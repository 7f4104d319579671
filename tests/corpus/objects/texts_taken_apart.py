"""Everything that texts have: parts, places, cases, replacements, tests of characters."""


#numptx export places(str, str)
# run: places("temperature", "e")
# run: places("", "x")
# run: places("äöäö", "ö")
# run: places("abc", "")
def places(text, part):
    head, middle, tail = text.rpartition(part) if part else ("", "", text)
    return text.find(part), text.rfind(part), text.count(part), part in text, text.startswith(part), text.endswith(part), head, middle, tail


#numptx export must_occur(str, str)
# run: must_occur("signal", "n")
# run: must_occur("signal", "q")
# run: must_occur("", "")
def must_occur(text, part):
    return text.index(part), text.rindex(part), text.index(part, 1), text.find(part, 0, 2)


#numptx export cases(str)
# run: cases("hello World 42")
# run: cases("")
# run: cases("straße ÉCLAIR")
def cases(text):
    return text.upper(), text.lower(), text.title(), text.capitalize(), text.swapcase()


#numptx export trimmed(str)
# run: trimmed("  --x--  ")
# run: trimmed("\t\n")
# run: trimmed("«ok»")
def trimmed(text):
    bare = text.strip()
    return bare, text.lstrip(), text.rstrip(), bare.strip("-«»"), bare.lstrip("-"), bare.rstrip("-"), bare.removeprefix("--"), bare.removesuffix("--")


#numptx export split_in_ways(str)
# run: split_in_ways("a, b,c , d")
# run: split_in_ways("")
# run: split_in_ways("één\ntwee\r\ndrie,")
def split_in_ways(text):
    return text.split(), text.split(","), text.split(",", 1), text.rsplit(",", 1), text.rsplit(None, 1), text.splitlines(), text.splitlines(True), text.partition(",")


#numptx export characters(str)
# run: characters("aB3 _é²")
# run: characters("")
# run: characters("٣")
def characters(text):
    kinds = []
    for c in text:
        kinds.append((c.isalpha(), c.isdigit(), c.isdecimal(), c.isnumeric(), c.isalnum(), c.isspace(), c.isupper(), c.islower(), c.isascii(), c.isprintable()))
    return kinds, text.isupper(), text.istitle()


#numptx export replaced(str, str, str)
# run: replaced("one two one", "one", "1")
# run: replaced("aaa", "a", "")
# run: replaced("ab", "", "–")
def replaced(text, old, new):
    return text.replace(old, new), text.replace(old, new, 1), text.replace(old, new).replace(new or "?", old)


#numptx export indexed(str, int)
# run: indexed("naïve", 2)
# run: indexed("abc", -3)
# run: indexed("abc", 3)
# run: indexed("", 0)
def indexed(text, i):
    return text[i], text[i:], text[:i], text[::-1], text[::2], ord(text[i]), len(text), list(text), text * 2


#numptx export joined(str list, str)
# run: joined(["a", "b", "c"], ", ")
# run: joined([], "-")
# run: joined(["ü"], "")
def joined(words, separator):
    text = separator.join(words)
    longest = max(words, key=len, default="")
    return text, sorted(words), longest, min(words, default=""), sorted(words, key=lambda w: (len(w), w), reverse=True), "".join(reversed(words))


#numptx export ordered(str list)
# run: ordered(["apple", "banana"])
# run: ordered(["", ""])
# run: ordered(["Z", "é"])
# run: ordered(["one"])
def ordered(words):
    a, b = words[0], words[1]
    return a < b, a <= b, a == b, a != b, a > b, a >= b
