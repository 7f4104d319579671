"""Lists made of dictionaries and sets into which nothing is ever put: what is put into the list tells what they would hold."""


#numptx export of_values(str)
# run: of_values("a")
# run: of_values("")
# run: of_values("köln")
def of_values(word):
    values = list({k: v for k, v in {"köln": 5}.items() if False}.values())
    values.append(word)
    return values


#numptx export of_keys(int)
# run: of_keys(3)
# run: of_keys(0)
# run: of_keys(-1)
def of_keys(n):
    table = {}
    keys = list(table)
    keys.append(n)
    return keys, len(table)


#numptx export of_pairs(int, str)
# run: of_pairs(3, "a")
# run: of_pairs(0, "")
# run: of_pairs(-1, "x y")
def of_pairs(n, word):
    table = {}
    pairs = list(table.items())
    pairs.append((word, n))
    return pairs


#numptx export of_members(float)
# run: of_members(3.0)
# run: of_members(-0.5)
# run: of_members(inf)
def of_members(x):
    members = sorted(set())
    members.append(x)
    members.sort(reverse=True)
    return members
