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
    uint32_t read_only;
} numptx_value;

/* How an owner of memory is kept and let go, on any thread. */
typedef struct {
    void (*retain)(void *);
    void (*release)(void *);
} numptx_owner_table;

/* An argument. Arrays lie at `data`, in the memory of `device` (-1: the host). Device memory is kept by a graph that captures
   the call if it has an owner; else it has to live as long as the graph. */
typedef struct {
    uint32_t kind;
    uint32_t dtype;
    uint64_t bits[2];
    numptx_array array;
    void *data;
    int32_t device;
    uint32_t read_only;
    void *stream;
    void *owner;
    const numptx_owner_table *owner_table;
} numptx_argument;

typedef struct {
    int32_t device;
    uint32_t results_on_device;
    void *stream;
    int32_t (*interrupt)(void *);
    void *interrupt_data;
} numptx_options;

/* What Python would raise. */
enum {
    NUMPTX_OK,
    NUMPTX_VALUE_ERROR,
    NUMPTX_INDEX_ERROR,
    NUMPTX_ZERO_DIVISION_ERROR,
    NUMPTX_OVERFLOW_ERROR,
    NUMPTX_TYPE_ERROR,
    NUMPTX_MEMORY_ERROR,
    NUMPTX_RUNTIME_ERROR,
    NUMPTX_ASSERTION_ERROR,
    NUMPTX_INTERRUPTED,
    NUMPTX_CUDA_ERROR,
    NUMPTX_ARITHMETIC_ERROR,
    NUMPTX_FLOATING_POINT_ERROR,
    NUMPTX_KEY_ERROR,
    NUMPTX_NOT_IMPLEMENTED_ERROR,
    NUMPTX_EXCEPTION
};

/* A failed call: its kind, and words for people in UTF-8. */
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

/* The same memory, for arguments that the function must not write: writing is refused. */
static inline numptx_argument numptx_read_only(numptx_argument argument) {
    argument.read_only = 1;
    return argument;
}

/* Gives back what a result holds. */
static inline void numptx_release(numptx_value *value) {
    if (value->kind == NUMPTX_ARRAY && value->array.buffer) numptx_runtime_table()->release(value->array.buffer);
    value->array.buffer = NULL;
}

/* The bytes of a result that is one number: a scalar, or an array of no axes in host memory. */
static inline const void *numptx_bytes(const numptx_value *value) {
    return value->kind == NUMPTX_ARRAY ? value->data : (const void *)value->bits;
}

/* Results that are one number, read as what the signature says: numptx_get_float64(&results[0]). */
#define NUMPTX_GET(name, type)                                          \
    static inline type numptx_get_##name(const numptx_value *value) { \
        type number;                                                    \
        memcpy(&number, numptx_bytes(value), sizeof number);            \
        return number;                                                  \
    }
NUMPTX_GET(bool, uint8_t)
NUMPTX_GET(int8, int8_t)
NUMPTX_GET(int16, int16_t)
NUMPTX_GET(int32, int32_t)
NUMPTX_GET(int64, int64_t)
NUMPTX_GET(uint8, uint8_t)
NUMPTX_GET(uint16, uint16_t)
NUMPTX_GET(uint32, uint32_t)
NUMPTX_GET(uint64, uint64_t)
NUMPTX_GET(float32, float)
NUMPTX_GET(float64, double)
NUMPTX_GET(complex128, numptx_complex128)
#undef NUMPTX_GET

static inline numptx_complex64 numptx_get_complex64(const numptx_value *value) {
    const char *bytes = (const char *)numptx_bytes(value);
    numptx_complex64 number;
    memcpy(&number.re, bytes, sizeof number.re);
    memcpy(&number.im, bytes + (value->kind == NUMPTX_ARRAY ? 4 : 8), sizeof number.im);
    return number;
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

/* What a signature asks of an array. `extents`: one an axis, -1 where any is accepted; `order`: 'C', 'F', or ' ' for any strides. */
typedef struct {
    const char *refusal;
    uint32_t dtype, rank;
    int64_t itemsize;
    const int64_t *extents;
    char order;
} numptx_parameter;

static inline int numptx_is_contiguous(const numptx_array *array, int64_t itemsize, int from_last) {
    int64_t next = itemsize;
    for (uint32_t axis = 0; axis < array->rank; axis++) {
        if (array->shape[axis] == 0) return 1;
    }
    for (uint32_t n = 0; n < array->rank; n++) {
        uint32_t axis = from_last ? array->rank - 1 - n : n;
        if (array->shape[axis] != 1 && array->strides[axis] != next) return 0;
        next *= array->shape[axis];
    }
    return 1;
}

/* Gives the argument its dtype; returns 0, or NUMPTX_TYPE_ERROR if it is not what the parameter asks for. */
static inline int32_t numptx_fit(numptx_argument *argument, const numptx_parameter *parameter, numptx_error *error) {
    int fits = argument->kind == NUMPTX_ARRAY && argument->array.rank == parameter->rank;
    for (uint32_t axis = 0; fits && axis < parameter->rank; axis++) {
        fits = parameter->extents[axis] < 0 || argument->array.shape[axis] == parameter->extents[axis];
    }
    if (fits && parameter->order == 'C') fits = numptx_is_contiguous(&argument->array, parameter->itemsize, 1);
    if (fits && parameter->order == 'F') fits = numptx_is_contiguous(&argument->array, parameter->itemsize, 0);
    argument->dtype = parameter->dtype;
    argument->array.dtype = parameter->dtype;
    if (fits) return 0;
    error->kind = NUMPTX_TYPE_ERROR;
    memset(error->message, 0, sizeof error->message);
    strncpy(error->message, parameter->refusal, sizeof error->message - 1);
    return NUMPTX_TYPE_ERROR;
}

/* Called by the typed functions below. */
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
