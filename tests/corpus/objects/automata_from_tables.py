"""Machines that read symbols: transitions in dictionaries, tapes in lists and dictionaries, tokens from text."""


#numptx export accepted(str, (int,str):int dict, int set)
# run: accepted("abba", {(0, "a"): 1, (1, "b"): 1, (1, "a"): 2}, {2})
# run: accepted("", {}, {0})
# run: accepted("é", {(0, "é"): -1}, set())
# run: accepted("é", {(0, "a"): 1}, {1})
def accepted(text, moves, final):
    state = 0
    visited = [state]
    for symbol in text:
        state = moves[state, symbol]
        visited.append(state)
    return state in final, visited


#numptx export brackets_program(str, int)
# run: brackets_program("++[>+++<-]>.", 100)
# run: brackets_program("", 10)
# run: brackets_program("+[]", 20)
# run: brackets_program("]", 20)
def brackets_program(code, most):
    jumps = {}
    opened = []
    for i in range(len(code)):
        c = code[i]
        if c == "[":
            opened.append(i)
        elif c == "]":
            start = opened.pop()
            jumps[start] = i
            jumps[i] = start
    tape = {}
    at, place, steps = 0, 0, 0
    output = []
    while place < len(code) and steps < most:
        c = code[place]
        if c == ">":
            at += 1
        elif c == "<":
            at -= 1
        elif c in "+-":
            tape[at] = tape.get(at, 0) + (1 if c == "+" else -1)
        elif c == ".":
            output.append(tape.get(at, 0))
        elif (c == "[") == (tape.get(at, 0) == 0):
            place = jumps[place]
        place += 1
        steps += 1
    return output, tape, steps


#numptx export tokens(str)
# run: tokens("x1 = 3.5*(y + 2)")
# run: tokens("")
# run: tokens("a ? b")
# run: tokens("größe=1")
def tokens(text):
    found = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
            continue
        start = i
        if c.isdigit():
            while i < len(text) and (text[i].isdigit() or text[i] == "."):
                i += 1
            found.append(("number", text[start:i]))
        elif c.isalpha() or c == "_":
            while i < len(text) and (text[i].isalnum() or text[i] == "_"):
                i += 1
            found.append(("name", text[start:i]))
        elif c in "+-*/=()":
            i += 1
            found.append(("sign", c))
        else:
            raise ValueError(f"unexpected {c!r} at {i} of {text!r}")
    return found


#numptx export rewritten(str, str:str dict, int)
# run: rewritten("A", {"A": "AB", "B": "A"}, 5)
# run: rewritten("", {"A": "AA"}, 3)
# run: rewritten("F+F", {"F": "F−F"}, 2)
def rewritten(text, rules, steps):
    lengths = [len(text)]
    for _ in range(steps):
        parts = []
        k = 0
        while k < len(text):
            parts.append(rules.get(text[k], text[k]))
            k += 1
        text = "".join(parts)
        lengths.append(len(text))
    return text, lengths
