/* The C interface of numptx-abi, as far as fixture.c uses it: what the compiler writes as LLVM IR, written by hand. */
#include <stdint.h>
#include <stddef.h>

enum { ABI_VERSION = FIXTURE_ABI_VERSION, MAX_RANK = 16 };
enum { BOOL = 0, INT32 = 3, INT64 = 4, FLOAT32 = 9, FLOAT64 = 10, COMPLEX128 = 12 };

typedef struct Buffer Buffer;
typedef struct Call Call;
typedef struct Kernel Kernel;
typedef struct Module Module;
typedef struct Function Function;

typedef struct { Buffer *buffer; int64_t offset; uint32_t rank, dtype; int64_t shape[MAX_RANK], strides[MAX_RANK]; } Array;
typedef struct {
    uint32_t kind, dtype; int32_t parameter; uint32_t identity; uint64_t bits[2];
    Array array; void *data; int32_t device; uint32_t read_only;
} Value;
enum { NONE = 0, SCALAR = 1, ARRAY = 2 };

typedef struct { Buffer *buffer; int64_t offset; const int64_t *strides; } Operand;
typedef struct { uint8_t *const *pointers; const uint64_t (*scalars)[2]; const int64_t *extents, *strides; } Frame;

/* The head of the runtime's table; what follows is the bindings' business. */
typedef struct {
    uint32_t abi_version, struct_bytes;
    int32_t (*alloc)(Call *, int64_t bytes, Buffer **out);
    void (*retain)(Buffer *);
    void (*release)(Buffer *);
    int32_t (*launch)(Call *, const Kernel *, const int64_t *extents, const Operand *, const uint64_t (*scalars)[2]);
    int32_t (*item)(Call *, Buffer *, int64_t offset, uint32_t dtype, uint64_t (*out)[2]);
    int32_t (*raise)(Call *, int32_t kind, const char *message, const int64_t *arguments, uint32_t n_arguments);
    void (*order_strides)(uint32_t, int64_t, const int64_t *, uint32_t, const int64_t *, int64_t *);
    int32_t (*reshape)(Call *, const Array *, uint32_t, const int64_t *, Array *);
    int32_t (*poll)(Call *);
} RuntimeTable;

typedef struct { uint8_t dtype, itemsize, access, scalar; } OperandInfo;
enum { READ = 1, WRITE = 2 };
typedef void (*HostMap)(const Frame *, int64_t begin, int64_t end);
struct Kernel {
    const char *name; const Module *module; uint8_t kind, rank, n_reduced, vector; uint16_t block, flags;
    uint32_t n_operands, n_scalars; const OperandInfo *operands; const uint8_t *scalars;
    uint32_t accumulator_bytes, work; uint16_t claim_axes, destination; uint32_t factors; HostMap host_flat, host_strided; void *host_reduce, *host_finish, *host_scan, *plan;
};

typedef struct {
    const char *name; uint8_t kind, dtype, weak, rank, order, by_name, reserved[2]; const int64_t *extents; const char *text;
} Parameter;
enum { P_SCALAR = 0, P_ARRAY = 1, P_TUPLE = 2, P_NONE = 3, P_STR = 4 };
typedef struct { uint8_t kind, dtype, rank, same; } ResultNode;
enum { R_NONE = 0, R_PYTHON_SCALAR = 1, R_NUMPY_SCALAR = 2, R_DEVICE_SCALAR = 3, R_ARRAY = 4, R_TUPLE = 5, R_LIST = 6 };

typedef int32_t (*Entry)(Call *, const Value *arguments, Value *results);
typedef struct {
    const char *signature; uint32_t n_parameters, n_parameter_nodes, n_result_nodes, n_arguments, n_results, reserved;
    const Parameter *parameters; const ResultNode *results; uint64_t written, libraries; Entry noalias, mayalias; const Module *module;
} Overload;
struct Function {
    const char *name, *docstring; const Module *module; uint32_t n_overloads, reserved; const Overload *overloads;
    const void *trampoline; void *python;
};
struct Module {
    uint32_t abi_version, struct_bytes; const char *name, *compiler, *docstring;
    uint32_t n_functions, n_kernels, n_images, n_globals;
    const Function *functions; const Kernel *kernels; const void *images;
    const char *const *global_names; const Value *global_values;
    RuntimeTable *table; void *runtime, *python;
    const void *source;
    const void *host;
};

typedef struct {
    uint32_t abi_version, struct_bytes; const RuntimeTable *runtime;
    void *(*module_init)(const Module *);
    void *(*call)(const Function *, void *module, void *const *arguments, ptrdiff_t n_arguments, void *keyword_names);
    const char *package_version;
} PythonTable;
