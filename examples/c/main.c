/* Calls kernels that were compiled from kernels.py, and checks what comes back. */
#include <stdio.h>

#include "kernels.h"

static int failures;

static void expect(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s\n", what);
    failures++;
}

static void a_fresh_result_is_released(void) {
    numptx_error error;
    numptx_value result[1];
    float x[4] = {0, 1, 2, 3}, y[4] = {1, 1, 1, 1};
    int status = kernels_saxpy(2.0f, numptx_float32_vector(x, 4), numptx_float32_vector(y, 4), result, NULL, &error);
    expect(status == 0, "saxpy succeeds");
    if (status != 0) return;
    const float *z = (const float *)result[0].data;
    expect(z[0] == 1 && z[3] == 7, "saxpy computes a * x + y");
    expect(result[0].dtype == NUMPTX_FLOAT32 && result[0].array.rank == 1, "the result has the type that the header says");
    expect(result[0].parameter == -1, "saxpy's result is fresh");
    numptx_release(&result[0]);
}

static void a_view_shares_the_callers_memory(void) {
    numptx_error error;
    numptx_value result[1];
    double field[5][6] = {{0}};
    const int64_t shape[2] = {5, 6};
    int status = kernels_window(numptx_float64_array(&field[0][0], 2, shape), 2, 3, result, NULL, &error);
    expect(status == 0, "window succeeds");
    if (status != 0) return;
    expect(result[0].parameter == 0, "window views its first argument");
    expect(result[0].data == &field[1][2], "the view lies in the caller's memory");
    expect(result[0].array.shape[0] == 3 && result[0].array.strides[0] == 48, "the view has the field's strides");
    numptx_release(&result[0]);
}

static void arguments_are_written_in_place(void) {
    numptx_error error;
    double x[3] = {0, 1, 3};
    numptx_argument argument = numptx_float64_vector(x, 3);
    expect(kernels_relax(argument, 0.5, NULL, &error) == 0, "relax succeeds");
    expect(x[0] == 0.5 && x[1] == 1 && x[2] == 2, "relax writes its argument");
    expect(kernels_relax(numptx_read_only(argument), 0.5, NULL, &error) == NUMPTX_VALUE_ERROR, "writing what is read-only is a ValueError");
}

static void numbers_come_back_as_numbers(void) {
    numptx_error error;
    numptx_value results[2];
    const double x[3] = {1, 2, 6};
    expect(kernels_statistics(numptx_const_float64_vector(x, 3), results, NULL, &error) == 0, "statistics succeeds");
    expect(numptx_get_float64(&results[0]) == 3 && numptx_get_float64(&results[1]) == 6, "mean and maximum");
    numptx_release(&results[0]);
    numptx_release(&results[1]);
    const numptx_complex64 z = {3, -2};
    expect(kernels_conjugate(z, results, NULL, &error) == 0, "conjugate succeeds");
    expect(numptx_get_complex64(&results[0]).re == 3 && numptx_get_complex64(&results[0]).im == 2, "3 + 2i");
    numptx_release(&results[0]);
}

static void errors_have_a_kind_and_words(void) {
    numptx_error error;
    numptx_value result[1];
    double x[30] = {0};
    expect(kernels_pick(numptx_float64_vector(x, 30), 99, result, NULL, &error) == NUMPTX_INDEX_ERROR, "an index out of range is an IndexError");
    expect(strstr(error.message, "out of bounds") != NULL, "the message says so");
    const int64_t shape[2] = {10, 3}, wrong[2] = {3, 10};
    uint8_t pixels[30] = {0};
    expect(kernels_gray(numptx_uint8_array(pixels, 2, shape), result, NULL, &error) == 0, "three channels are accepted");
    numptx_release(&result[0]);
    expect(kernels_gray(numptx_uint8_array(pixels, 2, wrong), result, NULL, &error) == NUMPTX_TYPE_ERROR, "ten channels are a TypeError");
    expect(strcmp(error.message, "argument 1 `pixels`: expected uint8[:, 3], got uint8[3, 10]") == 0, "the message names the parameter");
    expect(kernels_pick(numptx_float64_array(x, 2, shape), 0, result, NULL, &error) == NUMPTX_TYPE_ERROR, "so is another rank");
    expect(kernels_pick(numptx_uint8_vector(pixels, 30), 0, result, NULL, &error) == NUMPTX_TYPE_ERROR, "so is another dtype");
    expect(kernels_pick(numptx_float64_vector(NULL, 30), 0, result, NULL, &error) == NUMPTX_VALUE_ERROR, "NULL is no array");
    expect(kernels_pick(numptx_float64_vector(x, -1), 0, result, NULL, &error) == NUMPTX_VALUE_ERROR, "nor is one of -1 elements");
}

static void overloads_are_numbered(void) {
    numptx_error error;
    numptx_value result[1];
    double x[2] = {1.5, 2};
    int32_t n[2] = {1, 2};
    expect(kernels_total(numptx_float64_vector(x, 2), result, NULL, &error) == 0, "total succeeds");
    expect(numptx_get_float64(&result[0]) == 3.5, "the sum of floats");
    numptx_release(&result[0]);
    expect(kernels_total_2(numptx_int32_vector(n, 2), result, NULL, &error) == 0, "total_2 succeeds");
    expect(numptx_get_int64(&result[0]) == 3, "the sum of ints");
    numptx_release(&result[0]);
}

int main(void) {
    expect(sizeof(numptx_value) == 328 && sizeof(numptx_argument) == 344, "the library expects these sizes");
    a_fresh_result_is_released();
    a_view_shares_the_callers_memory();
    arguments_are_written_in_place();
    numbers_come_back_as_numbers();
    errors_have_a_kind_and_words();
    overloads_are_numbered();
    puts(failures ? "the C example failed" : "the C example passed");
    return failures != 0;
}
