"""Which handler takes what: exceptions and those that they are among."""


def fail(n, x):
    if n == 0:
        return 1 // n
    if n == 1:
        raise OverflowError("too much")
    if n == 2:
        raise IndexError("too far")
    if n == 3:
        raise RuntimeError("odd")
    if n == 4:
        raise NotImplementedError("not yet")
    return int(x)


#numptx export handled(int, str)
# run: handled(0, "1")
# run: handled(2, "1")
# run: handled(9, "x")
# run: handled(4, "x")
def handled(n, x):
    try:
        return fail(n, x), "ended"
    except ArithmeticError as e:
        return -1, f"arithmetic: {e}"
    except LookupError as e:
        return -2, f"lookup: {e}"
    except (TypeError, NotImplementedError):
        return -3, "not done"
    except RuntimeError as e:
        return -4, str(e)
    except Exception as e:
        return -5, "any: " + str(e)


#numptx export inner_first(int, str)
# run: inner_first(0, "1")
# run: inner_first(2, "1")
# run: inner_first(3, "1")
def inner_first(n, x):
    try:
        try:
            value = fail(n, x)
        except ZeroDivisionError:
            value = -1
        except IndexError:
            value = fail(n + 1, x)
    except:
        value = -2
    return value
