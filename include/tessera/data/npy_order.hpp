// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order in which a .npy file has an array's elements: the last index fastest, or the first.

namespace tessera {

enum class npy_order { c, fortran };

}  // namespace tessera
