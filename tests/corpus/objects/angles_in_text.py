"""Angles, dates and times in text, and back: characters beyond ASCII, signs, leading zeros."""

import math


#numptx export degrees_of(str)
# run: degrees_of("48°51'24\"N")
# run: degrees_of("0°0'0\"W")
# run: degrees_of("12°")
# run: degrees_of("−5°1'1\"S")
def degrees_of(text):
    degrees, _, rest = text.partition("°")
    minutes, _, rest = rest.partition("'")
    seconds, _, side = rest.partition('"')
    value = int(degrees) + int(minutes) / 60 + float(seconds) / 3600
    return -value if side in ("S", "W") else value


#numptx export as_degrees(float)
# run: as_degrees(48.8566)
# run: as_degrees(-0.5)
# run: as_degrees(0.0)
def as_degrees(value):
    sign = "-" if value < 0 else ""
    total = round(abs(value) * 3600)
    minutes, seconds = divmod(total, 60)
    degrees, minutes = divmod(minutes, 60)
    return f"{sign}{degrees}°{minutes:02d}′{seconds:02d}″"


#numptx export day_of_year(str)
# run: day_of_year("2024-03-01")
# run: day_of_year("1900-12-31")
# run: day_of_year("2023-02-30")
# run: day_of_year("2023/02/03")
def day_of_year(date):
    year, month, day = [int(part) for part in date.split("-")]
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
        lengths[1] = 29
    if not 1 <= day <= lengths[month - 1]:
        raise ValueError("day %d is out of range for month %02d" % (day, month))
    return sum(lengths[: month - 1]) + day


#numptx export bearings(str list)
# run: bearings(["N", "NNE", "sw"])
# run: bearings([])
# run: bearings(["w", "W"])
# run: bearings(["Ö"])
def bearings(names):
    points = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
    angle = {name: i * 22.5 for i, name in enumerate(points)}
    return [math.cos(math.radians(angle[name.upper()])) for name in names]
