// SPDX-License-Identifier: Apache-2.0
#pragma once
// What divides by a sum along a dim: softmax and its logarithm, layer norm.

#include "support/oracle/reduce.hpp"
#include "support/oracle/unary.hpp"

namespace oracle {

inline tensor logsumexp(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  tensor const most = max(x, dims, true);
  tensor const shift = where(isfinite(most), most, 0);
  tensor const total = log(sum(exp(x - shift), dims, true)) + shift;
  return keepdims ? total : sum(total, dims);  // of one value each: only drops the dims
}

inline tensor log_softmax(tensor const& x, std::int64_t dim = -1) { return x - logsumexp(x, {dim}, true); }

inline tensor softmax(tensor const& x, std::int64_t dim = -1) {
  tensor const e = exp(x - max(x, {dim}, true));
  return e / sum(e, {dim}, true);
}

inline tensor layer_norm(tensor const& x, tensor const& scale = 1, tensor const& offset = 0, std::int64_t dim = -1,
                         double epsilon = 1e-5) {
  return (x - mean(x, {dim}, true)) * rsqrt(var(x, {dim}, true) + epsilon) * scale + offset;
}

}  // namespace oracle
