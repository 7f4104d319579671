# Comments that should state that a loop is parallel belong to a `for` on the line below.
#omp parallel for  #! NPX0603
# numptx parallel loops are described elsewhere; omp simd says nothing
#numptx export f(float64[:], int64[:])
def f(x, at):
    #omp parallel for  #! NPX0603

    for i in range(x.shape[0]):
        x[i] = 2.0 * x[i]
    #numptx paralel  #! NPX0603
    for i in range(x.shape[0]):
        x[i] = 2.0 * x[i]
    #pragma omp parallel for  #! NPX0603
    for i in range(x.shape[0]):
        x[i] = 2.0 * x[i]
    #numptx parallel
    for i in range(x.shape[0]):
        x[at[i]] = 2.0
