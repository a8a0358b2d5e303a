# SPDX-License-Identifier: Apache-2.0
"""Calls of convolutions, for record.py."""

import jax
from record import call, f32, i32

lax = jax.lax
DIMS = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW"), 3: ("NCHWD", "OIHWD", "NCHWD")}


def transposed(name, x, k, strides, padding, dims=None, **options):
    dims = dims or DIMS[x.ndim - 2]
    call(f"conv_transpose {name}", lambda x, k: lax.conv_transpose(x, k, strides, padding, dimension_numbers=dims, **options), x, k)


line, image = f32(4, 3, 5), f32(4, 2, 4, 5)
for size in (2, 3, 5):
    for padding in ("SAME", "VALID"):
        transposed(f"{size} {padding.lower()}", line, f32(2, 3, size, seed=1), (3,), padding)
transposed("pads", line, f32(2, 3, 3, seed=1), (2,), [(1, 2)])
transposed("1", line, f32(2, 3, 3, seed=1), (1,), "VALID")
transposed("dilated", image, f32(3, 2, 3, 2, seed=1), (2, 1), "SAME", rhs_dilation=(2, 3))
transposed("kernel", image, f32(2, 3, 3, 2, seed=1), (2, 2), "VALID", transpose_kernel=True)
transposed("nhwc", f32(4, 4, 5, 2), f32(3, 2, 2, 3, seed=1), (2, 2), "SAME", dims=("NHWC", "HWIO", "NHWC"))
transposed("nhwc kernel", f32(4, 4, 5, 2), f32(3, 2, 3, 2, seed=1), (2, 2), "SAME", dims=("NHWC", "HWIO", "NHWC"), transpose_kernel=True)
transposed("3d", f32(2, 2, 3, 2, 3), f32(1, 2, 2, 2, 2, seed=1), (2, 1, 2), "SAME")


def patches(name, x, size, strides, padding, **options):
    call(f"patches {name}", lambda x: lax.conv_general_dilated_patches(x, size, strides, padding, **options), x)


patches("1d", line, (3,), (1,), "SAME")
patches("2d", image, (2, 3), (2, 1), "VALID")
patches("same", image, (3, 2), (2, 2), "SAME")
patches("pads", image, (2, 2), (1, 2), [(1, 0), (0, 2)], rhs_dilation=(2, 1))
patches("spread", image, (2, 2), (1, 1), [(0, 0), (0, 0)], lhs_dilation=(2, 3))
patches("nhwc", f32(4, 4, 5, 2), (2, 2), (1, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
patches("integers", i32(4, 2, 4, 5), (2, 2), (1, 1), "VALID", preferred_element_type="int32")
