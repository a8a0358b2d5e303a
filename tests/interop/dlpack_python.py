# SPDX-License-Identifier: Apache-2.0
"""dlpack_python.py <library> numpy|torch|jax: arrays of ours as theirs, and theirs as ours, in capsules that the library makes and
takes: every element type, steps, what may be written, and when memory is given back."""

import ctypes
import gc
import sys


def skip(why):
    print(f"SKIPPED: {sys.executable} has {why}")
    sys.exit(77)


try:
    import numpy
except ImportError:
    skip("no numpy")
if not hasattr(numpy, "from_dlpack"):
    skip(f"numpy {numpy.__version__}, which knows no DLPack")
if sys.argv[2] == "torch":
    try:
        import torch
    except ImportError:
        skip("no torch")
if sys.argv[2] == "jax":
    try:
        import jax
    except ImportError:
        skip("no jax")
    jax.config.update("jax_enable_x64", True)

library = ctypes.PyDLL(sys.argv[1])
for name, result, arguments in (
    ("own", ctypes.py_object, [ctypes.c_char_p]),
    ("own_unversioned", ctypes.py_object, [ctypes.c_char_p]),
    ("shared", ctypes.py_object, [ctypes.c_char_p]),
    ("shared_unversioned", ctypes.py_object, []),
    ("block", ctypes.py_object, [ctypes.c_int]),
    ("take", ctypes.c_char_p, [ctypes.c_char_p, ctypes.py_object, ctypes.c_int]),
    ("hold", ctypes.c_char_p, [ctypes.c_int, ctypes.py_object]),
    ("let_go", None, [ctypes.c_int]),
    ("live_buffers", ctypes.c_long, []),
):
    call = getattr(library, name)
    call.restype, call.argtypes = result, arguments
IF_NEEDED, ALWAYS, NEVER = range(3)
INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
FLOATS, COMPLEX = ["float16", "float32", "float64"], ["complex64", "complex128"]
versions = tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1)


class Exporter:
    """What from_dlpack asks."""

    def __init__(self, versioned, unversioned):
        self.versioned, self.unversioned = versioned, unversioned

    def __dlpack__(self, max_version=None, **_):
        return self.versioned() if max_version and max_version[0] >= 1 and self.versioned else self.unversioned()

    def __dlpack_device__(self):
        return (1, 0)


def own(dtype):
    return Exporter(lambda: library.own(dtype.encode()), lambda: library.own_unversioned(dtype.encode()))


def expect(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, not {wanted!r}")


def given_back(before, what):
    gc.collect()
    expect(library.live_buffers(), before, what + ": memory in use")


def taken(dtype, capsule, copy=IF_NEEDED):
    return library.take(dtype.encode(), capsule, copy).decode()


def counted(dtype):
    """What library.own has."""
    numbers = numpy.arange(12)
    if dtype == "bool":
        numbers = numbers != 0
    elif dtype in COMPLEX:
        numbers = numbers - 1j * numbers
    return numbers.astype(dtype).reshape(3, 4)


def text(array):
    if array.dtype.kind == "c":
        return " ".join(f"{int(v.real)}i{int(v.imag)}" for v in array.reshape(-1))
    return " ".join(str(int(v)) for v in array.reshape(-1))


class Made(ctypes.Structure):
    """A tensor of our own, whose deleter counts: DLManagedTensorVersioned, or without its first and fourth field what was before."""

    DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    TENSOR = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("rank", ctypes.c_int32), ("code", ctypes.c_uint8)]
    TENSOR += [("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("extents", ctypes.c_void_p), ("steps", ctypes.c_void_p)]
    TENSOR += [("offset", ctypes.c_uint64)]
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p), ("deleter", DELETER), ("flags", ctypes.c_uint64)] + TENSOR

    def __init__(self, array, code=2, device=1, version=1):
        super().__init__()
        self.array, self.deleted = array, 0
        self.keeps = (ctypes.c_int64 * array.ndim)(*array.shape), (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        self.version = (ctypes.c_uint32 * 2)(version, 0)
        self.deleter = Made.DELETER(self.delete)
        self.data, self.rank, self.code, self.bits, self.lanes = array.ctypes.data, array.ndim, code, 8 * array.itemsize, 1
        self.device = (ctypes.c_int32 * 2)(device, 0)
        self.extents, self.steps = map(ctypes.addressof, self.keeps)

    def delete(self, _):
        self.deleted += 1

    def capsule(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self), b"dltensor_versioned", None)


def deleters():
    """Each tensor that is handed over is given back once, also where it is refused."""
    rows = numpy.arange(6, dtype="float32").reshape(2, 3)
    for made, dtype, copy, start in (
        (Made(rows), "float32", IF_NEEDED, "adopted: 0 1 2 3 4 5"),
        (Made(rows), "float32", ALWAYS, "copied: 0 1 2 3 4 5"),
        (Made(rows.T), "float32", IF_NEEDED, "copied: 0 3 1 4 2 5"),
        (Made(rows.T), "float32", NEVER, "tessera: "),
        (Made(rows), "float64", IF_NEEDED, "tessera: from_dlpack: the tensor's elements are float32"),
        (Made(rows, device=2), "float32", IF_NEEDED, "tessera: from_dlpack: the tensor is on a device of kind 2"),
        (Made(rows, version=2), "float32", IF_NEEDED, "tessera: from_dlpack: the tensor is of DLPack 2.0"),
        (Made(rows[0]), "float32", IF_NEEDED, "tessera: from_dlpack: the tensor has extents (3)"),
    ):
        got = taken(dtype, made.capsule(), copy)
        expect(got.startswith(start), True, got)
        expect(made.deleted, 1, f"{start}: times given back")
    made = Made(rows)
    library.hold(7, made.capsule())
    expect(made.deleted, 0, "an array has it")
    library.let_go(7)
    expect(made.deleted, 1, "the last array went")

    made = Made(rows)
    capsule = made.capsule()
    expect(taken("float32", capsule), "adopted: 0 1 2 3 4 5", "a capsule")
    expect("taken before" in taken("float32", capsule), True, "a capsule taken twice")
    expect(made.deleted, 1, "a capsule taken twice")
    expect("no capsule" in taken("float32", "text"), True, "no capsule")


def capsules_that_nobody_takes():
    before = library.live_buffers()
    for make in (library.own, library.own_unversioned):
        capsule = make(b"float32")
        expect(library.live_buffers(), before + 1, "a capsule has memory")
        del capsule
        given_back(before, "a capsule that nobody took")


def numpy_from_ours():
    for dtype in ["bool", *INTEGERS, *FLOATS, *COMPLEX]:
        before = library.live_buffers()
        x = numpy.from_dlpack(own(dtype))
        expect((str(x.dtype), x.tolist()), (dtype, counted(dtype).tolist()), f"ours in numpy, {dtype}")
        expect(library.live_buffers(), before + 1, f"numpy has our {dtype}")
        if versions:
            expect(x.flags.writeable, True, "nobody else has it")
            x[0, 1] = 1
        part = x[1:, ::2]
        del x
        expect(library.live_buffers(), before + 1, f"a part of numpy's has our {dtype}")
        expect(part.tolist(), counted(dtype)[1:, ::2].tolist(), "a part")
        del part
        given_back(before, f"numpy's {dtype}")
    if versions:
        library.shared(b"float32")
        shared = Exporter(lambda: library.shared(b"float32"), library.shared_unversioned)
        before = library.live_buffers()
        x, y = numpy.from_dlpack(shared), numpy.from_dlpack(shared)
        expect((x.flags.writeable, y.flags.writeable), (False, False), "an array that goes on living here may be written")
        expect(x.ctypes.data, y.ctypes.data, "one memory")
        expect(library.live_buffers(), before, "not copied")
    library.shared_unversioned()
    before = library.live_buffers()
    x = numpy.from_dlpack(Exporter(None, library.shared_unversioned))
    expect(library.live_buffers(), before + 1, "for those who know no flags a copy")
    del x
    given_back(before, "the copy")
    for which in range(3):
        rows = numpy.from_dlpack(Exporter(lambda: library.block(which), None)) if versions else None
        expect(rows is None or rows.tolist(), rows is None or numpy.arange(24.0).reshape(6, 4)[2 * which : 2 * which + 2].tolist(), "a device's block")


def ours_from_numpy():
    ask = {"max_version": (1, 0)} if versions else {}
    for dtype in ["bool", *INTEGERS, *FLOATS, *COMPLEX]:
        rows = counted(dtype)
        for what, array, adopted in (
            ("rows", rows, True),
            ("columns", rows.T, False),
            ("every second", rows[:, ::2], False),
            ("backwards", rows[::-1, ::-1], False),
            ("from the second on", rows[1:], True),
            ("one row for all", numpy.broadcast_to(rows[1], (2, 4)), False),
            ("none", rows[:0], None),
        ):
            if not array.flags.writeable and not versions:
                continue  # numpy refuses
            for arguments in ({}, ask):
                if not array.flags.writeable and not arguments:
                    continue
                got = taken(dtype, array.__dlpack__(**arguments))
                how, _, numbers = got.partition(":")
                expect(numbers.strip(), text(array), f"numpy's {dtype}, {what}: {got}")
                if adopted is not None:
                    expect(how, "adopted" if adopted else "copied", f"numpy's {dtype}, {what}")
    big = numpy.arange(1 << 20, dtype="float32").reshape(1024, 1024)
    watched = sys.getrefcount(big)
    before = library.live_buffers()
    library.hold(1, big.__dlpack__(**ask))
    expect(library.live_buffers(), before, "adopted, not copied")
    expect(sys.getrefcount(big) > watched, True, "our array keeps numpy's")
    library.let_go(1)
    expect(sys.getrefcount(big), watched, "our array is gone")


def torch_from_ours():
    for dtype in ["bool", *INTEGERS, "bfloat16", *FLOATS, *COMPLEX]:
        if not hasattr(torch, dtype):
            continue
        wanted = torch.as_tensor(counted("float32" if dtype == "bfloat16" else dtype)).to(getattr(torch, dtype))
        before = library.live_buffers()
        x = torch.from_dlpack(own(dtype))
        expect((x.dtype, x.tolist()), (wanted.dtype, wanted.tolist()), f"ours in torch, {dtype}")
        expect(library.live_buffers(), before + 1, f"torch has our {dtype}")
        part = x.t()
        del x
        expect((library.live_buffers(), part.tolist()), (before + 1, wanted.t().tolist()), f"a part of torch's has our {dtype}")
        del part
        given_back(before, f"torch's {dtype}")
    x = torch.from_dlpack(own("float32"))
    y = numpy.from_dlpack(x)
    expect(y.ctypes.data, x.data_ptr(), "numpy has torch's of ours")
    x += 1
    expect(y.tolist(), (counted("float32") + 1).tolist(), "written in place")


def ours_from_torch():
    for dtype in ["bool", *INTEGERS, "bfloat16", *FLOATS, *COMPLEX]:
        if not hasattr(torch, dtype):
            continue
        numbers = counted("float32" if dtype == "bfloat16" else dtype)
        rows = torch.as_tensor(numbers).to(getattr(torch, dtype))
        for what, tensor, array, adopted in (
            ("rows", rows, numbers, True),
            ("columns", rows.t(), numbers.T, False),
            ("every second", rows[:, ::2], numbers[:, ::2], False),
            ("from the second on", rows[1:], numbers[1:], True),
            ("one row for all", rows[1].expand(2, 4), numpy.broadcast_to(numbers[1], (2, 4)), False),
        ):
            for arguments in ({}, {"max_version": (1, 0)}):
                got = taken(dtype, tensor.__dlpack__(**arguments))
                expect(got, f"{'adopted' if adopted else 'copied'}: {text(array)}", f"torch's {dtype}, {what}")
    storage = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    library.hold(2, storage.__dlpack__())
    address = storage.data_ptr()
    del storage
    gc.collect()
    others = [torch.full((2, 3), 9.0) for _ in range(64)]
    expect(address in [t.data_ptr() for t in others], False, "our array keeps torch's memory")
    library.let_go(2)


def jax_and_ours():
    for dtype in ["bool", *INTEGERS, "bfloat16", *FLOATS, *COMPLEX]:
        numbers = counted("float32" if dtype == "bfloat16" else dtype)
        wanted = jax.numpy.asarray(numbers).astype(dtype)
        before = library.live_buffers()
        x = jax.numpy.from_dlpack(own(dtype))
        expect((x.dtype, x.tolist()), (wanted.dtype, wanted.tolist()), f"ours in jax, {dtype}")
        del x
        given_back(before, f"jax's {dtype}")
        for arguments in ({}, {"max_version": (1, 0)}):
            expect(taken(dtype, wanted.__dlpack__(**arguments)), f"adopted: {text(numbers)}", f"jax's {dtype}")


if sys.argv[2] == "numpy":
    deleters()
    capsules_that_nobody_takes()
    numpy_from_ours()
    ours_from_numpy()
    print(f"numpy {numpy.__version__}: as it should be" + ("" if versions else ", in unversioned capsules, the only ones that it knows"))
elif sys.argv[2] == "jax":
    jax_and_ours()
    print(f"jax {jax.__version__}: as it should be")
else:
    torch_from_ours()
    ours_from_torch()
    print(f"torch {torch.__version__}: as it should be")
