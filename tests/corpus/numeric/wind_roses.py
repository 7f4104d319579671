"""Winds at a mast: directions, how often each sector and speed occurs, Weibull's parameters, and what a turbine would give."""
# tolerance: 1e-10
import math

import numpy as np


def direction_from(east, north):
    """Where the wind comes from, in degrees clockwise from north."""
    return np.mod(np.degrees(np.arctan2(-east, -north)), 360.0)


#numptx export rose(float64[:], float64[:], int)
# run: rose(random(80) * 20 - 10, random(80) * 16 - 6, 16)
# run: rose((random(90) * 9 - 4)[::-2], random(45) * 9 - 5, 8)
# run: rose(array([0.1, 5.0]), array([0.1, -5.5]), 4)
def rose(east, north, n_sectors):
    """The share of each sector and class of speed, calms apart; the sector around north is the first."""
    speed = np.hypot(east, north)
    moving = speed >= 0.5
    width = 360.0 / n_sectors
    turned = np.mod(direction_from(east[moving], north[moving]) + width / 2, 360.0)
    classes = np.array([0.5, 2.0, 4.0, 6.0, 8.0, 11.0, 50.0])
    counts, _, _ = np.histogram2d(turned, speed[moving], bins=[np.linspace(0, 360, n_sectors + 1), classes])
    sector, strength = np.unravel_index(np.argmax(counts), counts.shape)
    return counts / len(east), 1.0 - np.mean(moving), (sector, strength)


#numptx export circular_statistics(float64[:], int64[:])
# run: circular_statistics(random(30) * 90 + 300, integers(0, 4, 30))
# run: circular_statistics((random(26) * 200)[::-2], arange(13) % 3)
# run: circular_statistics(array([359.0, 1.5]), array([2, 2]))
def circular_statistics(direction, season):
    """Mean directions of seasons, and how far directions scatter; seasons without a measurement have nan."""
    angle = np.deg2rad(direction)
    sums = np.zeros((season.max() + 1, 2))
    np.add.at(sums, season, np.column_stack((np.cos(angle), np.sin(angle))))
    counts = np.bincount(season)
    length = np.linalg.norm(sums, axis=1) / counts
    mean = np.rad2deg(np.arctan2(sums[:, 1], sums[:, 0])) % 360.0
    return np.where(counts > 0, mean, np.nan), np.sqrt(-2.0 * np.log(length)), counts


#numptx export weibull(float64[:])
# run: weibull(random(50) * 12)
# run: weibull((random(40) * 9 + 1)[::-2])
# run: weibull(array([3.0, 5.0]))
def weibull(speed):
    """Shape and scale by the empirical formula of Justus, and the density of power per square metre that they say."""
    shape = (speed.std() / speed.mean()) ** -1.086
    scale = speed.mean() / math.gamma(1.0 + 1.0 / shape)
    return shape, scale, 0.5 * 1.225 * scale**3 * math.gamma(1.0 + 3.0 / shape)


#numptx export yearly_energy(float64[:], float64[:], float64[:])
# run: yearly_energy(random(60) * 28, array([3.0, 5.0, 8.0, 11.0, 12.5, 25.0]), array([0.0, 100.0, 700.0, 1800.0, 2000.0, 2000.0]))
# run: yearly_energy(array([nan, 30.0, 5.0, 4.0, 2.0, 25.0])[::-1], array([3.0, 5.0, 25.0]), array([0.0, 9.0, 10.0]))
# run: yearly_energy(zeros(0), array([3.0, 25.0]), array([0.0, 1.0]))
def yearly_energy(speed, knots, power):
    """By the curve of a turbine, which stands still outside of its range, in hours of full power; and hours in each interval of the curve."""
    given = np.interp(speed, knots, power, left=0.0, right=0.0)
    inside = speed[np.isfinite(speed)]
    hours = 8760.0 * np.bincount(np.digitize(inside, knots), minlength=len(knots) + 1) / len(speed)
    return 8760.0 * np.nanmean(given) / power.max(), hours
