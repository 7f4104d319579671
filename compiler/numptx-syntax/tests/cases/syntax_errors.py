#numptx export a(int), b(int), c(int)
def a(a):
    return (a +

def b(b)
    return b

y = [1, 2
z = 'abc

def c(c):
    return c ]

def i(c):
  if c:
  return 3

def j(c):
    x = 1
      y = 2
    return x

if u = 3:
    pass

def n(a, a):
    pass

def o(a=1, b):
    pass

p(a=1, 2)
q(a=1, a=2)
r = 5 $ 3
s = 1 +
t = 3 4
for u in
v = (1, 2]
w = "\N{no such name}"
x = 0777
y = 1__0
if 1:
	x = 1
        y = 2
def
@
z = x \ y
return
s = """abc
def never(): pass
