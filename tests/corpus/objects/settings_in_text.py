"""Settings of a simulation as text: names and numbers, comments, units, overrides."""


#numptx export settings(str)
# run: settings("dt = 0.01  # step\nsteps=100\n\n# done")
# run: settings("")
# run: settings("dt 0.01")
# run: settings("dt = fast")
# run: settings("μ = 1e-6\nμ = 2e-6")
def settings(text):
    found = {}
    for line in text.split("\n"):
        line, _, comment = line.partition("#")
        if line.strip() == "":
            continue
        name, equals, value = line.partition("=")
        if equals != "=":
            raise ValueError(f"no '=' in {line!r}")
        found[name.strip()] = float(value)
    return found


#numptx export overridden(str:float dict, str list)
# run: overridden({"dt": 0.1, "t": 1.0}, ["dt=0.5", "seed=3"])
# run: overridden({}, [])
# run: overridden({"dt": 0.1}, ["-v", "dt=", "t=1"])
def overridden(defaults, arguments):
    merged = dict(defaults)
    flags = set()
    for argument in arguments:
        if argument.startswith("-"):
            flags.add(argument.lstrip("-"))
            continue
        name, value = argument.split("=", 1)
        merged[name] = float(value)
    return merged, sorted(flags), sorted(merged) == sorted(defaults)


#numptx export seconds(str)
# run: seconds("1h 30m")
# run: seconds("90s")
# run: seconds("")
# run: seconds("2.5ms")
# run: seconds("3 parsec")
def seconds(text):
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    total = 0.0
    for word in text.lower().split():
        digits = word.rstrip("abcdefghijklmnopqrstuvwxyz")
        unit = word[len(digits) :]
        total += float(digits) * units[unit]
    return total
