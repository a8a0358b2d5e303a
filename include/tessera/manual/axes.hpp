// SPDX-License-Identifier: Apache-2.0
#pragma once
// The axes a collective joins, as parameters: psum<dp>(x), psum<dp, mp>(x). The first is major.

#include <tessera/trace/invoke.hpp>

namespace tessera {
namespace detail {

// The axis' position, or one that no axis of the mesh has where it is not Manual.
template <Mesh M, Axis A>
constexpr int manual_position() {
  if constexpr (M::template index<A> >= M::rank)
    return M::rank;
  else
    return M::value.kind(M::template index<A>) >= axis_kind::manual ? M::template index<A> : M::rank;
}

}  // namespace detail

// attrs.axes: as a set; attrs.out[0]: in order; attrs.out.unreduced: axes over which results count as differing
// whatever they are, because shard_map was told check_vma<false> or vmap names the axis.
template <Axis... A>
struct joined_axes {
  using spec = P<axes<A...>>;  // as an error names them
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.out.rank = 1;
    (attrs.out.entries[0].append(detail::manual_position<M, A>()), ...);
    attrs.axes = attrs.out.entries[0].axes();
    attrs.out.unreduced = M::value.unseen();
    return attrs;
  }
};
// The same, in order only, with dimensions: attrs.integer, attrs.first.
template <class Axes, int Dim, int... More>
struct joined_along {
  using spec = typename Axes::spec;
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs = Axes::template on<M>();
    attrs.axes = {};
    attrs.integer = Dim;
    attrs.first = {Dim, More...};
    return attrs;
  }
};

namespace detail {
// Of a block with `rank` dimensions: -1 is the last.
constexpr attributes counted_from_front(attributes attrs, int rank) {
  if (attrs.integer < 0) attrs.integer += rank;
  for (int i = 0; i < attrs.first.size(); ++i)
    if (attrs.first[i] < 0) attrs.first[i] += rank;
  return attrs;
}
}  // namespace detail

namespace ops {
// A collective along dimensions of its block.
template <class Self>
struct along_dimensions {
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return b.template emit<Self>({x[0]}, detail::counted_from_front(attrs, x[0].facts().rank));
  }
};
}  // namespace ops

}  // namespace tessera
