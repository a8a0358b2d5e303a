# SPDX-License-Identifier: Apache-2.0
"""dlpack_python.py <library>: arrays of ours as NumPy's and PyTorch's, and theirs as ours, by the library's tensors."""

import ctypes
import sys

try:
    import numpy
except ImportError:
    print(f"SKIPPED: {sys.executable} has no numpy")
    sys.exit(77)

library = ctypes.CDLL(sys.argv[1])
python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
for name in ("make_tensor", "make_shared_tensor", "make_unversioned"):
    getattr(library, name).restype = ctypes.c_void_p
for name in ("take_tensor", "take_unversioned"):
    getattr(library, name).restype = ctypes.c_char_p
    getattr(library, name).argtypes = [ctypes.c_char_p, ctypes.c_void_p]
library.live_buffers.restype = ctypes.c_long

NAMES = {True: (b"dltensor_versioned", b"used_dltensor_versioned"), False: (b"dltensor", b"used_dltensor")}


class Exporter:
    """What from_dlpack asks."""

    def __init__(self, make, versioned):
        self.make, self.versioned = make, versioned

    def __dlpack__(self, **_):
        capsule = python.PyCapsule_New(self.make(), NAMES[self.versioned][0], None)
        return capsule

    def __dlpack_device__(self):
        return (1, 0)


def taken(array, capsule, versioned, dtype=None):
    pointer = python.PyCapsule_GetPointer(capsule, NAMES[versioned][0])
    python.PyCapsule_SetName(capsule, NAMES[versioned][1])
    call = library.take_tensor if versioned else library.take_unversioned
    return call((dtype or str(array.dtype).replace("torch.", "")).encode(), pointer).decode()


def expect(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, not {wanted!r}")


counted = numpy.arange(12.0).reshape(3, 4)
knows_versions = tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1)
before = library.live_buffers()
for make, versioned in ((library.make_tensor, True), (library.make_unversioned, False)):
    if versioned and not knows_versions:
        print(f"numpy {numpy.__version__} knows no version of DLPack: unversioned tensors only")
        continue
    x = numpy.from_dlpack(Exporter(make, versioned))
    expect(x.tolist(), counted.tolist(), f"ours in numpy, versioned {versioned}")
    expect(library.live_buffers(), before + 1, "numpy keeps our memory")
    if versioned:
        expect(x.flags.writeable, True, "nobody else has it")
    del x
    expect(library.live_buffers(), before, "numpy gives our memory back")
if knows_versions:
    x = numpy.from_dlpack(Exporter(library.make_shared_tensor, True))
    expect(x.flags.writeable, False, "an array that others have")
    expect(numpy.from_dlpack(Exporter(library.make_shared_tensor, True)).ctypes.data, x.ctypes.data, "not copied")

ROWS, COLUMNS, BACK = "0 1 2 3 4 5", "0 3 1 4 2 5", "5 4 3 2 1 0"
for dtype in ("float64", "float32", "int16", "uint8"):
    rows = numpy.arange(6, dtype=dtype).reshape(2, 3)
    for array, text in ((rows, f"adopted: {ROWS}"), (rows.T, f"copied: {COLUMNS}"), (rows[::-1, ::-1], f"copied: {BACK}")):
        expect(taken(array, array.__dlpack__(), False), text, f"numpy's {dtype}, unversioned")
        if knows_versions:
            expect(taken(array, array.__dlpack__(max_version=(1, 0)), True), text, f"numpy's {dtype}")
wrong = numpy.zeros((2, 2), dtype="int16")
got = taken(wrong, wrong.__dlpack__(), False, "float32")
expect("elements are int16, and float32 was asked for" in got, True, got)

try:
    import torch
except ImportError:
    print("no torch: numpy only")
else:
    x = torch.from_dlpack(Exporter(library.make_unversioned, False))
    expect(x.tolist(), counted.tolist(), "ours in torch")
    rows = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    expect(taken(rows, rows.__dlpack__(), False), f"adopted: {ROWS}", "torch's")
    expect(taken(rows.T, rows.T.__dlpack__(), False), f"copied: {COLUMNS}", "torch's columns")
print(f"numpy {numpy.__version__}: as it should be")
