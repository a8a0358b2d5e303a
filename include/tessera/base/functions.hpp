// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where functions stand that take arrays: tessera::functions, which is written ts:: as all of the library.
// In a call without ts:: C++ looks among the functions of the namespaces that the arguments' types are from, here
// tessera, and passes over what a using-directive brings there. So a user's dot(x, y) is not ambiguous with ours.

namespace tessera {
namespace functions {}
using namespace functions;
}  // namespace tessera
