#numptx export f(float64)
def f(x):
    return x


def show(d):
    print(f"{d["key"]}")


def default[T = int](x):
    pass


name = t"template"
