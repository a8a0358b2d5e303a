// SPDX-License-Identifier: Apache-2.0
// Loops that are vector code only if all that they call is part of them, and which call the same functions, as those of large
// programs do. whole_loops.py compiles this.

#include <tessera/tessera.hpp>

namespace ts = tessera;
using X = decltype(ts::asarray(ts::host<512, 512>(std::vector<float>())));

auto elements(X const& x) {
  return std::tuple{ts::jit([](auto x) { return ts::log1p(ts::expm1(x)); })(x),
                    ts::jit([](auto x) { return ts::erf(ts::tanh(x)); })(x),
                    ts::jit([](auto x) { return ts::erf_inv(ts::erf(x)); })(x),
                    ts::jit([](auto x) { return ts::softplus(ts::log(x)); })(x),
                    ts::jit([](auto x) { return ts::logaddexp(x, ts::sigmoid(x)); })(x),
                    ts::jit([](auto x) { return ts::gelu(ts::silu(x)); })(x)};
}
// Without a logarithm of a sum, which is taken once for a row, by a call.
auto rows(X const& x) {
  return std::tuple{ts::jit([](auto x) { return ts::softmax(x); })(x),
                    ts::jit([](auto x) { return ts::softmax<0>(x); })(x),
                    ts::jit([](auto x) { return ts::sum<1>(ts::exp(x)); })(x),
                    ts::jit([](auto x) { return ts::max<1>(ts::erf(x)); })(x)};
}
