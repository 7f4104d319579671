#ifndef NUMPTX_ABI
#define NUMPTX_ABI 1

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NUMPTX_MAX_RANK 16
#define NUMPTX_AUTO (-2)
#define NUMPTX_CPU (-1)

enum { NUMPTX_NONE = 0, NUMPTX_SCALAR = 1, NUMPTX_ARRAY = 2 };

typedef struct numptx_buffer numptx_buffer;
typedef struct numptx_module numptx_module;
typedef struct numptx_overload numptx_overload;

typedef struct { float re, im; } numptx_complex64;
typedef struct { double re, im; } numptx_complex128;

/* A view. Strides and offsets are in bytes. */
typedef struct {
    numptx_buffer *buffer;
    int64_t offset;
    uint32_t rank;
    uint32_t dtype;
    int64_t shape[NUMPTX_MAX_RANK];
    int64_t strides[NUMPTX_MAX_RANK];
} numptx_array;

/* A result. An array either views argument `parameter` (then `array.buffer` is null and the argument must stay alive)
   or holds one reference, which numptx_release gives back. `data` is the address of its first element. */
typedef struct {
    uint32_t kind;
    uint32_t dtype;
    int32_t parameter;
    uint32_t identity;
    uint64_t bits[2];
    numptx_array array;
    void *data;
    int32_t device;
    uint32_t reserved;
} numptx_value;

/* An argument. Arrays lie at `data`, in the memory of `device` (-1: the host). */
typedef struct {
    uint32_t kind;
    uint32_t dtype;
    uint64_t bits[2];
    numptx_array array;
    void *data;
    int32_t device;
    uint32_t read_only;
    void *stream;
} numptx_argument;

typedef struct {
    int32_t device;
    uint32_t results_on_device;
    void *stream;
    int32_t (*interrupt)(void *);
    void *interrupt_data;
} numptx_options;

typedef struct {
    int32_t kind;
    char message[1020];
} numptx_error;

/* The runtime's functions; the members that a caller does not need are typed as plain addresses. */
typedef struct {
    uint32_t abi_version;
    uint32_t struct_bytes;
    void *alloc;
    void (*retain)(numptx_buffer *);
    void (*release)(numptx_buffer *);
    void *launch, *item, *raise, *order_strides, *reshape, *poll;
    int32_t (*bind)(const numptx_module *, numptx_error *);
    int32_t (*invoke)(const numptx_overload *, const numptx_argument *, numptx_value *, const numptx_options *, numptx_error *);
} numptx_table;

/* Exported by libnumptx_runtime.so. */
const numptx_table *numptx_runtime_table(void);

/* Laid out as in the library: only what the calls below need. */
typedef struct {
    const char *name, *docstring;
    const numptx_module *module;
    uint32_t n_overloads, reserved;
    const numptx_overload *overloads;
    const void *trampoline;
    void *python;
} numptx_function;

struct numptx_overload {
    const char *signature;
    uint32_t n_parameters, n_parameter_nodes, n_result_nodes, n_arguments, n_results, reserved;
    const void *parameters, *results;
    uint64_t written;
    const void *noalias, *mayalias;
    const numptx_module *module;
};

struct numptx_module {
    uint32_t abi_version, struct_bytes;
    const char *name, *compiler, *docstring;
    uint32_t n_functions, n_kernels, n_images, n_globals;
    const numptx_function *functions;
};

/* A C-contiguous host array of `rank` axes. */
static inline numptx_argument numptx_host_array(void *data, int64_t itemsize, uint32_t rank, const int64_t *shape) {
    numptx_argument argument;
    int64_t stride = itemsize;
    memset(&argument, 0, sizeof argument);
    argument.kind = NUMPTX_ARRAY;
    argument.array.rank = rank;
    argument.data = data;
    argument.device = -1;
    for (uint32_t axis = rank; axis-- > 0;) {
        argument.array.shape[axis] = shape[axis];
        argument.array.strides[axis] = stride;
        stride *= shape[axis];
    }
    return argument;
}

/* A contiguous host vector. */
static inline numptx_argument numptx_host_vector(void *data, int64_t itemsize, int64_t length) {
    return numptx_host_array(data, itemsize, 1, &length);
}

/* Gives back what a result holds. */
static inline void numptx_release(numptx_value *value) {
    if (value->kind == NUMPTX_ARRAY && value->array.buffer) numptx_runtime_table()->release(value->array.buffer);
    value->array.buffer = NULL;
}

static inline numptx_argument numptx_scalar_bits(uint32_t dtype, const void *bits, size_t bytes) {
    numptx_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = NUMPTX_SCALAR;
    argument.dtype = dtype;
    memcpy(argument.bits, bits, bytes);
    return argument;
}

static inline numptx_argument numptx_integer(uint32_t dtype, int64_t value) {
    return numptx_scalar_bits(dtype, &value, sizeof value);
}

static inline numptx_argument numptx_unsigned(uint32_t dtype, uint64_t value) {
    return numptx_scalar_bits(dtype, &value, sizeof value);
}

static inline numptx_argument numptx_float32(float value) { return numptx_scalar_bits(9, &value, sizeof value); }

static inline numptx_argument numptx_float64(double value) { return numptx_scalar_bits(10, &value, sizeof value); }

static inline numptx_argument numptx_c64(numptx_complex64 value) {
    numptx_argument argument = numptx_scalar_bits(11, &value.re, sizeof value.re);
    memcpy(&argument.bits[1], &value.im, sizeof value.im);
    return argument;
}

static inline numptx_argument numptx_c128(numptx_complex128 value) { return numptx_scalar_bits(12, &value, sizeof value); }

static inline numptx_argument numptx_typed(numptx_argument array, uint32_t dtype) {
    array.dtype = dtype;
    array.array.dtype = dtype;
    return array;
}

static inline int32_t numptx_invoke(const numptx_module *module, uint32_t function, uint32_t overload,
                                    const numptx_argument *arguments, numptx_value *results,
                                    const numptx_options *options, numptx_error *error) {
    static const numptx_options automatic = {NUMPTX_AUTO, 0, NULL, NULL, NULL};
    const numptx_table *table = numptx_runtime_table();
    int32_t status = table->bind(module, error);
    if (status) return status;
    return table->invoke(&module->functions[function].overloads[overload], arguments, results,
                         options ? options : &automatic, error);
}

#ifdef __cplusplus
}
#endif
#endif
