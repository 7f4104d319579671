"""Writes random programs with lists, dictionaries, sets, strings, names that are `None` or a value, and exceptions.

Every expression has one type, as compiled programs need it; any of them may raise. Loops end: what grows in them is bounded.
"""

import random
import re

INT, FLOAT, STR, BOOL, MAYBE = "int", "float", "str", "bool", "maybe"
INTS, FLOATS, STRS, ROWS = "int list", "float list", "str list", "int list list"
COUNTS, TABLE, GROUPS = "str:int dict", "int:float dict", "int:int list dict"
SET, WORDS = "int set", "str set"
LISTS = {INTS: INT, FLOATS: FLOAT, STRS: STR, ROWS: INTS}
DICTIONARIES = {COUNTS: (STR, INT), TABLE: (INT, FLOAT), GROUPS: (INT, INTS)}
SETS = {SET: INT, WORDS: STR}
PARAMETERS = [INT, FLOAT, STR, BOOL, INTS, FLOATS, STRS, ROWS, COUNTS, TABLE, GROUPS, SET, WORDS]
LOCALS = [INT, INT, FLOAT, STR, BOOL, MAYBE, INTS, INTS, FLOATS, STRS, STRS, ROWS, COUNTS, TABLE, GROUPS, SET, WORDS]
TEXTS = ["", "a", "b", "köln", "7", "12", "x y", "a,b,a", "  ab ", "-3", "1.5", "Zz"]
ERRORS = ["ValueError", "IndexError", "KeyError", "ZeroDivisionError", "LookupError", "Exception", "(ValueError, KeyError)"]
# Members of lists, and characters of strings, from which on loops let them grow no more.
MOST = 24

# Expressions of each type: `«int»` stands for one of that type, `«int; v: str»` for one that may read a name of another.
EXPRESSIONS = {
    INT: [
        "(«int» + «int»)",
        "(«int» - «int»)",
        "(«int» * «int» % 101)",
        "(«int» // «int»)",
        "(«int» % «int»)",
        "len(«collection»)",
        "«@int list»[«small»]",
        "«str:int dict»[«str»]",
        "«str:int dict».get(«str», «int»)",
        "sum(«int list»)",
        "max(«int list»)",
        "min(«int», «int»)",
        "«int list».count(«int»)",
        "«int list».index(«int»)",
        "int(«str»)",
        "abs(«int»)",
        "(«int» if «bool» else «int»)",
        "«str».find(«str»)",
        "«str».count(«str»)",
        "sum(«int; v: int» for v in «@int list» if «bool; v: int»)",
        "sum(«str:int dict».values())",
        "min(«str list», key=len).count('a')",
    ],
    FLOAT: [
        "(«float» + «float»)",
        "(«float» - «float»)",
        "(«float» * 0.5)",
        "(«float» / «float»)",
        "(«int» / «int»)",
        "float(«int»)",
        "float(«str»)",
        "«@float list»[«small»]",
        "«int:float dict»[«int»]",
        "«int:float dict».get(«int», «float»)",
        "max(«float list»)",
        "round(«float», 1)",
        "(«float» if «bool» else «float»)",
    ],
    STR: [
        "(«str» + «str»)[:24]",
        "str(«any»)",
        "repr(«any»)",
        "'{}-{}'.format(«str», «int»)",
        "('%s %d' % («str», «int»))",
        "('%.2f' % «float»)",
        "«str»[«small»]",
        "«str»[«small»:«small»]",
        "«str»[::-1]",
        "«str».upper()",
        "«str».strip()",
        "«str».title()",
        "«str».replace('a', «str»)[:24]",
        "','.join(«str list»)[:24]",
        "''.join(«str; v: str» for v in «str» if «bool; v: str»)[:24]",
        "«@str list»[«small»]",
        "format(«int», '04d')",
        "(«str» if «bool» else «str»)",
    ],
    BOOL: [
        "(«int» < «int»)",
        "(«int» == «int»)",
        "(«float» <= «float»)",
        "(«str» != «str»)",
        "(«str» < «str»)",
        "(«int» in «int list»)",
        "(«int» not in «int:float dict»)",
        "(«int» in «int set»)",
        "(«str» in «str list»)",
        "(«str» in «str:int dict»)",
        "(«str» in «str»)",
        "(«bool» and «bool»)",
        "(«bool» or «bool»)",
        "(not «bool»)",
        "bool(«collection»)",
        "«str».startswith(«str»)",
        "«str».isdigit()",
        "(«int list» == «int list»)",
        "any(«bool; v: int» for v in «@int list»)",
        "(«int set» <= «int set»)",
    ],
    INTS: [
        "list(range(«small»))",
        "«@int list list»[«small»]",
        "«int:int list dict»[«int»]",
        "sorted(«int set»)",
        "list(«str:int dict».values())",
        "list(«int:float dict»)",
        "[«int; v: str» for v in «@str list»]",
        "(«int list» * 2)[:24]",
    ],
    STRS: [
        "«str».split()",
        "«str».split(',')",
        "list(«str»)",
        "sorted(«str:int dict»)",
        "[v for v, n in «str:int dict».items() if «bool; n: int»]",
        "sorted(«str list», key=len)",
        "sorted(«str set»)",
    ],
    FLOATS: ["list(«int:float dict».values())", "[«float; v: int» for v in «@int list»]"],
}
OF_LISTS = [
    "[«MEMBER»]",
    "[«MEMBER», «MEMBER»]",
    "[«MEMBER; v: int» for v in «@int list» if «bool; v: int»]",
    "[«MEMBER; v: str» for v in «@str list»]",
    "[«MEMBER; v: MEMBER» for v in «@SELF» if «bool; v: MEMBER»]",
    "«@SELF»[«small»:]",
    "«@SELF»[«small»:«small»]",
    "«@SELF»[::-1]",
    "(«SELF» + «SELF»)[:24]",
    "list(«SELF»)",
    "«SELF».copy()",
    "(«SELF» if «bool» else «SELF»)",
    "sorted(«SELF»)",
    "sorted(«SELF», reverse=True)",
]
OF_DICTIONARIES = [
    "{«KEY»: «VALUE»}",
    "{«KEY»: «VALUE», «KEY»: «VALUE»}",
    "dict(«SELF»)",
    "«SELF».copy()",
    "{«KEY; v: KEY»: «VALUE; v: KEY» for v in «@KEYS»}",
    "{v: w for v, w in «SELF».items() if «bool; v: KEY»}",
]
OF_SETS = ["{«MEMBER», «MEMBER»}", "set(«MEMBERS»)", "(«SELF» | «SELF»)", "(«SELF» & «SELF»)", "(«SELF» - «SELF»)", "{«MEMBER; v: MEMBER» for v in «@MEMBERS» if «bool; v: MEMBER»}"]


def programs(first, count):
    """The text of `count` programs from number `first` on, as `random-programs` writes them."""
    return "\n".join(f"# program {number}\n{Writer(number).program()}\n" for number in range(first, first + count))


class Writer:
    """Writes one program."""

    def __init__(self, number):
        self.number, self.random = number, random.Random(number)
        self.names, self.locked, self.lines, self.n_names = {}, set(), [], 0
        self.depth, self.in_loop, self.helpers, self.returns = 0, False, [], []

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def program(self):
        text = ""
        if self.chance(60):
            text = self.function(f"g{self.number}", [self.pick(*LISTS, *DICTIONARIES, *SETS), INT], INT) + "\n\n"
        parameters = [self.pick(*PARAMETERS) for _ in range(self.random.randint(1, 3))] + [self.pick(*LISTS)]
        runs = [f"# run: f{self.number}({', '.join(map(self.value, parameters))})" for _ in range(4)]
        head = f"#numptx export f{self.number}({', '.join(parameters)})"
        return "\n".join([head, *runs]) + "\n" + text + self.function(f"f{self.number}", parameters, None)

    def function(self, name, parameters, result):
        """A function; one with a result can be called by what follows."""
        self.names = {f"p{n}": ty for n, ty in enumerate(parameters)}
        self.lines, self.n_names = [f"def {name}({', '.join(self.names)}):"], 0
        self.result = result
        self.block(self.random.randint(3, 6) if result is None else 2, 1, ())
        self.leave(1)
        if result:
            self.helpers.append((name, parameters))
        return "\n".join(self.lines) + "\n"

    def leave(self, indent):
        self.line(indent, f"return {self.of(INT)}" if self.result else f"return {self.returned()}")

    def returned(self):
        """Values of one type wherever the function returns."""
        if not self.returns:
            known = [name for name in self.names if name.startswith("p")]
            self.returns = [self.names[name] for name in known][:2] + [self.pick(*LOCALS[:4])]
        return ", ".join(self.known(ty) or self.of(ty) for ty in self.returns)

    def line(self, indent, text):
        self.lines.append("    " * indent + text)

    # Values of the caller's.

    def value(self, ty):
        many = range(self.random.randint(0, 4))
        if ty in LISTS:
            return f"[{', '.join(self.value(LISTS[ty]) for _ in many)}]"
        if ty in DICTIONARIES:
            key, value = DICTIONARIES[ty]
            return f"{{{', '.join(f'{self.value(key)}: {self.value(value)}' for _ in many)}}}"
        if ty in SETS:
            return f"set([{', '.join(self.value(SETS[ty]) for _ in many)}])"
        return {
            INT: str(self.random.randint(-3, 9)),
            FLOAT: self.pick("0.0", "1.5", "-2.25", "1e3", "0.1"),
            STR: repr(self.pick(*TEXTS)),
            BOOL: self.pick("True", "False"),
        }[ty]

    # Expressions.

    def known(self, ty):
        """A name of a type; `None` where there is none."""
        names = [name for name, own in self.names.items() if own == ty]
        return self.pick(*names) if names else None

    def of(self, ty):
        """An expression of a type."""
        name = self.known(ty)
        if self.depth > 1 or (name and self.chance(40)):
            return name or self.literal(ty)
        templates = [*EXPRESSIONS.get(ty, ()), *self.general(ty)]
        if ty == INT and self.helpers and self.chance(20):
            called, types = self.pick(*self.helpers)
            templates = [f"{called}({', '.join(f'«{own}»' for own in types)})"]
        if ty in (INT, BOOL) and self.known(MAYBE):
            maybe = self.known(MAYBE)
            templates.append(f"{maybe} is None" if ty == BOOL else f"(«int» if {maybe} is None else {maybe})")
        # An index, or a loop, of a list whose length is known when compiling would be refused, not raise.
        have = {f"«@{own}»" for own in self.names.values()}
        templates = [text for text in templates if set(re.findall("«@[^»]*»", text)) <= have]
        return self.filled(self.pick(*templates)) if templates else self.literal(ty)

    def general(self, ty):
        """Templates of every type of a sort."""
        if ty in LISTS:
            return [text.replace("MEMBER", LISTS[ty]).replace("SELF", ty) for text in OF_LISTS]
        if ty in DICTIONARIES:
            key, value = DICTIONARIES[ty]
            keys = INTS if key == INT else STRS
            return [t.replace("KEYS", keys).replace("KEY", key).replace("VALUE", value).replace("SELF", ty) for t in OF_DICTIONARIES]
        if ty in SETS:
            members = INTS if SETS[ty] == INT else STRS
            return [t.replace("MEMBERS", members).replace("MEMBER", SETS[ty]).replace("SELF", ty) for t in OF_SETS]
        return []

    def filled(self, template):
        """A template with expressions in its places: `«type»`, `«type; name: type»` where a name is bound in it."""
        self.depth += 1
        text = re.sub("«([^»;]*)(?:; (\\w+): ([^»]*))?»", self.place, template)
        self.depth -= 1
        return text

    def place(self, match):
        ty, name, bound = match.groups()
        if ty.startswith("@"):
            return self.known(ty[1:])
        if ty == "small":
            return self.pick("0", "1", "2", "-1", "3", self.known(INT) or "0")
        if ty == "any":
            ty = self.pick(*(own for own in LOCALS if own != WORDS))
        if ty == "collection":
            ty = self.pick(*LISTS, *DICTIONARIES, *SETS, STR)
        before = dict(self.names)
        if name:
            self.names[name] = bound
        made = self.of(ty)
        self.names = before
        return made

    def literal(self, ty):
        if ty == MAYBE:
            return self.pick("None", str(self.random.randint(0, 9)))
        if ty in LISTS:
            return f"[{self.value(LISTS[ty])}]"
        if ty in DICTIONARIES:
            key, value = DICTIONARIES[ty]
            return f"{{{self.value(key)}: {self.value(value)}}}"
        if ty in SETS:
            return f"{{{self.value(SETS[ty])}}}"
        return self.value(ty)

    # Statements.

    def block(self, n, indent, loops):
        """Statements; names that they bind are known in them alone, and behind it what was known before."""
        before = dict(self.names)
        for _ in range(n):
            self.statement(indent, loops)
        if indent > 1:
            # A name may be bound on some paths only; now and then it is read all the same.
            self.names = {name: ty for name, ty in self.names.items() if name in before or self.chance(5)}

    def statement(self, indent, loops):
        kinds = [self.assign, self.assign, self.change, self.change, self.change, self.show]
        if indent < 3 + self.chance(30):
            kinds += [self.branch, self.loop, self.loop, self.attempt, self.attempt]
        if loops and indent > 2:
            kinds.append(self.jump)
        if indent > 1 and self.chance(20):
            kinds.append(self.end)
        self.pick(*kinds)(indent, loops)

    def assign(self, indent, loops):
        ty = self.pick(*LOCALS)
        name = self.known(ty)
        value = self.of(INT) if ty == MAYBE and self.chance(60) else self.of(ty)
        if not name or self.chance(40) or name.startswith("p"):
            self.n_names += 1
            name = f"{ty[0]}{self.n_names}"
        if ty == INT and name in self.names and self.chance(50):
            return self.line(indent, f"{name} {self.pick('+=', '-=')} {value}")
        self.line(indent, f"{name} = {value}")
        self.names[name] = ty
        if ty in LISTS:
            # From here on its length is known at run time only.
            self.line(indent, f"{name}.append({self.of(LISTS[ty])})")

    def change(self, indent, loops):
        """A list, dictionary or set is changed in place; one that is iterated is not."""
        able = {**LISTS, **DICTIONARIES, **SETS}
        names = [(name, ty) for name, ty in self.names.items() if ty in able and ty not in self.locked]
        if not names:
            return self.assign(indent, loops)
        name, ty = self.pick(*names)
        make = self.change_of_list if ty in LISTS else self.change_of_dictionary if ty in DICTIONARIES else self.change_of_set
        text, grows = make(name, ty)
        if grows and loops:
            self.line(indent, f"if len({name}) < {MOST}:")
            indent += 1
        return self.line(indent, text)

    def change_of_list(self, name, ty):
        member, at = LISTS[ty], self.filled('«small»')
        return self.pick(
            (f"{name}.append({self.of(member)})", True),
            (f"{name}.append({self.of(member)})", True),
            (f"{name}.insert({at}, {self.of(member)})", True),
            (f"{name}.pop({self.pick('', at)})", False),
            (f"{name}.extend({self.of(ty)}[:3])", True),
            (f"{name} += {self.of(ty)}[:3]", True),
            (f"{name}.sort({self.pick('', 'reverse=True')})", False),
            (f"{name}.reverse()", False),
            (f"{name}[{at}] = {self.of(member)}", False),
            (f"del {name}[{at}]", False),
            (f"{name}[{at}:{self.filled('«small»')}] = {self.of(ty)}[:3]", True),
            (f"{name}.remove({self.of(member)})", False),
        )

    def change_of_dictionary(self, name, ty):
        key, value = DICTIONARIES[ty]
        own = [
            (f"{name}[{self.of(key)}] = {self.of(value)}", True),
            (f"{name}.setdefault({self.of(key)}, {self.of(value)})", True),
            (f"{name}.pop({self.of(key)}{self.pick('', ', ' + self.of(value))})", False),
            (f"del {name}[{self.of(key)}]", False),
            (f"{name}.update({self.of(ty)})", True),
        ]
        if ty == COUNTS:
            k = self.of(key)
            own += [(f"{name}[{k}] = {name}.get({k}, 0) + 1", True), (f"{name}[{k}] += {self.of(INT)}", False)]
        if ty == GROUPS:
            own += [(f"{name}.setdefault({self.of(INT)}, []).append({self.of(INT)})", True)] * 3
        return self.pick(*own)

    def change_of_set(self, name, ty):
        member = self.of(SETS[ty])
        return self.pick(
            (f"{name}.add({member})", True),
            (f"{name}.discard({member})", False),
            (f"{name}.remove({member})", False),
            (f"{name} {self.pick('|=', '-=', '&=')} {self.of(ty)}", True),
            (f"{name}.update({self.of(ty)})", True),
        )

    def show(self, indent, loops):
        types = [ty for ty in LOCALS if ty != WORDS]
        self.line(indent, f"print({', '.join(self.of(self.pick(*types)) for _ in range(self.random.randint(1, 2)))})")

    def branch(self, indent, loops):
        maybe = self.known(MAYBE)
        if maybe and self.chance(40):
            n = self.of(INT)
            self.line(indent, f"if {maybe} is None or {n} > {maybe}:")
            return self.line(indent + 1, f"{maybe} = {n}")
        self.line(indent, f"if {self.of(BOOL)}:")
        self.block(self.random.randint(1, 3), indent + 1, loops)
        if self.chance(50):
            self.line(indent, "else:")
            self.block(self.random.randint(1, 2), indent + 1, loops)
        return None

    def loop(self, indent, loops):
        before, locked = dict(self.names), set(self.locked)
        self.n_names += 1
        v, w = f"v{self.n_names}", f"w{self.n_names}"
        ways = [
            (f"for {v} in range({self.random.randint(1, 4)}):", {v: INT}, None),
            (f"for {v} in {self.of(STR)}[:6]:", {v: STR}, None),
            (f"for {v} in sorted({self.of(SET)}):", {v: INT}, None),
            (f"for {v}, {w} in zip({self.of(INTS)}, {self.of(STRS)}):", {v: INT, w: STR}, None),
        ]
        for ty, member in LISTS.items():
            ways += [(f"for {v} in {self.known(ty) or self.of(ty)}:", {v: member}, None), (f"for {w}, {v} in enumerate({self.of(ty)}):", {v: member, w: INT}, None)]
        for ty, (key, value) in DICTIONARIES.items():
            ways.append((f"for {v}, {w} in {self.of(ty)}.items():", {v: key, w: value}, ty))
        head, bound, lock = self.pick(*ways)
        if self.chance(15):
            self.line(indent, f"{v} = 0")
            self.names[v] = INT
            head, bound, lock = f"while {v} < 4 and {self.of(BOOL)}:", {v: INT}, None
            self.line(indent, head)
            self.line(indent + 1, f"{v} += 1")
        else:
            self.line(indent, head)
        self.names.update(bound)
        if lock:
            # Lists in it may be changed, and so may not the dictionary.
            self.locked.add(lock)
        # A counter is not assigned in its loop.
        self.names = {name: ty for name, ty in self.names.items() if not (head.startswith("while") and name == v)}
        self.block(self.random.randint(1, 3), indent + 1, (*loops, head))
        self.locked = locked
        self.names = {name: ty for name, ty in self.names.items() if name in before or self.chance(5)}
        if self.chance(10):
            self.line(indent, "else:")
            self.block(1, indent + 1, loops)

    def attempt(self, indent, loops):
        self.line(indent, "try:")
        self.block(self.random.randint(1, 3), indent + 1, loops)
        has_finally = self.chance(25)
        if not has_finally or self.chance(70):
            error = self.pick(*ERRORS)
            self.line(indent, f"except {error} as e:" if self.chance(40) else f"except {error}:")
            if self.lines[-1].endswith(" as e:"):
                self.line(indent + 1, "print(e)")
            self.block(self.random.randint(1, 2), indent + 1, loops)
            if self.chance(10):
                self.line(indent + 1, "raise")
            if self.chance(20):
                self.line(indent, "else:")
                self.block(1, indent + 1, loops)
        if has_finally:
            self.line(indent, "finally:")
            self.block(1, indent + 1, loops)

    def jump(self, indent, loops):
        self.line(indent, f"if {self.of(BOOL)}:")
        self.line(indent + 1, self.pick("break", "continue"))

    def end(self, indent, loops):
        self.line(indent, f"if {self.of(BOOL)}:")
        if self.chance(50):
            return self.line(indent + 1, self.pick("raise ValueError('no')", f"raise KeyError({self.of(STR)})", f"raise ValueError({self.of(STR)})"))
        return self.leave(indent + 1)
