"""Type hints that name classes of records export."""

from dataclasses import dataclass
from typing import NamedTuple, Optional


class Line(NamedTuple):
    slope: float
    offset: float = 0.0


@dataclass(frozen=True)
class Fit:
    line: Line
    points: "float64[:]"


# run: evaluated(Line(2.0, 1.0), 3.0)
# run: evaluated(Line(2), 3)
# run: evaluated(Line(float("inf"), 0.0), 0.0)
def evaluated(line: Line, x: float) -> float:
    return line.slope * x + line.offset


# run: residuals(Fit(Line(2.0, 1.0), arange(4.0)))
# run: residuals(Fit(Line(0.0), zeros(0)), Line(1.0))
# run: residuals(Fit(Line(0.0), arange(4.0)[::-1]), None)
def residuals(fit: Fit, other: Optional[Line] = None):
    line = fit.line if other is None else other
    return Fit(line, fit.points - line.slope * fit.points)
