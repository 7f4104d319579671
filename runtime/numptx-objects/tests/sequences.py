"""Writes operations on objects with what CPython makes of them, one a line, for `against_python.rs`.

A line has an operation, its layout, its operands and the results that are expected, with tabs between. Operands are `i:` ints, `f:` floats by
their bits, `c:` complex numbers by those of both parts, `s:` strings in hexadecimal UTF-8, `r:` objects by their names. Results are the same; `r:`
names what comes out, `-` says nothing of it. An exception is `!`, its type and its message.
"""

import collections
import random
import struct
import sys
import unicodedata

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
names = iter(range(10**9))
SLICE_END = 2**63 - 1
MESSAGES = {"min() arg is an empty sequence": "min() iterable argument is empty",
            "max() arg is an empty sequence": "max() iterable argument is empty"}


class Ref(str):
    """The name of an object."""


def bits(x):
    return format(struct.unpack("<Q", struct.pack("<d", x))[0], "x")


def item(x):
    if isinstance(x, Ref):
        return ["r:" + x]
    if isinstance(x, (bool, int)):
        return [f"i:{int(x)}"]
    if isinstance(x, float):
        return ["f:" + bits(x)]
    if isinstance(x, complex):
        return [f"c:{bits(x.real)}:{bits(x.imag)}"]
    if isinstance(x, str):
        return ["s:" + x.encode().hex()]
    if isinstance(x, tuple):
        return [leaf for part in x for leaf in item(part)]
    return []


def write(op, layout, operands, results):
    operands = [leaf for x in operands for leaf in item(x)]
    print(op, layout, " ".join(operands), " ".join(results), sep="\t")


def call(op, layout, operands, function, result=True):
    """An operation whose results are leaves."""
    try:
        value = function()
    except Exception as error:
        message = str(error)
        message = MESSAGES.get(message, message)
        write(op, layout, operands, [f"!{type(error).__name__}:{message.encode().hex()}"])
        return None
    write(op, layout, operands, item(value) if result else [])
    return value


def make(op, layout, operands, count=1):
    """An operation that makes objects."""
    made = [Ref(f"o{next(names)}") for _ in range(count)]
    write(op, layout, operands, ["r:" + name for name in made])
    return made[0] if count == 1 else made


def shown(name, value):
    write("to_repr", "object", [name], item(repr(value)))


def text_list(op, operands, function):
    """An operation that makes a list of strings."""
    try:
        value = function()
    except Exception as error:
        write(op, "", operands, [f"!{type(error).__name__}:{str(error).encode().hex()}"])
        return
    shown(make(op, "", operands), value)


SOME_FLOATS = [0.0, -0.0, 1.0, 0.5, -2.5, 3.0, 1e300, float("inf"), float("-inf"), 2.0**61, 1e16, 0.1]
ELEMENTS = {
    "i64": lambda: rng.randint(-4, 12),
    "f64": lambda: rng.choice(SOME_FLOATS),
    "str": lambda: rng.choice(["", "a", "b", "ab", "é", "\U0001f600", "z\n"]),
    "bool": lambda: rng.random() < 0.5,
    "( i64 str )": lambda: (rng.randint(0, 3), rng.choice("abc")),
    "( ( i64 f64 ) i64 )": lambda: ((rng.randint(0, 2), rng.choice(SOME_FLOATS)), rng.randint(0, 2)),
    "( i64 none )": lambda: (rng.randint(-4, 12), None),
}


def normalised(length, bound):
    start, stop, step = bound.indices(length)
    return start, len(range(start, stop, step)), step


def a_slice():
    bound = lambda: rng.choice([None, rng.randint(-9, 9)])
    return slice(bound(), bound(), rng.choice([None, 1, 1, 2, -1, -2, 3]))


def delete(values, key):
    del values[key]


def lists():
    for layout, element in ELEMENTS.items():
        for _ in range(6):
            values = [element() for _ in range(rng.randint(0, 9))]
            name = make("list_new", layout, values)
            for _ in range(60):
                list_step(layout, element, name, values)
                if len(values) > 24:
                    write("list_clear", "", [name], [])
                    values.clear()
            shown(name, values)


def list_step(layout, element, name, values):
    i, x = rng.randint(-8, 8), element()
    other_values = [element() for _ in range(rng.randint(0, 5))]
    kind = rng.randint(0, 24)
    if kind < 4:
        call("list_append", "", [name, x], lambda: values.append(x), False)
    elif kind == 4:
        call("list_insert", "", [name, i, x], lambda: values.insert(i, x), False)
    elif kind == 5:
        call("list_pop", "", [name, i], lambda: values.pop(i))
    elif kind == 6:
        call("list_delete", "", [name, i], lambda: delete(values, i))
    elif kind == 7:
        call("list_get", "", [name, i], lambda: values[i])
    elif kind == 8:
        call("list_set", "", [name, i, x], lambda: values.__setitem__(i, x), False)
    elif kind == 9:
        bound = a_slice()
        shown(make("list_slice", "", [name, *normalised(len(values), bound)]), values[bound])
    elif kind == 10:
        bound = a_slice()
        write("list_delete_slice", "", [name, *normalised(len(values), bound)], [])
        del values[bound]
    elif kind in (11, 12):
        bound = a_slice()
        other = name if kind == 12 and rng.random() < 0.3 else make("list_new", layout, other_values)
        other_values = values if other is name else other_values
        operands = [name, *normalised(len(values), bound), other]
        call("list_set_slice", "", operands, lambda: values.__setitem__(bound, other_values), False)
    elif kind == 13:
        other = name if rng.random() < 0.3 else make("list_new", layout, other_values)
        write("list_extend", "", [name, other], [])
        values.extend(values if other is name else other_values)
    elif kind == 14:
        other = make("list_new", layout, other_values)
        shown(make("list_concat", "", [name, other]), values + other_values)
        call("list_equal", "", [name, other], lambda: values == other_values)
        if layout != "( i64 none )":
            call("list_compare", "", [name, other], lambda: (values > other_values) - (values < other_values))
    elif kind == 15:
        shown(make("list_repeat", "", [name, i]), values * i)
        if i < 3:
            write("list_repeat_in_place", "", [name, i], [])
            values *= i
    elif kind == 16:
        write("list_reverse", "", [name], [])
        values.reverse()
    elif kind == 17 and layout != "( i64 none )":
        write("list_sort", "", [name, i > 0], [])
        values.sort(reverse=i > 0)
    elif kind == 18:
        call("list_index", "", [name, x, i, SLICE_END], lambda: values.index(x, i))
    elif kind == 19:
        call("list_count", "", [name, x], lambda: values.count(x))
    elif kind == 20:
        call("list_remove", "", [name, x], lambda: values.remove(x), False)
    elif kind == 21:
        call("list_contains", "", [name, x], lambda: x in values)
    elif kind == 22 and layout != "( i64 none )":
        call("list_min", "", [name], lambda: values.index(min(values)))
        call("list_max", "", [name], lambda: values.index(max(values)))
    elif kind == 23:
        copy = make("list_copy", "", [name])
        call("list_equal", "", [name, copy], lambda: True)
        call("list_length", "", [copy], lambda: len(values))
    else:
        shown(name, values)


def deques():
    for layout, element in ELEMENTS.items():
        for limit in (-1, -1, 0, 1, 6):
            start = [element() for _ in range(rng.randint(0, 9))]
            values = collections.deque(start, None if limit < 0 else limit)
            name = make("deque_new", "", [make("list_new", layout, start), limit])
            for _ in range(80):
                deque_step(layout, element, name, values)
                if len(values) > 40:
                    write("list_clear", "", [name], [])
                    values.clear()
            shown(name, values)
            call("deque_limit", "", [name], lambda: limit)


def deque_step(layout, element, name, values):
    i, x = rng.randint(-8, 8), element()
    other_values = [element() for _ in range(rng.randint(0, 5))]
    kind = rng.randint(0, 18)
    if kind < 3:
        call("deque_append", "", [name, x], lambda: values.append(x), False)
    elif kind < 6:
        call("deque_appendleft", "", [name, x], lambda: values.appendleft(x), False)
    elif kind < 8:
        call("list_pop", "", [name, 0], values.popleft)
    elif kind == 8:
        call("list_pop", "", [name, -1], values.pop)
    elif kind == 9:
        call("deque_insert", "", [name, i, x], lambda: values.insert(i, x), False)
    elif kind in (10, 11):
        other = name if rng.random() < 0.3 else make("list_new", layout, other_values)
        added = list(values) if other is name else other_values
        write("deque_extend" if kind == 10 else "deque_extendleft", "", [name, other], [])
        values.extend(added) if kind == 10 else values.extendleft(added)
    elif kind in (12, 13):
        by = rng.randint(-20, 20)
        write("deque_rotate", "", [name, by], [])
        values.rotate(by)
    elif kind == 14:
        call("list_get", "", [name, i], lambda: values[i])
        call("list_set", "", [name, i, x], lambda: values.__setitem__(i, x), False)
    elif kind == 15:
        call("list_delete", "", [name, i], lambda: delete(values, i))
    elif kind == 16:
        call("list_index", "", [name, x, 0, SLICE_END], lambda: values.index(x))
        call("list_remove", "", [name, x], lambda: values.remove(x), False)
    elif kind == 17:
        shown(make("list_copy", "", [name]), list(values))
        shown(make("deque_new", "", [name, 3]), collections.deque(values, 3))
        write("list_reverse", "", [name], [])
        values.reverse()
    else:
        shown(name, values)


def sorting():
    makers = {
        "i64": lambda: rng.randint(-(2**63), 2**63 - 1),
        "u64": lambda: rng.randint(0, 2**63 - 1),
        "f64": lambda: rng.choice([rng.uniform(-3, 3), 0.0, -0.0, float("inf"), 1.0]),
        "str": lambda: "".join(rng.choices("abÅ", k=rng.randint(0, 3))),
        "( i64 f64 )": lambda: (rng.randint(0, 3), rng.choice([0.0, -0.0, 1.0])),
    }
    for layout, maker in makers.items():
        for size in [0, 1, 2, 11, 12, 13, 25, 60, 200]:
            for reverse in [False, True]:
                values = [maker() for _ in range(size)]
                name = make("list_new", layout, values)
                write("list_sort", "", [name, reverse], [])
                shown(name, sorted(values, reverse=reverse))
                keys = [rng.randint(0, 5) for _ in values]
                name, by = make("list_new", layout, values), make("list_new", "i64", keys)
                write("list_sort_by", "", [name, by, reverse], [])
                pairs = sorted(zip(keys, values), key=lambda pair: pair[0], reverse=reverse)
                shown(name, [value for _, value in pairs])
                shown(by, [key for key, _ in pairs])


def dictionaries():
    kinds = {
        "i64": lambda: rng.randint(0, 12),
        "str": lambda: rng.choice("abcdefghij") * rng.randint(1, 2),
        "f64": lambda: rng.choice(SOME_FLOATS),
        "( i64 str )": lambda: (rng.randint(0, 3), rng.choice("abc")),
    }
    for layout, key in kinds.items():
        for _ in range(5):
            values = {}
            name = make("dict_new", layout + " : f64", [])
            for _ in range(120):
                dictionary_step(layout, key, name, values)
            shown(name, values)
    queue, name = {}, make("dict_new", "i64 : i64", [])
    for i in range(500):
        write("dict_set", "", [name, i, i * i], [])
        queue[i] = i * i
        if len(queue) > 20:
            oldest = next(iter(queue))
            slot = Ref(f"o{next(names)}")
            write("dict_next", "", [name, -1], ["r:" + slot])
            write("dict_remove_at", "", [name, slot], [])
            del queue[oldest]
    shown(name, queue)


def dictionary_step(layout, key, name, values):
    kind, k, v = rng.randint(0, 15), key(), rng.choice([1.5, 2.0, -3.0])
    if kind < 5:
        write("dict_set", "", [name, k, v], [])
        values[k] = v
    elif kind < 8:
        if k in values:
            slot = make("dict_index", "", [name, k])
            call("dict_value", "", [name, slot], lambda: values[k])
            call("dict_key", "", [name, slot], lambda: next(key for key in values if key == k))
            if kind < 7:
                write("dict_remove_at", "", [name, slot], [])
                del values[k]
            else:
                write("dict_set_value", "", [name, slot, v], [])
                values[k] = v
        else:
            call("dict_index", "", [name, k], lambda: values[k])
            call("dict_find", "", [name, k], lambda: -1)
    elif kind == 8 and rng.random() < 0.5:
        call("dict_popitem", "", [name], lambda: values.popitem())
    elif kind == 9:
        shown(make("dict_keys", "", [name]), list(values))
        shown(make("dict_values", "", [name]), list(values.values()))
        items = make("dict_items", "", [name])
        shown(items, list(values.items()))
        shown(make("dict_from_pairs", layout + " : f64", [items]), dict(values.items()))
    elif kind == 10:
        other_values = {key(): 9.0 for _ in range(rng.randint(0, 4))}
        pairs = [part for pair in other_values.items() for part in pair]
        other = make("dict_new", layout + " : f64", pairs)
        call("dict_equal", "", [name, other], lambda: values == other_values)
        write("dict_update", "", [name, other], [])
        values.update(other_values)
    elif kind == 11:
        copy = make("dict_copy", "", [name])
        shown(copy, values)
        call("dict_equal", "", [copy, name], lambda: True)
    elif kind == 12:
        call("dict_length", "", [name], lambda: len(values))
        write("dict_check_size", "", [name, len(values)], [])
        message = "dictionary changed size during iteration".encode().hex()
        write("dict_check_size", "", [name, len(values) + 1], ["!RuntimeError:" + message])
    elif kind == 13 and rng.random() < 0.1:
        write("dict_clear", "", [name], [])
        values.clear()
    else:
        shown(name, values)


SETS = {
    "i64": lambda: rng.choice([rng.randint(0, 20), rng.randint(-5, 60), 8 * rng.randint(0, 40), rng.getrandbits(62)]),
    "np.u8": lambda: rng.randint(0, 40),
    "f64": lambda: rng.choice([*SOME_FLOATS, rng.randint(0, 40) / 4, rng.uniform(-1e20, 1e20), 5e-324]),
    "( i64 i64 )": lambda: (rng.randint(0, 6), rng.randint(-3, 3)),
    "( ( f64 i64 ) bool )": lambda: ((rng.choice(SOME_FLOATS), rng.randint(0, 3)), rng.random() < 0.5),
    "c128": lambda: complex(rng.randint(0, 3), rng.choice([0.0, 1.0, -0.5])),
}
BINARY = ["union", "intersection", "difference", "symmetric_difference"]


def sets():
    for layout, element in SETS.items():
        for size in [3, 6, 12, 40, 120]:
            elements = [[element() for _ in range(rng.randint(0, size))] for _ in range(4)]
            values = [set(each) for each in elements]
            objects = [make("set_new", layout, each) for each in elements]
            for _ in range(60):
                set_step(layout, element, objects, values)
            for name, value in zip(objects, values):
                set_shown(layout, name, value)


def set_shown(layout, name, value):
    if layout.startswith("np."):
        call("set_length", "", [name], lambda: len(value))
        value = list(value)
        copy = make("list_new", layout, value)
        call("list_equal", "", [copy, make("set_to_list", "", [name])], lambda: True)
    else:
        shown(name, value)


def set_step(layout, element, objects, values):
    i, j = rng.randrange(4), rng.randrange(4)
    name, value, x = objects[i], values[i], element()
    kind = rng.randint(0, 16)
    if kind < 4:
        write("set_add", "", [name, x], [])
        value.add(x)
    elif kind < 6:
        x = rng.choice([x, *list(value)[:3]])
        write("set_discard", "", [name, x], [])
        value.discard(x)
    elif kind == 6 and not layout.startswith("np."):
        call("set_remove", "", [name, x], lambda: value.remove(x), False)
    elif kind == 7:
        call("set_pop", "", [name], value.pop)
    elif kind < 11:
        op = rng.choice(BINARY)
        made = make("set_" + op, "", [name, objects[j]])
        result = getattr(value, op)(values[j])
        set_shown(layout, made, result)
        if rng.random() < 0.5:
            objects[i], values[i] = made, result
    elif kind < 13:
        op = rng.choice(BINARY)
        method = "update" if op == "union" else op + "_update"
        write("set_" + method, "", [name, objects[j]], [])
        getattr(value, method)(values[j])
    elif kind == 13:
        call("set_is_subset", "", [name, objects[j]], lambda: value <= values[j])
        call("set_is_superset", "", [name, objects[j]], lambda: value >= values[j])
        call("set_is_disjoint", "", [name, objects[j]], lambda: value.isdisjoint(values[j]))
        call("set_equal", "", [name, objects[j]], lambda: value == values[j])
        call("set_contains", "", [name, x], lambda: x in value)
    elif kind == 14:
        objects[i], values[i] = make("set_copy", "", [name]), value.copy()
    elif kind == 15:
        elements = [element() for _ in range(rng.randint(0, 30))]
        write("set_update_list", "", [name, make("list_new", layout, elements)], [])
        value.update(elements)
        pairs = {element(): 1 for _ in range(rng.randint(0, 30))}
        dictionary = make("dict_new", layout + " : i64", [part for pair in pairs.items() for part in pair])
        write("set_update_keys", "", [objects[j], dictionary], [])
        values[j].update(pairs)
        if rng.random() < 0.2:
            write("set_clear", "", [name], [])
            value.clear()
    set_shown(layout, name, value)


def walked_sets():
    # A literal of constants would be merged from a frozen set, in another order.
    values = set([3, 40, 7, 11, 27])
    name = make("set_from_list", "i64", [make("list_new", "i64", [3, 40, 7, 11, 27])])
    slot = -1
    for x in values:
        slot = make("set_next", "", [name, slot])
        call("set_key", "", [name, slot], lambda: x)
    call("set_next", "", [name, slot], lambda: -1)
    write("set_check_size", "", [name, 5], [])
    write("set_check_size", "", [name, 4], ["!RuntimeError:" + b"Set changed size during iteration".hex()])


def large_sets():
    values, name = set(), make("set_new", "i64", [])
    added = [rng.getrandbits(40) for _ in range(3000)]
    write("set_update_list", "", [name, make("list_new", "i64", added)], [])
    values.update(added)
    shown(name, values)
    for x in list(values)[:2500]:
        write("set_discard", "", [name, x], [])
        values.discard(x)
    shown(name, values)
    # Larger ones grow by less.
    added = [rng.getrandbits(60) for _ in range(70000)]
    name = make("set_from_list", "i64", [make("list_new", "i64", added)])
    values = set(added)
    copy = make("list_new", "i64", list(values))
    call("list_equal", "", [copy, make("set_to_list", "", [name])], lambda: True)
    few = make("set_new", "i64", added[:9])
    copy = make("list_new", "i64", list(values - set(added[:9])))
    call("list_equal", "", [copy, make("set_to_list", "", [make("set_difference", "", [name, few])])], lambda: True)


TEXTS = ["", "a", "ab", "abc", "aaa", " a  b ", "a,b,,c", "Hello World", "é", "ß", "\U0001f600x", "x\ny\r\nz", "\t a\u3000b ",
         "ﬁne ΣΑΣ", "ǆ", "123", "-42", "+7", "٣", "²", "½", "a\x1cb", "İ", "ŉ", "they're Bill's", "'", "\"'", "\x7f\x00"]


def a_text():
    if rng.random() < 0.4:
        return rng.choice(TEXTS)
    return "".join(rng.choices("ab ,é\tA\n😀Σ.1", k=rng.randint(0, 10)))


def made(op, operands, function):
    call(op, "", operands, function)


def strings():
    for _ in range(900):
        t, u, v = a_text(), rng.choice([a_text(), "a", "b", " ", ",", "", "ab"]), a_text()
        i, j, n = rng.randint(-12, 12), rng.choice([SLICE_END, rng.randint(-12, 12)]), rng.randint(-2, 4)
        bound = a_slice()
        for method in ["find", "rfind", "index", "rindex", "count", "startswith", "endswith"]:
            made("str_" + method, [t, u, i, j], lambda: getattr(t, method)(u, i, j))
        for method in ["lower", "upper", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip"]:
            made("str_" + method, [t], getattr(t, method))
        for method in ["strip", "lstrip", "rstrip"]:
            made(f"str_{method}_characters", [t, u], lambda: getattr(t, method)(u))
        for method in ["removeprefix", "removesuffix"]:
            made("str_" + method, [t, u], lambda: getattr(t, method)(u))
        made("str_length", [t], lambda: len(t))
        made("str_truth", [t], lambda: bool(t))
        made("str_concat", [t, u], lambda: t + u)
        made("str_repeat", [t, n], lambda: t * n)
        made("str_get", [t, i], lambda: t[i])
        made("str_slice", [t, *normalised(len(t), bound)], lambda: t[bound])
        made("str_equal", [t, u], lambda: t == u)
        made("str_compare", [t, u], lambda: (t > u) - (t < u))
        made("str_contains", [t, u], lambda: u in t)
        made("str_replace", [t, u, v, n], lambda: t.replace(u, v, n))
        made("str_zfill", [t, i], lambda: t.zfill(i))
        for method in ["ljust", "rjust", "center"]:
            made("str_" + method, [t, i, "*"], lambda: getattr(t, method)(i, "*"))
            made("str_" + method, [t, i, u], lambda: getattr(t, method)(i, u))
        text_list("str_split", [t, n], lambda: t.split(None, n))
        text_list("str_rsplit", [t, n], lambda: t.rsplit(None, n))
        text_list("str_split_by", [t, u, n], lambda: t.split(u, n))
        text_list("str_rsplit_by", [t, u, n], lambda: t.rsplit(u, n))
        text_list("str_splitlines", [t, i > 0], lambda: t.splitlines(i > 0))
        text_list("str_to_list", [t], lambda: list(t))
        made("str_partition", [t, u], lambda: t.partition(u))
        made("str_rpartition", [t, u], lambda: t.rpartition(u))
        made("str_join", [u, make("list_new", "str", [t, v, u])], lambda: u.join([t, v, u]))
        write("to_repr", "str", [t], item(repr(t)))
        write("to_str", "str", [t], item(t))
        if len(t) != 1 or rng.random() < 0.2:
            made("str_ord", [t], lambda: ord(t))
    for n in [0, 65, 0x10FFFF, 0x110000, -1]:
        made("str_chr", [n], lambda: chr(n))


CLASSES = ["isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace", "isupper", "islower", "istitle", "isascii",
           "isprintable"]
# Letters that Unicode gave another case after the version that CPython has.
NEW_CASES = {0x19B, 0x264, 0x295, 0xA7D3, 0xA7D5}


def is_settled(code):
    """Whether a code point was there long ago, and so means the same in all versions."""
    return unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs") and code not in NEW_CASES


def characters():
    codes = [code for code in range(0x500) if is_settled(code)]
    codes += [code for code in (rng.randrange(0x500, 0x1FFFF) for _ in range(6000)) if is_settled(code)]
    for code in codes:
        t = chr(code)
        method = rng.choice(CLASSES)
        made("str_" + method, [t], getattr(t, method))
        method = rng.choice(["lower", "upper", "title", "capitalize", "swapcase"])
        made("str_" + method, [t], getattr(t, method))
        write("to_repr", "str", [t], item(repr(t)))
    for method in CLASSES:
        for t in TEXTS:
            made("str_" + method, [t], getattr(t, method))


def reads():
    alphabet = ["0", "1", "7", "9", "_", "+", "-", ".", "e", "E", "x", "b", "o", "a", "f", " ", "\t", "٣", "\u3000"]
    fixed = ["inf", "-Infinity", "nan", "+NaN", "1e5", "1_000", "1__0", "_1", "1_", "1_.0", "1._0", "1e1_0", ".5", "5.", ".", "",
             "abc", " 12 ", "0x1F", "0b101", "0o17", "0x", "0_7", "00", "0_0", "007", "9" * 19, "-9223372036854775808",
             "9223372036854775808", "9" * 60, "infinit", "1e400", "1e-400", "z", "0xg", "0b2", "--1", "1 2", "\x1c5", "1\x00",
             "0x_f", "0x__f", "i n f", "in_f", "nan(1)", "1e", "1e+", "+.5e-3", "0.1e1_"]
    for i in range(3500):
        t = fixed[i] if i < len(fixed) else "".join(rng.choices(alphabet, k=rng.randint(1, 6)))
        for base in {10, rng.choice([0, 2, 8, 16, 36, 1, 37, 7])}:
            def value():
                n = int(t, base)
                if not -(2**63) <= n < 2**63:
                    raise OverflowError("Python int too large to convert to C long")
                return n
            made("str_to_int", [t, base], value)
        if not (t.strip().lower() == "-nan"):
            made("str_to_float", [t], lambda: float(t))


def any_float():
    kind = rng.randint(0, 6)
    if kind == 0:
        return struct.unpack("<d", rng.randbytes(8))[0]
    if kind == 1:
        return rng.choice([0.0, -0.0, 1.0, -1.0, 1e16, 1e15, 9999995.0, 0.5, 2.5, 1e-5, 0.0001, 123456789.0, 1e100,
                           float("inf"), float("-inf"), float("nan"), 0.05, 0.15, 99.5, 999999.5])
    if kind == 2:
        return rng.uniform(-1, 1) * 10.0 ** rng.randint(-8, 20)
    return round(rng.uniform(-2000, 2000), rng.randint(0, 4))


def any_int():
    return rng.choice([0, 1, -1, 42, -1234567, rng.randint(-(2**63), 2**63 - 1), rng.randint(-99999, 99999), 65, 0x1F600])


def numbers():
    for _ in range(1500):
        x, y = any_float(), any_float()
        write("to_str", "f64", [x], item(str(x)))
        write("to_repr", "f64", [x], item(repr(x)))
        write("to_repr", "c128", [complex(x, y)], item(repr(complex(x, y))))
        n = any_int()
        write("to_str", "i64", [n], item(str(n)))
        value = (n, (x,), ())
        write("to_str", "( i64 ( f64 ) ( ) )", [value], item(str(value)))
        for a, b in [(n, x), (int(x) if abs(x) < 2**62 else n, x)]:
            name, other = make("list_new", "i64", [a]), make("list_new", "f64", [b])
            call("list_equal", "", [name, other], lambda: [a] == [b])


def a_specification(types):
    pick = rng.choice
    fill = pick(["", "", "", "<", ">", "^", "=", "*<", "x^", "0>", "é=", ">>", " ="])
    sign = pick(["", "", "", "+", "-", " "])
    z = pick(["", "", "", "", "z"])
    alternate = pick(["", "", "", "#"])
    zero = pick(["", "", "0"])
    width = pick(["", "", str(rng.randint(1, 30)), "10", "010"])
    grouping = pick(["", "", "", ",", "_", ",_", "_,"])
    precision = pick(["", "", "." + str(rng.randint(0, 25)), ".2", ".0", "."])
    if rng.random() < 0.7:
        grouping, precision = pick(["", "", ",", "_"]), precision if precision != "." else ".3"
    return fill + sign + z + alternate + zero + width + grouping + precision + pick(types)


def formats():
    types = ["", "", *"bcdeEfFgGnosxX%", "y", "é", "ss"]
    for _ in range(9000):
        specification = a_specification(types if rng.random() < 0.3 else [""])
        kind = rng.randint(0, 9)
        if kind < 3:
            layout, x = "i64", any_int()
            specification += rng.choice(["", *"bcdeEfFgGnoxX%"]) if specification[-1:] not in types[2:] else ""
        elif kind < 7:
            layout, x = "f64", any_float()
            specification += rng.choice(["", *"eEfFgGn%"]) if specification[-1:] not in types[2:] else ""
        elif kind == 7:
            layout, x = "str", a_text()
        elif kind == 8:
            layout, x = "bool", rng.random() < 0.5
        else:
            layout, x = "c128", complex(any_float(), any_float())
        if kind == 0 and "c" in specification and 0xD800 <= x < 0xE000:
            continue
        call("format", layout, [specification, x], lambda: format(x, specification))
    for specification in ["", "5", "s"]:
        call("format", "none", [specification], lambda: format(None, specification))
        call("format", "( i64 )", [specification, (1,)], lambda: format((1,), specification))
    name = make("list_new", "i64", [1, 2])
    call("format", "object", ["", name], lambda: format([1, 2], ""))
    call("format", "object", ["5", name], lambda: format([1, 2], "5"))
    for specification in ["99999999999999999999d", ".99999999999999999999f", "d,", "5.", ".9999999999f", ".5000e", ".3000f", "#.1500g"]:
        call("format", "f64", [specification, 0.1], lambda: format(0.1, specification))


def percents():
    for _ in range(5000):
        flags = "".join(rng.choices("-+ #0", k=rng.choice([0, 0, 1, 2])))
        width = rng.choice(["", "", str(rng.randint(1, 20))])
        precision = rng.choice(["", "", ".", "." + str(rng.randint(0, 12))])
        conversion = "%" + flags + width + precision + rng.choice(["", "", "l"]) + rng.choice("diuoxXeEfFgGcrsadfgsy")
        layout, x = rng.choice([("i64", any_int()), ("f64", any_float()), ("str", a_text()), ("bool", True)])
        if layout == "i64" and conversion[-1] == "c" and 0xD800 <= x < 0xE000:
            continue
        call("format_percent", layout, [conversion, x], lambda: conversion % (x,))
    for conversion in ["%", "%5", "%.3"]:
        call("format_percent", "i64", [conversion, 1], lambda: conversion % (1,))
    call("format_percent", "c128", ["%d", 1j], lambda: "%d" % 1j)
    call("format_percent", "( i64 str )", ["%20s", (1, "a")], lambda: "%20s" % ((1, "a"),))


def nested():
    inner = [make("list_new", "f64", [1.5, 2.0]), make("list_new", "f64", [])]
    outer = make("list_new", "object", inner)
    shown(outer, [[1.5, 2.0], []])
    again = make("list_new", "object", [make("list_new", "f64", [1.5, 2.0]), make("list_new", "f64", [])])
    call("list_equal", "", [outer, again], lambda: True)
    call("list_index", "", [outer, inner[1], 0, SLICE_END], lambda: 1)
    write("list_sort", "", [outer, False], [])
    shown(outer, [[], [1.5, 2.0]])
    dictionary = make("dict_new", "str : ( object none )", ["it's", (outer, None)])
    shown(dictionary, {"it's": ([[], [1.5, 2.0]], None)})
    # A list in a key is a tuple of the program, whose length the run time alone knows.
    held = make("set_new", "str", ["a"])
    write("set_new", "( i64 object )", [1, held], ["!TypeError:" + b"unhashable type: 'set'".hex()])
    shown(make("set_new", "str", []), set())
    shown(make("set_new", "str", ["a"]), {"a"})


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for section in [lists, deques, sorting, dictionaries, sets, walked_sets, large_sets, strings, characters, reads, numbers, formats, percents, nested]:
    section()
