/* Calls kernels that were compiled from kernels.py, and checks what comes back. */
#include <stdio.h>

#include "kernels.h"

static int failures;

static void expect(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s\n", what);
    failures++;
}

_Static_assert(sizeof(numptx_value) == 328, "a value has the size that the library expects");
_Static_assert(sizeof(numptx_argument) == 328, "an argument has the size that the library expects");

int main(void) {
    numptx_error error;
    numptx_value result[1];
    float x[4] = {0, 1, 2, 3}, y[4] = {1, 1, 1, 1};
    double field[5][6];
    const int64_t shape[2] = {5, 6};

    int status = kernels_saxpy(2.0f, numptx_host_vector(x, 4, 4), numptx_host_vector(y, 4, 4), result, NULL, &error);
    expect(status == 0, "saxpy succeeds");
    if (status == 0) {
        const float *z = result[0].data;
        expect(z[0] == 1 && z[3] == 7, "saxpy computes a * x + y");
        expect(result[0].parameter == -1, "saxpy's result is fresh");
        numptx_release(&result[0]);
    }

    status = kernels_window(numptx_host_array(field, 8, 2, shape), 2, 3, result, NULL, &error);
    expect(status == 0, "window succeeds");
    if (status == 0) {
        expect(result[0].parameter == 0, "window views its first argument");
        expect(result[0].data == &field[1][2], "the view lies in the caller's memory");
        expect(result[0].array.shape[0] == 3 && result[0].array.strides[0] == 48, "the view has the field's strides");
        numptx_release(&result[0]);
    }

    status = kernels_pick(numptx_host_vector(&field[0][0], 8, 30), 99, result, NULL, &error);
    expect(status == 2, "an index out of range is an IndexError");
    expect(strstr(error.message, "out of bounds") != NULL, "the message says so");

    puts(failures ? "the C example failed" : "the C example passed");
    return failures != 0;
}
