/* A compiled module, written by hand: what the package has to do for any module, whatever the compiler can do today.
   Tests plant faults in it, to show that these are found: LEAK_A_BUFFER, LEAK_A_REFERENCE, LEAK_ON_ERROR, RELEASE_TWICE, USE_THE_FREED, WRITE_PAST_THE_END. */
#include <math.h>
#include <string.h>
#include "interface.h"

extern Module numptx_module_fixture;
#define TABLE (numptx_module_fixture.table)

static double real_of(uint64_t bits) { double value; memcpy(&value, &bits, 8); return value; }
static uint64_t bits_of(double value) { uint64_t bits; memcpy(&bits, &value, 8); return bits; }

/* Kernels: z = a * x + y, and x *= a. The last axis is run whole by each step of the linear index. */
static void axpy_strided(const Frame *f, int64_t begin, int64_t end) {
    (void)begin; (void)end;
    double a = real_of(f->scalars[0][0]);
    for (int64_t i = 0; i < f->extents[0]; i++)
        *(double *)(f->pointers[2] + i * f->strides[2]) =
            a * *(double *)(f->pointers[0] + i * f->strides[0]) + *(double *)(f->pointers[1] + i * f->strides[1]);
}
static void axpy_flat(const Frame *f, int64_t begin, int64_t end) {
    double a = real_of(f->scalars[0][0]);
    for (int64_t i = begin; i < end; i++)
        ((double *)f->pointers[2])[i] = a * ((double *)f->pointers[0])[i] + ((double *)f->pointers[1])[i];
#ifdef WRITE_PAST_THE_END
    ((double *)f->pointers[2])[end] = 0;
#endif
}
static void scale_strided(const Frame *f, int64_t begin, int64_t end) {
    (void)begin; (void)end;
    for (int64_t i = 0; i < f->extents[0]; i++) *(double *)(f->pointers[0] + i * f->strides[0]) *= real_of(f->scalars[0][0]);
}
static void scale_flat(const Frame *f, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) ((double *)f->pointers[0])[i] *= real_of(f->scalars[0][0]);
}
static const OperandInfo AXPY_OPERANDS[] = {{FLOAT64, 8, READ, 0}, {FLOAT64, 8, READ, 0}, {FLOAT64, 8, WRITE, 0}};
static const OperandInfo SCALE_OPERANDS[] = {{FLOAT64, 8, READ | WRITE, 0}};
static const uint8_t ONE_FLOAT[] = {FLOAT64};
static Kernel KERNELS[] = {
    {"axpy", &numptx_module_fixture, 0, 1, 0, 2, 256, 0, 3, 1, AXPY_OPERANDS, ONE_FLOAT, 0, 2, 0, 0, 0, 0, axpy_flat, axpy_strided, 0, 0, 0},
    {"scale", &numptx_module_fixture, 0, 1, 0, 2, 256, 0, 1, 1, SCALE_OPERANDS, ONE_FLOAT, 0, 1, 0, 0, 0, 0, scale_flat, scale_strided, 0, 0, 0},
};

static void scalar(Value *out, uint32_t dtype, uint64_t low, uint64_t high) {
    *out = (Value){.kind = SCALAR, .dtype = dtype, .parameter = -1, .bits = {low, high}};
}
static void array(Value *out, Array view) {
    *out = (Value){.kind = ARRAY, .dtype = view.dtype, .parameter = -1, .array = view};
}

static int32_t axpy(Call *call, const Value *in, Value *out) {
    const Array *x = &in[1].array, *y = &in[2].array;
    if (x->shape[0] != y->shape[0]) {
#ifdef LEAK_ON_ERROR
        Buffer *kept;
        TABLE->alloc(call, 64, &kept);
#endif
        int64_t shapes[] = {x->shape[0], y->shape[0]};
        return TABLE->raise(call, 1, "operands could not be broadcast together with shapes ({},) ({},) ", shapes, 2);
    }
    Array z = {.rank = 1, .dtype = FLOAT64, .shape = {x->shape[0]}, .strides = {8}};
    int32_t status = TABLE->alloc(call, 8 * x->shape[0], &z.buffer);
    if (status) return status;
#if defined RELEASE_TWICE || defined USE_THE_FREED
    Buffer *temporary;
    TABLE->alloc(call, 8 * x->shape[0], &temporary);
    TABLE->release(temporary);
#endif
#ifdef RELEASE_TWICE
    TABLE->release(temporary);
#endif
    Operand operands[] = {{x->buffer, x->offset, x->strides}, {y->buffer, y->offset, y->strides}, {z.buffer, 0, z.strides}};
#ifdef USE_THE_FREED
    operands[1] = (Operand){temporary, 0, z.strides};
#endif
    status = TABLE->launch(call, &KERNELS[0], x->shape, operands, &in[0].bits);
    if (status) { TABLE->release(z.buffer); return status; }
    array(out, z);
    return 0;
}
static int32_t axpy_scalar(Call *call, const Value *in, Value *out) {
    (void)call;
    scalar(out, FLOAT64, bits_of(real_of(in[0].bits[0]) * real_of(in[1].bits[0]) + real_of(in[2].bits[0])), 0);
    return 0;
}
static int32_t tail(Call *call, const Value *in, Value *out) {
    (void)call;
#ifdef LEAK_A_BUFFER
    Buffer *kept;
    TABLE->alloc(call, 64, &kept);
#endif
    Array view = in[0].array;
    if (view.shape[0] > 0) { view.shape[0]--; view.offset += view.strides[0]; }
    TABLE->retain(view.buffer);
    array(out, view);
    return 0;
}
static int32_t same(Call *call, const Value *in, Value *out) {
    (void)call;
    TABLE->retain(in[0].array.buffer);
    array(out, in[0].array);
    out->parameter = 0; out->identity = 1;
    return 0;
}
static int32_t scale(Call *call, const Value *in, Value *out) {
    (void)out;
    Operand x = {in[0].array.buffer, in[0].array.offset, in[0].array.strides};
    return TABLE->launch(call, &KERNELS[1], in[0].array.shape, &x, &in[1].bits);
}
static int32_t numbers(Call *call, const Value *in, Value *out) {
    (void)call;
    for (int i = 0; i < 4; i++) scalar(&out[i], in[i].dtype, in[i].bits[0], in[i].bits[1]);
    return 0;
}
static int32_t negate(Call *call, const Value *in, Value *out) {
    (void)call;
    scalar(out, INT32, (uint64_t)-(int64_t)in[0].bits[0], 0);
    return 0;
}
static int32_t fail(Call *call, const Value *in, Value *out) {
    (void)out;
    int64_t values[] = {7, 5};
    return TABLE->raise(call, (int32_t)in[0].bits[0], "index {} is out of bounds for axis 0 with size {}", values, 2);
}
static int32_t spin(Call *call, const Value *in, Value *out) {
    for (uint64_t i = 0; i < in[0].bits[0]; i++) {
        int32_t status = TABLE->poll(call);
        if (status) return status;
    }
    scalar(out, INT64, in[0].bits[0], 0);
    return 0;
}
static int32_t one(Call *call, const Value *in, Value *out) { (void)call; (void)in; scalar(out, INT64, 1, 0); return 0; }
static int32_t two(Call *call, const Value *in, Value *out) { (void)call; (void)in; scalar(out, INT64, 2, 0); return 0; }
static int32_t three(Call *call, const Value *in, Value *out) { (void)call; (void)in; scalar(out, INT64, 3, 0); return 0; }
static int32_t pair(Call *call, const Value *in, Value *out) {
    scalar(&out[0], INT64, in[0].bits[0], 0);
    return tail(call, &in[1], &out[1]);
}
static int32_t first(Call *call, const Value *in, Value *out) {
    Array x = in[0].array;
    (void)call;
    x.rank = 0;
    TABLE->retain(x.buffer);
    array(out, x);
    return 0;
}

#define S(name, dtype) {name, P_SCALAR, dtype, 0, 0, 0, 0, {0}, 0, 0}
#define W(name, dtype) {name, P_SCALAR, dtype, 1, 0, 0, 0, {0}, 0, 0}
#define A(name, dtype, rank, order, extents) {name, P_ARRAY, dtype, 0, rank, order, 0, {0}, extents, 0}
#define OVERLOAD(text, parameters, n, leaves, results, n_leaves_out, written, entry) \
    {text, n, sizeof parameters / sizeof(Parameter), sizeof results / sizeof(ResultNode), leaves, n_leaves_out, 0, \
     parameters, results, written, 0, entry, entry, &numptx_module_fixture}

static const int64_t COLUMNS_3[] = {-1, 3};
static const Parameter P_AXPY[] = {W("a", FLOAT64), A("x", FLOAT64, 1, 0, 0), A("y", FLOAT64, 1, 0, 0)};
static const Parameter P_AXPY_SCALAR[] = {W("a", FLOAT64), W("x", FLOAT64), W("y", FLOAT64)};
static const Parameter P_X[] = {A("x", FLOAT64, 1, 0, 0)};
static const Parameter P_SCALE[] = {A("x", FLOAT64, 1, 0, 0), W("a", FLOAT64)};
static const Parameter P_NUMBERS[] = {W("i", INT64), W("f", FLOAT64), W("c", COMPLEX128), W("b", BOOL)};
static const Parameter P_INT[] = {W("n", INT64)};
static const Parameter P_INT32[] = {S("n", INT32)};
static const Parameter P_A[] = {{"mode", P_STR, 0, 0, 0, 0, 0, {0}, 0, "a"}};
static const Parameter P_B[] = {{"mode", P_STR, 0, 0, 0, 0, 0, {0}, 0, "b"}};
static const Parameter P_NOTHING[] = {{"mode", P_NONE, 0, 0, 0, 0, 0, {0}, 0, 0}};
static const Parameter P_PAIR[] = {{"p", P_TUPLE, 0, 0, 2, 0, 0, {0}, 0, 0}, W(0, INT64), A(0, FLOAT64, 1, 0, 0)};
static const Parameter P_COLUMNS[] = {A("x", FLOAT64, 2, 1, COLUMNS_3)};
static const Parameter P_FORTRAN[] = {A("x", FLOAT64, 2, 2, 0)};

static const ResultNode R_VECTOR[] = {{R_ARRAY, FLOAT64, 1, 0}};
static const ResultNode R_MATRIX[] = {{R_ARRAY, FLOAT64, 2, 0}};
static const ResultNode R_FLOAT[] = {{R_PYTHON_SCALAR, FLOAT64, 0, 0}};
static const ResultNode R_INT[] = {{R_PYTHON_SCALAR, INT64, 0, 0}};
static const ResultNode R_INT32[] = {{R_NUMPY_SCALAR, INT32, 0, 0}};
static const ResultNode R_ELEMENT[] = {{R_DEVICE_SCALAR, FLOAT64, 0, 0}};
static const ResultNode R_NOTHING[] = {{R_NONE, 0, 0, 0}};
static const ResultNode R_NUMBERS[] = {
    {R_TUPLE, 0, 4, 0}, {R_PYTHON_SCALAR, INT64, 0, 0}, {R_PYTHON_SCALAR, FLOAT64, 0, 0},
    {R_PYTHON_SCALAR, COMPLEX128, 0, 0}, {R_PYTHON_SCALAR, BOOL, 0, 0}};
static const ResultNode R_PAIR[] = {{R_TUPLE, 0, 2, 0}, {R_PYTHON_SCALAR, INT64, 0, 0}, {R_ARRAY, FLOAT64, 1, 0}};

static const Overload AXPY[] = {
    OVERLOAD("axpy(float, float64[:], float64[:])", P_AXPY, 3, 3, R_VECTOR, 1, 0, axpy),
    OVERLOAD("axpy(float, float, float)", P_AXPY_SCALAR, 3, 3, R_FLOAT, 1, 0, axpy_scalar)};
static const Overload TAIL[] = {OVERLOAD("tail(float64[:])", P_X, 1, 1, R_VECTOR, 1, 0, tail)};
static const Overload SAME[] = {OVERLOAD("same(float64[:])", P_X, 1, 1, R_VECTOR, 1, 0, same)};
static const Overload SCALE[] = {OVERLOAD("scale(float64[:], float)", P_SCALE, 2, 2, R_NOTHING, 0, 1, scale)};
static const Overload NUMBERS[] = {OVERLOAD("numbers(int, float, complex, bool)", P_NUMBERS, 4, 4, R_NUMBERS, 4, 0, numbers)};
static const Overload NEGATE[] = {OVERLOAD("negate(int32)", P_INT32, 1, 1, R_INT32, 1, 0, negate)};
static const Overload FAIL[] = {OVERLOAD("fail(int)", P_INT, 1, 1, R_NOTHING, 0, 0, fail)};
static const Overload SPIN[] = {OVERLOAD("spin(int)", P_INT, 1, 1, R_INT, 1, 0, spin)};
static const Overload PICK[] = {
    OVERLOAD("pick('a')", P_A, 1, 0, R_INT, 1, 0, one), OVERLOAD("pick('b')", P_B, 1, 0, R_INT, 1, 0, two),
    OVERLOAD("pick(None)", P_NOTHING, 1, 0, R_INT, 1, 0, three)};
static const Overload PAIR[] = {OVERLOAD("pair((int, float64[:]))", P_PAIR, 1, 2, R_PAIR, 2, 0, pair)};
static const Overload COLUMNS[] = {OVERLOAD("columns(float64[:,3] order(C))", P_COLUMNS, 1, 1, R_MATRIX, 1, 0, same)};
static const Overload FORTRAN[] = {OVERLOAD("fortran(float64[:,:] order(F))", P_FORTRAN, 1, 1, R_MATRIX, 1, 0, same)};
static const Overload FIRST[] = {OVERLOAD("first(float64[:])", P_X, 1, 1, R_ELEMENT, 1, 0, first)};

/* Python: three weak references and one trampoline a function. */
extern void *PyImport_ImportModule(const char *) __attribute__((weak));
extern void *PyCapsule_Import(const char *, int) __attribute__((weak));
extern void Py_DecRef(void *) __attribute__((weak));
static const PythonTable *python;
#ifdef LEAK_A_REFERENCE
extern void Py_IncRef(void *) __attribute__((weak));
#define KEEP(arguments) Py_IncRef((arguments)[0])
#else
#define KEEP(arguments) ((void)0)
#endif

#define FUNCTIONS(F) \
    F(0, axpy, AXPY, "a, x, y") F(1, tail, TAIL, "x") F(2, same, SAME, "x") F(3, scale, SCALE, "x, a") \
    F(4, numbers, NUMBERS, "i, f, c, b") F(5, negate, NEGATE, "n") F(6, fail, FAIL, "n") F(7, spin, SPIN, "n") \
    F(8, pick, PICK, "mode") F(9, pair, PAIR, "p") F(10, columns, COLUMNS, "x") F(11, fortran, FORTRAN, "x") F(12, first, FIRST, "x")

extern Function functions[];
#define TRAMPOLINE(index, name, overloads, parameters) \
    static void *trampoline_##name(void *self, void *const *arguments, ptrdiff_t n, void *names) { \
        KEEP(arguments); return python->call(&functions[index], self, arguments, n, names); }
FUNCTIONS(TRAMPOLINE)
#define FUNCTION(index, name, overloads, parameters) \
    {#name, #name "($module, " parameters ")\n--\n\nSupported: see the signatures.", &numptx_module_fixture, \
     sizeof overloads / sizeof(Overload), 0, overloads, trampoline_##name, 0},
Function functions[] = {FUNCTIONS(FUNCTION)};

static const char *const GLOBAL_NAMES[] = {"ANSWER"};
static const Value GLOBAL_VALUES[] = {{.kind = SCALAR, .dtype = INT64, .parameter = -1, .bits = {42}}};
Module numptx_module_fixture = {
    ABI_VERSION, sizeof(Module), "fixture", "by hand", "A module made by hand.",
    sizeof functions / sizeof(Function), 2, 0, 1, functions, KERNELS, 0, GLOBAL_NAMES, GLOBAL_VALUES, 0, 0, 0, 0};

void *PyInit_fixture(void) {
    if (!PyImport_ImportModule || !PyCapsule_Import || !Py_DecRef) return 0;
    void *package = PyImport_ImportModule("numptx._native");
    if (!package) return 0;
    Py_DecRef(package);
    python = PyCapsule_Import("numptx._native._C_API", 0);
    return python ? python->module_init(&numptx_module_fixture) : 0;
}
