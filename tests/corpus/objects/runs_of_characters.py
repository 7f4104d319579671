"""Runs of equal characters as counts, and texts from them."""


#numptx export encoded(str)
# run: encoded("aaabccd")
# run: encoded("")
# run: encoded("ßß→")
def encoded(text):
    runs = []
    for c in text:
        if runs and runs[-1][0] == c:
            runs[-1] = (c, runs[-1][1] + 1)
        else:
            runs.append((c, 1))
    out = ""
    for c, n in runs:
        out += c
        if n > 1:
            out += str(n)
    return out, runs


#numptx export decoded(str)
# run: decoded("a3bc2")
# run: decoded("")
# run: decoded("3a")
def decoded(text):
    out = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isdigit():
            raise ValueError(f"a count without a character at {i}")
        j = i + 1
        while j < len(text) and text[j].isdigit():
            j += 1
        out.append(c * int(text[i + 1 : j] or "1"))
        i = j
    return "".join(out)


#numptx export shifted(str, int)
# run: shifted("Hello, World", 3)
# run: shifted("xyz", -24)
# run: shifted("naïve", 1)
def shifted(text, by):
    out = ""
    for c in text:
        if "a" <= c <= "z":
            out += chr((ord(c) - ord("a") + by) % 26 + ord("a"))
        elif "A" <= c <= "Z":
            out += chr((ord(c) - ord("A") + by) % 26 + ord("A"))
        else:
            out += c
    return out


#numptx export is_palindrome(str)
# run: is_palindrome("A man, a plan, a canal: Panama")
# run: is_palindrome("")
# run: is_palindrome("Ça va")
def is_palindrome(text):
    letters = [c.lower() for c in text if c.isalnum()]
    return letters == letters[::-1], "".join(letters)
