from scipy import special


#numptx export f(float64[:], complex128[:], int)
def f(x, z, n):
    a = special.erf(z)  #! NPX0505 z.real
    b = special.jv(n, z)  #! NPX0505 z.real
    c = special.comb(n, 2, exact=True)  #! NPX0504 math.comb
    d = special.factorial(n, exact=True)  #! NPX0504 math.factorial
    e = special.expit(x, out=x)  #! NPX0504 out[...]
    g = special.lambertw(x)  #! NPX0501 scipy.special
    h = special.kn(x, x)  #! NPX0505 kv
    i = special.gammaln("x")  #! NPX0505
    j = special.xlogy(x)  #! NPX0502
    k = special.logsumexp(x, axis=1)  #! NPX0304
    m = special.logsumexp(z)  #! NPX0505 z.real
    o = special.erf(x=x)  #! NPX0504
    return a, b, c, d, e, g, h, i, j, k, m, o
