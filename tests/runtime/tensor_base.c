/* A type in C that answers questions as PyTorch's `_TensorBase` does: an attribute that is computed, and a method without parameters. Tests derive
   types from it. What it answers lies in `gradients` and `negative`; where that is no bool, it raises. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *stored(PyObject *self, const char *name) {
    PyObject *found = PyObject_GetAttrString(self, name);
    if (found && !PyBool_Check(found)) {
        PyErr_SetString(PyExc_RuntimeError, "no answer");
        Py_CLEAR(found);
    }
    return found;
}
static PyObject *requires_grad(PyObject *self, void *unused) { return stored(self, "gradients"); }
static int set_requires_grad(PyObject *self, PyObject *value, void *unused) { return PyObject_SetAttrString(self, "gradients", value); }
static PyObject *is_neg(PyObject *self, PyObject *unused) { return stored(self, "negative"); }
static PyGetSetDef members[] = {{"requires_grad", requires_grad, set_requires_grad}, {0}};
static PyMethodDef methods[] = {{"is_neg", is_neg, METH_NOARGS}, {0}};
static PyTypeObject Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensor_base.Base", .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, .tp_new = PyType_GenericNew, .tp_getset = members, .tp_methods = methods,
};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "tensor_base", NULL, -1};
PyMODINIT_FUNC PyInit_tensor_base(void) {
    PyObject *module = PyType_Ready(&Type) ? NULL : PyModule_Create(&definition);
    if (module) PyModule_AddObjectRef(module, "Base", (PyObject *)&Type);
#ifdef Py_GIL_DISABLED
    if (module) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
