#numptx export different(int64[:,:])
def different(x):
    seen = set()
    for row in x:
        seen.add(row.tobytes())  #! NPX0205 tuple(y.ravel().tolist())
    return len(seen)


#numptx export kept(int64[:,:])
def kept(x):
    seen = set()
    for row in x:
        seen.add(row)  #! NPX0505 seen.add(tuple(row.tolist()))
    return len(seen)
