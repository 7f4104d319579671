"""DLPack's exchange in C, by ctypes: the functions of an array type as a consumer calls them, and a library whose arrays have such functions.

`Library` is a stand-in for PyTorch, as far as numptx looks at one: its arrays hold `numptx.Array`s, its functions ask those of `numptx.Array`,
and it counts what it is asked.
"""

import collections
import ctypes
import types

import numptx

NAME = b"dlpack_exchange_api"
CPU, CUDA = 1, 2


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("index", ctypes.c_int32)]


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("context", ctypes.c_void_p),
    ("deleter", DELETER),
    ("flags", ctypes.c_uint64),
    ("tensor", Tensor),
]

SET_ERROR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.POINTER(Managed)), ctypes.c_void_p, SET_ERROR
)
TO_MANAGED = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.POINTER(Managed)))
FROM_MANAGED = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Managed), ctypes.POINTER(ctypes.c_void_p))
TO_TENSOR = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ALLOCATE),
        ("to_managed", TO_MANAGED),
        ("from_managed", FROM_MANAGED),
        ("to_tensor", TO_TENSOR),
        ("stream", STREAM),
    ]


def table_of(kind):
    """The functions of an array type."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Table.from_address(get(kind.__dlpack_c_exchange_api__, NAME))


def object_at(pointer):
    """The object of a new reference, which is given up."""
    found = ctypes.cast(pointer, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))
    return found


def managed(array):
    """A tensor of a `numptx.Array`, as a consumer gets it; the consumer calls `deleter`."""
    out = ctypes.POINTER(Managed)()
    assert table_of(numptx.Array).to_managed(array, ctypes.byref(out)) == 0
    return out


def allocated(shape):
    """What `numptx.Array`'s function says to a consumer that wants a float64 tensor of that shape on the host; `None`: there is one."""
    said = []
    note = SET_ERROR(lambda context, kind, text: said.append((kind, text)))
    extents = (ctypes.c_int64 * len(shape))(*shape)
    wanted = Tensor(None, Device(CPU, 0), len(shape), DType(2, 64, 1), extents, None, 0)
    out = ctypes.POINTER(Managed)()
    if table_of(numptx.Array).allocate(ctypes.byref(wanted), ctypes.byref(out), None, note) != 0:
        return said[0]
    out.contents.deleter(out)
    return None


class Shifted:
    """An exporter of a `numptx.Array`'s memory that begins some bytes later than it says."""

    def __init__(self, array, n_bytes):
        self.array, self.n_bytes = array, n_bytes

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        tensor = managed(self.array)
        tensor.contents.tensor.byte_offset += self.n_bytes
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.cast(tensor, ctypes.c_void_p), b"dltensor_versioned", None)


class Plain:
    requires_grad = False


class Library:
    """A library named `name`, whose arrays speak the exchange; their type is derived from `base`, which may answer questions in C.

    With `gives_up`, arrays give up managed tensors, too, which say whether they may be written.
    """

    def __init__(self, name, version=(1, 3), base=None, gives_up=False):
        self.asked = collections.Counter()
        # What the functions point to while they are used: shapes, strides.
        self.lent = []
        own = table_of(numptx.Array)

        def to_tensor(array, out):
            self.asked["to_tensor"] += 1
            there = managed(array.memory)
            tensor = there.contents.tensor
            self.lent.append(there)
            ctypes.pointer(out[0])[0] = tensor
            return 0

        def to_managed(array, out):
            self.asked["to_managed"] += 1
            return own.to_managed(array.memory, out)

        def from_managed(tensor, out):
            self.asked["from_managed"] += 1
            made = ctypes.c_void_p()
            code = own.from_managed(tensor, ctypes.byref(made))
            if code == 0:
                array = self.ndarray(object_at(made))
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
                out[0] = id(array)
            return code

        def stream(kind, index, out):
            self.asked["stream"] += 1
            out[0] = self.current
            return 0

        self.current = None
        gives = TO_MANAGED(to_managed) if gives_up else TO_MANAGED()
        self.table = Table(*version, None, ALLOCATE(), gives, FROM_MANAGED(from_managed), TO_TENSOR(to_tensor), STREAM(stream))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        capsule = make(ctypes.addressof(self.table), NAME, None)
        library = self

        class ndarray(base or Plain):
            __dlpack_c_exchange_api__ = capsule

            def __init__(self, memory):
                self.memory = memory

            def __dlpack__(self, **options):
                library.asked["__dlpack__"] += 1
                if self.requires_grad:
                    raise BufferError("gradients are asked for")
                return self.memory.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.memory.__dlpack_device__()

        ndarray.__module__ = name
        self.ndarray = ndarray
        self.module = types.ModuleType(name)
        self.module.ndarray = ndarray
        self.module.from_dlpack = lambda array: ndarray(numptx.asarray(array))

    def release(self):
        """What the functions lent is given up."""
        for tensor in self.lent:
            tensor.contents.deleter(tensor)
        self.lent.clear()
