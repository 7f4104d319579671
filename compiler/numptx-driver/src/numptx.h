#if defined NUMPTX_ABI_VERSION && NUMPTX_ABI_VERSION != 43
#error "headers of two versions of numptx are included: compile the modules again with one of them"
#endif
#ifndef NUMPTX_ABI_VERSION
#define NUMPTX_ABI_VERSION 43

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NUMPTX_MAX_RANK 16
#define NUMPTX_AUTO (-2)
#define NUMPTX_CPU (-1)

enum { NUMPTX_NONE = 0, NUMPTX_SCALAR = 1, NUMPTX_ARRAY = 2 };

/* Element types, as arguments and results hold them. */
enum {
    NUMPTX_BOOL,
    NUMPTX_INT8,
    NUMPTX_INT16,
    NUMPTX_INT32,
    NUMPTX_INT64,
    NUMPTX_UINT8,
    NUMPTX_UINT16,
    NUMPTX_UINT32,
    NUMPTX_UINT64,
    NUMPTX_FLOAT32,
    NUMPTX_FLOAT64,
    NUMPTX_COMPLEX64,
    NUMPTX_COMPLEX128,
    NUMPTX_FLOAT16
};

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
    NUMPTX_EXCEPTION,
    NUMPTX_LIN_ALG_ERROR,
    NUMPTX_RECURSION_ERROR,
    NUMPTX_ATTRIBUTE_ERROR,
    NUMPTX_UNBOUND_LOCAL_ERROR,
    /* KeyError, whose message is the key as repr writes it */
    NUMPTX_KEY_REPR_ERROR
};

typedef struct numptx_buffer numptx_buffer;
typedef struct numptx_module numptx_module;

/* The bits of a float16; C has no such type everywhere. */
typedef uint16_t numptx_float16;
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

/* A failed call: its kind, and words for people in UTF-8. */
typedef struct {
    int32_t kind;
    char message[1020];
} numptx_error;

/* The runtime's functions that a program may need; the others are typed as plain addresses. */
typedef struct {
    uint32_t abi_version;
    uint32_t struct_bytes;
    void *alloc;
    void (*retain)(numptx_buffer *);
    void (*release)(numptx_buffer *);
} numptx_table;

/* Exported by libnumptx_runtime.so. */
const numptx_table *numptx_runtime_table(void);

/* Exported by libnumptx_runtime.so; called by the typed functions of modules. Every argument is compared with the parameter that
   it is for: dtype, axes, fixed extents, memory order, and whether there can be such an array. */
int32_t numptx_call(const numptx_module *module, uint32_t function, uint32_t overload, const numptx_argument *arguments,
                    uint32_t n_arguments, numptx_value *results, uint32_t n_results, const numptx_options *options,
                    numptx_error *error);

/* A C-contiguous host array: what the functions for each dtype make. What cannot be an array is answered by the call that gets it. */
static inline numptx_argument numptx_array_of(uint32_t dtype, uint32_t itemsize, void *data, uint32_t ndim, const int64_t *shape) {
    numptx_argument argument;
    uint64_t stride = itemsize;
    memset(&argument, 0, sizeof argument);
    argument.kind = NUMPTX_ARRAY;
    argument.dtype = dtype;
    argument.array.dtype = dtype;
    argument.array.rank = ndim;
    argument.data = data;
    argument.device = -1;
    if (ndim == 0 || ndim > NUMPTX_MAX_RANK) return argument;
    if (!shape) {
        argument.array.rank = UINT32_MAX;
        return argument;
    }
    for (uint32_t axis = ndim; axis-- > 0;) {
        argument.array.shape[axis] = shape[axis];
        argument.array.strides[axis] = (int64_t)stride;
        stride *= (uint64_t)shape[axis];
    }
    return argument;
}

/* The same memory, for arguments that the function must not write: writing is refused. */
static inline numptx_argument numptx_read_only(numptx_argument argument) {
    argument.read_only = 1;
    return argument;
}

/* The same memory with other strides, in bytes: one an axis. */
static inline numptx_argument numptx_strided(numptx_argument argument, const int64_t *strides) {
    if (argument.array.rank <= NUMPTX_MAX_RANK && argument.array.rank > 0 && strides) {
        memcpy(argument.array.strides, strides, argument.array.rank * sizeof *strides);
    }
    return argument;
}

/* For each dtype, over C-contiguous host memory: numptx_float64_array(data, ndim, shape) and numptx_float64_vector(data, length);
   numptx_const_float64_array and numptx_const_float64_vector for memory that must not be written. */
#define NUMPTX_ARRAYS(name, type, code)                                                                             \
    static inline numptx_argument numptx_##name##_array(type *data, uint32_t ndim, const int64_t *shape) {          \
        return numptx_array_of(code, (uint32_t)sizeof *data, data, ndim, shape);                                    \
    }                                                                                                               \
    static inline numptx_argument numptx_##name##_vector(type *data, int64_t length) {                              \
        return numptx_array_of(code, (uint32_t)sizeof *data, data, 1, &length);                                     \
    }                                                                                                               \
    static inline numptx_argument numptx_const_##name##_array(const type *data, uint32_t ndim, const int64_t *shape) { \
        return numptx_read_only(numptx_array_of(code, (uint32_t)sizeof *data, (void *)(uintptr_t)data, ndim, shape)); \
    }                                                                                                               \
    static inline numptx_argument numptx_const_##name##_vector(const type *data, int64_t length) {                  \
        return numptx_read_only(numptx_array_of(code, (uint32_t)sizeof *data, (void *)(uintptr_t)data, 1, &length)); \
    }
NUMPTX_ARRAYS(bool, bool, NUMPTX_BOOL)
NUMPTX_ARRAYS(int8, int8_t, NUMPTX_INT8)
NUMPTX_ARRAYS(int16, int16_t, NUMPTX_INT16)
NUMPTX_ARRAYS(int32, int32_t, NUMPTX_INT32)
NUMPTX_ARRAYS(int64, int64_t, NUMPTX_INT64)
NUMPTX_ARRAYS(uint8, uint8_t, NUMPTX_UINT8)
NUMPTX_ARRAYS(uint16, uint16_t, NUMPTX_UINT16)
NUMPTX_ARRAYS(uint32, uint32_t, NUMPTX_UINT32)
NUMPTX_ARRAYS(uint64, uint64_t, NUMPTX_UINT64)
NUMPTX_ARRAYS(float16, numptx_float16, NUMPTX_FLOAT16)
NUMPTX_ARRAYS(float32, float, NUMPTX_FLOAT32)
NUMPTX_ARRAYS(float64, double, NUMPTX_FLOAT64)
NUMPTX_ARRAYS(complex64, numptx_complex64, NUMPTX_COMPLEX64)
NUMPTX_ARRAYS(complex128, numptx_complex128, NUMPTX_COMPLEX128)
#undef NUMPTX_ARRAYS

/* Gives back what a result holds. */
static inline void numptx_release(numptx_value *value) {
    if (value->kind == NUMPTX_ARRAY && value->array.buffer) numptx_runtime_table()->release(value->array.buffer);
    value->array.buffer = NULL;
}

/* Whether a result is one number of a dtype that the host can read: a scalar, or an array of no axes in host memory. */
static inline bool numptx_is_number(const numptx_value *value, uint32_t dtype) {
    const bool is_read = value->kind == NUMPTX_SCALAR || (value->kind == NUMPTX_ARRAY && value->array.rank == 0 && value->device < 0);
    return is_read && value->dtype == dtype;
}

/* The bytes of such a result. */
static inline const void *numptx_bytes(const numptx_value *value) {
    return value->kind == NUMPTX_ARRAY ? value->data : (const void *)value->bits;
}

/* Results that are one number, read as what the header says of them: numptx_get_float64(&results[0]). Another type is a failed assertion. */
#define NUMPTX_GET(name, type, code)                                    \
    static inline type numptx_get_##name(const numptx_value *value) { \
        type number;                                                    \
        assert(numptx_is_number(value, code));                          \
        memcpy(&number, numptx_bytes(value), sizeof number);            \
        return number;                                                  \
    }
NUMPTX_GET(bool, uint8_t, NUMPTX_BOOL)
NUMPTX_GET(int8, int8_t, NUMPTX_INT8)
NUMPTX_GET(int16, int16_t, NUMPTX_INT16)
NUMPTX_GET(int32, int32_t, NUMPTX_INT32)
NUMPTX_GET(int64, int64_t, NUMPTX_INT64)
NUMPTX_GET(uint8, uint8_t, NUMPTX_UINT8)
NUMPTX_GET(uint16, uint16_t, NUMPTX_UINT16)
NUMPTX_GET(uint32, uint32_t, NUMPTX_UINT32)
NUMPTX_GET(uint64, uint64_t, NUMPTX_UINT64)
NUMPTX_GET(float16, numptx_float16, NUMPTX_FLOAT16)
NUMPTX_GET(float32, float, NUMPTX_FLOAT32)
NUMPTX_GET(float64, double, NUMPTX_FLOAT64)
NUMPTX_GET(complex128, numptx_complex128, NUMPTX_COMPLEX128)
#undef NUMPTX_GET

static inline numptx_complex64 numptx_get_complex64(const numptx_value *value) {
    const char *bytes = (const char *)numptx_bytes(value);
    numptx_complex64 number;
    assert(numptx_is_number(value, NUMPTX_COMPLEX64));
    memcpy(&number.re, bytes, sizeof number.re);
    memcpy(&number.im, bytes + (value->kind == NUMPTX_ARRAY ? 4 : 8), sizeof number.im);
    return number;
}

/* What the typed functions make of numbers. */
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

static inline numptx_argument numptx_float32(float value) { return numptx_scalar_bits(NUMPTX_FLOAT32, &value, sizeof value); }

static inline numptx_argument numptx_float64(double value) { return numptx_scalar_bits(NUMPTX_FLOAT64, &value, sizeof value); }

static inline numptx_argument numptx_c64(numptx_complex64 value) {
    numptx_argument argument = numptx_scalar_bits(NUMPTX_COMPLEX64, &value.re, sizeof value.re);
    memcpy(&argument.bits[1], &value.im, sizeof value.im);
    return argument;
}

static inline numptx_argument numptx_c128(numptx_complex128 value) {
    return numptx_scalar_bits(NUMPTX_COMPLEX128, &value, sizeof value);
}

#ifdef __cplusplus
}
#endif
#endif
