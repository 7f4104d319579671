"""Correlation and covariance of the columns of a table, element by element and with whole columns."""

import numpy as np


#numptx export correlation(float64[:,:])
# run: correlation(random((5, 3)))
# run: correlation(random((17, 11)))
# run: correlation(random((40, 24)))
# run: correlation(ones((4, 2)))
# large: correlation(random((300, 200)))
def correlation(table):
    n, m = table.shape
    mean = np.zeros(m)
    deviation = np.zeros(m)
    result = np.zeros((m, m))
    for j in range(m):
        for i in range(n):
            mean[j] += table[i, j]
        mean[j] /= n
    for j in range(m):
        for i in range(n):
            deviation[j] += (table[i, j] - mean[j]) ** 2
        deviation[j] = np.sqrt(deviation[j] / n)
        if deviation[j] <= 0.1:
            deviation[j] = 1.0
    for i in range(n):
        for j in range(m):
            table[i, j] = (table[i, j] - mean[j]) / (np.sqrt(float(n)) * deviation[j])
    for i in range(m - 1):
        result[i, i] = 1.0
        for j in range(i + 1, m):
            for k in range(n):
                result[i, j] += table[k, i] * table[k, j]
            result[j, i] = result[i, j]
    result[m - 1, m - 1] = 1.0
    return result


#numptx export correlation_columns(float64[:,:])
# run: correlation_columns(random((5, 3)))
# run: correlation_columns(random((17, 11)))
# run: correlation_columns(random((100, 60)))
# large: correlation_columns(random((1000, 900)))
# bench: correlation_columns(random((1400, 1200)))
def correlation_columns(table):
    n, m = table.shape
    deviation = np.std(table, axis=0)
    deviation[deviation <= 0.1] = 1.0
    table -= np.mean(table, axis=0)
    table /= np.sqrt(n) * deviation
    result = np.eye(m)
    for i in range(m - 1):
        result[i + 1 :, i] = result[i, i + 1 :] = table[:, i] @ table[:, i + 1 :]
    return result


#numptx export covariance(float64[:,:])
# run: covariance(random((5, 3)))
# run: covariance(random((17, 11)))
# run: covariance(random((40, 24)))
# large: covariance(random((300, 200)))
def covariance(table):
    n, m = table.shape
    mean = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += table[i, j]
        mean[j] /= n
    for i in range(n):
        for j in range(m):
            table[i, j] -= mean[j]
    result = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            for k in range(n):
                result[i, j] += table[k, i] * table[k, j]
            result[i, j] /= n - 1.0
            result[j, i] = result[i, j]
    return result


#numptx export covariance_columns(float64[:,:])
# run: covariance_columns(random((5, 3)))
# run: covariance_columns(random((17, 11)))
# run: covariance_columns(random((100, 60)))
# large: covariance_columns(random((1000, 900)))
def covariance_columns(table):
    n, m = table.shape
    table -= np.mean(table, axis=0)
    result = np.zeros((m, m), dtype=table.dtype)
    for i in range(m):
        result[i:, i] = result[i, i:] = table[:, i] @ table[:, i:] / (n - 1)
    return result
