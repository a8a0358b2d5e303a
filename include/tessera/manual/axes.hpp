// SPDX-License-Identifier: Apache-2.0
#pragma once
// The axes of a collective as parameters: psum<dp>(x), psum<dp, mp>(x). The first is major.

#include <tessera/trace/invoke.hpp>

namespace tessera {
namespace detail {

// The axis' position, or a position beyond the mesh's axes if it is not Manual.
template <Mesh M, Axis A>
constexpr int manual_position() {
  if constexpr (M::template index<A> >= M::rank)
    return M::rank;
  else
    return M::value.kind(M::template index<A>) >= axis_kind::manual ? M::template index<A> : M::rank;
}

}  // namespace detail

// The axes as a set and in order. One at least is named: a collective over none would give its operand back. `unchecked`:
// axes over which results always count as varying, because shard_map was called with check_vma<false> or vmap names the
// axis.
template <Axis... A>
struct joined_axes {
  using spec = P<axes<A...>>;  // as an error names them
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr collective_params on() {
    collective_params over;
    (over.order.append(detail::manual_position<M, A>()), ...);
    if (sizeof...(A) == 0) over.order.append(M::rank);  // no axis of the mesh: refused
    over.axes = over.order.axes();
    over.unchecked = M::value.unseen();
    return over;
  }
};
// The same, in order only, with dimensions.
template <class Axes, int Dim, int Concat = 0>
struct joined_along {
  using spec = typename Axes::spec;
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr collective_params on() {
    collective_params over = Axes::template on<M>();
    over.axes = {};
    over.dim = Dim;
    over.concat_dim = Concat;
    return over;
  }
};

namespace detail {
// A dimension of a block with `rank` dimensions: -1 is the last.
constexpr collective_params counted_from_front(collective_params over, int rank) {
  if (over.dim < 0) over.dim += rank;
  if (over.concat_dim < 0) over.concat_dim += rank;
  return over;
}
}  // namespace detail

namespace ops {
// A collective along dimensions of its block.
template <class Self>
struct along_dimensions {
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return b.template emit<Self>({x[0]}, detail::counted_from_front(attrs.as<collective_params>(), x[0].facts().rank));
  }
};
}  // namespace ops

}  // namespace tessera
