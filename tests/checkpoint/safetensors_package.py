# SPDX-License-Identifier: Apache-2.0
"""safetensors_package.py read FILE: each tensor as Python's safetensors package reads it, a line of name, dtype, shape and
bytes; write FILE: writes the tensors that safetensors_test.cpp expects. Exit status 77: the package is not there."""

import sys

try:
    import numpy as np
    from safetensors.numpy import load_file, save_file
except ImportError:
    sys.exit(77)

action, path = sys.argv[1:]
if action == "read":
    for name, tensor in sorted(load_file(path).items()):
        print(name, tensor.dtype, list(tensor.shape), tensor.tobytes().hex())
else:
    save_file({
        "encoder.w": np.arange(8, dtype=np.float32).reshape(2, 4),
        "encoder.b": np.array([-1, 2, 1 << 40], np.int64),
        "mask": np.array([True, False, True, True]),
        "half": np.array([1, -2], np.float16),
        'a "strange" näme': np.array([7], np.uint8),
        "one": np.array(0.1),
        "none": np.zeros((0, 3), np.float32),
    }, path, {"framework": "any"})
