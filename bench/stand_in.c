/* A library of tensors that speaks DLPack's exchange in C as PyTorch does, and does nothing else; and valgrind's requests. For bench/call_path.py. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <valgrind/callgrind.h>

typedef struct { uint8_t code, bits; uint16_t lanes; } DType;
typedef struct { void *data; int32_t device, ordinal, ndim; DType dtype; int64_t *shape, *strides; uint64_t offset; } Tensor;
typedef struct Managed { uint32_t major, minor; void *context; void (*deleter)(struct Managed *); uint64_t flags; Tensor tensor; } Managed;
typedef struct {
    uint32_t major, minor;
    void *previous;
    int (*allocate)(Tensor *, Managed **, void *, void *);
    int (*to_managed)(PyObject *, Managed **);
    int (*from_managed)(Managed *, PyObject **);
    int (*to_tensor)(PyObject *, Tensor *);
    int (*stream)(int32_t, int32_t, void **);
} Exchange;
typedef struct { PyObject_HEAD Managed *managed; } Object;

static void drop(PyObject *self) {
    Managed *managed = ((Object *)self)->managed;
    if (managed && managed->deleter) managed->deleter(managed);
    Py_TYPE(self)->tp_free(self);
}
static PyObject *requires_grad(PyObject *self, void *unused) { Py_RETURN_FALSE; }
static PyObject *is_neg(PyObject *self, PyObject *unused) { Py_RETURN_FALSE; }
static PyGetSetDef members[] = {{"requires_grad", requires_grad}, {0}};
static PyMethodDef methods[] = {{"is_neg", is_neg, METH_NOARGS}, {0}};
static PyTypeObject Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.Tensor", .tp_basicsize = sizeof(Object), .tp_dealloc = drop, .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = members, .tp_methods = methods,
};
static int from_managed(Managed *managed, PyObject **out) {
    Object *made = PyObject_New(Object, &Type);
    if (!made) return -1;
    made->managed = managed;
    *out = (PyObject *)made;
    return 0;
}
static int to_managed(PyObject *object, Managed **out) { PyErr_SetString(PyExc_RuntimeError, "not here"); return -1; }
static int to_tensor(PyObject *object, Tensor *out) { *out = ((Object *)object)->managed->tensor; return 0; }
static int stream(int32_t kind, int32_t ordinal, void **out) { *out = NULL; return 0; }
static Exchange TABLE = {1, 3, NULL, NULL, to_managed, from_managed, to_tensor, stream};

static PyObject *of(PyObject *module, PyObject *capsule) {
    Managed *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    PyObject *made = NULL;
    if (managed) {
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        from_managed(managed, &made);
    }
    return made;
}
static PyObject *begin(PyObject *module, PyObject *unused) { CALLGRIND_ZERO_STATS; Py_RETURN_NONE; }
static PyObject *end(PyObject *module, PyObject *name) {
    CALLGRIND_DUMP_STATS_AT(PyUnicode_AsUTF8(name));
    Py_RETURN_NONE;
}
static PyMethodDef functions[] = {
    {"of", of, METH_O, "A tensor of a DLPack capsule."}, {"begin", begin, METH_NOARGS}, {"end", end, METH_O}, {0}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "stand_in", NULL, -1, functions};
PyMODINIT_FUNC PyInit_stand_in(void) {
    Type.tp_dict = PyDict_New();
    PyObject *capsule = PyCapsule_New(&TABLE, "dlpack_exchange_api", NULL);
    PyDict_SetItemString(Type.tp_dict, "__dlpack_c_exchange_api__", capsule);
    if (PyType_Ready(&Type)) return NULL;
    return PyModule_Create(&definition);
}
