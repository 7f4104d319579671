GROUPS = {0: [1]}


#numptx export grouped(int, int)
def grouped(key, n):
    GROUPS[key].append(n)  #! NPX0401
    return len(GROUPS[key])


#numptx export looped(int)
def looped(n):
    for members in GROUPS.values():
        members.append(n)  #! NPX0401
    return len(GROUPS)
