"""The covariance matrix of the columns of a table."""

import numpy as np


#numptx export covariance(float64[:,:])
# run: covariance(random((50, 12)))
# tolerance: 1e-12
# layout: any
# bench: covariance(random((2048, 512)))
def covariance(table):
    centred = table - np.mean(table, axis=0)
    return centred.T @ centred / (table.shape[0] - 1)
