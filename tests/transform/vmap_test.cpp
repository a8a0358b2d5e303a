// SPDX-License-Identifier: Apache-2.0
// vmap against the function itself, called on one slice after the other: every class of operation.

#include "support/mapped_case.hpp"

namespace {

using namespace on_grid;

MAPPED(elementwise, ts::exp(x) * 2.0 + x / (x + 1.0) - 0.5)
MAPPED(scalars_of_the_batch, x* ts::sum(x) + ts::max(x))
MAPPED(scalars, ts::sum(x) * 2.0 + ts::prod(x))
MAPPED(where, ts::where(x > 1.0, x, ts::mean(x)))
MAPPED(clamp, ts::clip(x, 0.5, 1.5))
MAPPED(reductions, ts::sum<0>(x) + ts::max<0>(x) * ts::min<-2>(x))
MAPPED(arg_extremes, ts::argmax<1>(x) + ts::argmin<-1>(x))
MAPPED(statistics, ts::var<0>(x) + ts::stddev<0>(x))
MAPPED(softmax, ts::softmax(x) + ts::log_softmax<0>(x))
MAPPED(transposed, ts::transpose(x) * 2.0)
MAPPED(reshaped, ts::reshape<3, 8>(x) + 1.0)
MAPPED(broadcast, ts::broadcast_to<3, 4, 6>(x) + ts::broadcast_to<3, 4, 6>(ts::sum(x)))
MAPPED(with_constants, x + ts::arange<double, 6>() + ts::ones<double, 4, 6>() * 3.0)
MAPPED(product_with_itself, ts::matmul(x, ts::transpose(x)))
MAPPED(product_with_constants, ts::matmul(ts::matmul(ts::ones<double, 2, 4>(), x), ts::eye<6, 6, 0, double>()))
MAPPED(contraction_of_all, ts::tensordot<2>(x, x))
MAPPED(einsum, ts::einsum<"ij,ik->kj">(x, x * 2.0))
MAPPED(batched_product, ts::einsum<"ij,ij->i">(x, x))
MAPPED(outer, ts::outer(ts::sum<0>(x), ts::sum<1>(x)))
MAPPED(sliced, ts::slice(x, ts::starts<1, 2>, ts::limits<4, 6>, ts::steps<1, 2>))
MAPPED(indexed, x.at(ts::span<1, 3>(), 2).get() * 2.0)
#ifndef TESSERA_BY_DAY
MAPPED(flipped, ts::flip<1>(x) + ts::roll<2, 1>(x))
MAPPED(joined, ts::concatenate<1>(x, x * 2.0, ts::zeros<double, 4, 2>()))
MAPPED(stacked, ts::stack<0>(x, x + 1.0))
MAPPED(padded, ts::pad(x, 7.0, ts::low<1, 0>, ts::high<2, 1>))
MAPPED(padded_with_own, ts::pad(x, ts::sum(x), ts::low<1, 0>, ts::high<2, 1>, ts::interior<1>))
MAPPED(sorted, ts::sort(x) + ts::cumsum<0>(x))
MAPPED(argsorted, ts::argsort(x))
MAPPED(taken_along, ts::take_along_axis<1>(x, ts::argsort(x)))
MAPPED(taken_at_own, ts::take<1>(x, ts::argsort<0>(x).at(ts::every, 0).get()))
MAPPED(taken_from_constant, ts::take<0>(ts::arange<double, 6>() * 3.0, ts::argsort(x).at(0).get()))
MAPPED(taken_by_scalar, ts::dynamic_index_in_dim<0>(x, ts::argmax(ts::sum<1>(x))))
MAPPED(written, x.at(1, ts::every).set(ts::sum<0>(x)))
MAPPED(added_at_own, x.at(ts::argsort<0>(x).at(0, ts::span<0, 2>()).get()).add(2.0))
MAPPED(triangle, ts::tril(x) + ts::triu(x * 3.0))
MAPPED(one_hot, ts::one_hot<4>(ts::argmax<1>(x)))
MAPPED(casts, ts::astype<float>(x > 1.0) + 1)
MAPPED(nothing_of_it, ts::ones<double, 3>())
MAPPED(factors, ts::cholesky(ts::matmul(x, ts::transpose(x)) + ts::eye<4, 4, 0, double>() * 9.0))
MAPPED(solved, ts::solve(ts::matmul(x, ts::transpose(x)) + ts::eye<4, 4, 0, double>() * 9.0, x))
MAPPED(solved_for_constant, ts::solve(ts::eye<4, 4, 0, double>() * 9.0, x))
MAPPED(transformed, ts::real(ts::fft(x)) + ts::imag(ts::fft(x)))
#endif

}  // namespace
