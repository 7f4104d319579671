"""Fourth-order horizontal diffusion with a flux limiter, as weather models apply it on each level of a field."""

import numpy as np


#numptx export horizontal_diffusion(float64[:,:,:], float64[:,:,:])
# run: horizontal_diffusion(random((20, 18, 5)), random((16, 14, 5)))
# run: horizontal_diffusion(random((5, 18, 20)).T, random((16, 14, 5)))
# bench: horizontal_diffusion(random((516, 516, 128)), random((512, 512, 128)))
def horizontal_diffusion(field, coefficient):
    n, m, _ = coefficient.shape
    laplacian = 4.0 * field[1 : n + 3, 1 : m + 3, :] - (
        field[2 : n + 4, 1 : m + 3, :]
        + field[0 : n + 2, 1 : m + 3, :]
        + field[1 : n + 3, 2 : m + 4, :]
        + field[1 : n + 3, 0 : m + 2, :]
    )
    flux_x = laplacian[1:, 1 : m + 1, :] - laplacian[:-1, 1 : m + 1, :]
    uphill_x = flux_x * (field[2 : n + 3, 2 : m + 2, :] - field[1 : n + 2, 2 : m + 2, :]) > 0
    flux_x = np.where(uphill_x, 0.0, flux_x)
    flux_y = laplacian[1 : n + 1, 1:, :] - laplacian[1 : n + 1, :-1, :]
    uphill_y = flux_y * (field[2 : n + 2, 2 : m + 3, :] - field[2 : n + 2, 1 : m + 2, :]) > 0
    flux_y = np.where(uphill_y, 0.0, flux_y)
    divergence = flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :]
    return field[2 : n + 2, 2 : m + 2, :] - coefficient * divergence
