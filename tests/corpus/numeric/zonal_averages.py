"""Fields on grids of latitude and longitude, packed into 16-bit integers: zonal and global means, gradients, heat transport."""

import numpy as np

EARTH_RADIUS = 6.371e6
FILL = -32768


def unpacked(field, scale, offset):
    """The values of a packed field in single precision; those that are not there are nan."""
    values = field.astype(np.float32) * np.float32(scale) + np.float32(offset)
    values[field == FILL] = np.nan
    return values


def area_weights(latitude):
    return np.cos(np.deg2rad(latitude))


#numptx export means(int16[:,:], float64[:], float, float)
# tolerance: 1e-5
# run: means(integers(-900, 900, (7, 12), int16), linspace(-90, 90, 7), 0.01, 280.0)
# run: means(where(random((6, 9)) > 0.8, -32768, integers(-99, 99, (6, 9))).astype(int16)[::-1, ::2], linspace(-75, 75, 6), 0.5, 0.0)
# run: means(array([[5]], int16), zeros(1), 1.0, 0.0)
def means(field, latitude, scale, offset):
    """Along each circle of latitude, and over the globe, where cells count by their area."""
    values = unpacked(field, scale, offset)
    there = ~np.isnan(values)
    weights = np.broadcast_to(area_weights(latitude)[:, None], values.shape)
    total = np.average(values[there], weights=weights[there], returned=True)
    zonal = np.nanmean(values, axis=1)
    return zonal, total, values - zonal[:, None], np.count_nonzero(there, axis=1)


#numptx export gradients(float32[:,:], float64[:], float64[:])
# run: gradients(random((6, 8), float32), linspace(-50, 50, 6), arange(0.0, 360.0, 45.0))
# run: gradients(random((9, 8), float32).T[::2], array([-60.0, -10.0, 0.0, 45.0]), linspace(0, 160, 9))
# run: gradients(random((2, 2), float32), array([0.0, 1.0]), array([359.0, 361.0]))
def gradients(field, latitude, longitude):
    """Northward and eastward, per kilometre, and the angle in which the field grows, from north."""
    metres = EARTH_RADIUS / 1000.0
    north, east = np.gradient(field.astype(np.float64), np.deg2rad(latitude), np.deg2rad(longitude))
    north, east = north / metres, east / (metres * area_weights(latitude)[:, None])
    return north, east, np.hypot(north, east), np.rad2deg(np.arctan2(east, north))


#numptx export heat_transport(float64[:], float64[:])
# tolerance: 1e-10
# run: heat_transport(200 * cos(linspace(-1.5, 1.5, 13)) - 90.0, linspace(-90, 90, 13))
# run: heat_transport(100 * random(22)[::-2], linspace(-80, 80, 11))
# run: heat_transport(array([-3.0, 4.0, 1.0, 2.0]), array([-90.0, -20.0, 40.0, 90.0]))
def heat_transport(imbalance, latitude):
    """Northward, in petawatts, what an imbalance of radiation needs; its mean is taken away first, so that nothing passes the pole."""
    phi = np.radians(latitude)
    mean = np.trapezoid(imbalance * np.cos(phi), phi) / np.trapezoid(np.cos(phi), phi)
    flux = 2 * np.pi * EARTH_RADIUS**2 * (imbalance - mean) * np.cos(phi)
    steps = np.ediff1d(phi) * (flux[1:] + flux[:-1]) / 2
    transport = np.insert(np.cumsum(steps), 0, 0.0) / 1e15
    return transport, np.interp(30.0, latitude, transport)
