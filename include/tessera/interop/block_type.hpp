// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operands and results of a user's function on blocks: block_type<T, Extents...> is a result of T elements; a dynamic
// extent is that of operand 0. local_kernel and pure_callback are operations on them.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/base/opaque_types.hpp>

namespace tessera {

template <class T, std::int64_t... Extents>
struct block_type {
  using element = T;
  static constexpr int rank = sizeof...(Extents);
  static constexpr int like = 0;
  static constexpr std::int64_t extents[sizeof...(Extents) + 1]{Extents..., 0};
};

namespace detail {

// As operand Like, which has Rank dimensions.
template <class T, int Rank, int Like>
struct block_like {
  using element = T;
  static constexpr int rank = Rank;
  static constexpr int like = Like;
  static constexpr std::int64_t extents[Rank + 1]{};
  static constexpr bool whole = true;
};

template <class X>
inline constexpr bool is_kernel_operand = false;
template <Operand X>
inline constexpr bool is_kernel_operand<X> = !is_poisoned<X>;
template <class X, int Position>
struct operand_block {
  static constexpr array_value facts = operand_traits<X>::type::value;
  using type = block_like<element_of<facts.element>, facts.rank, Position>;
};
// R..., or operand 0's type if there are none.
template <class Operands, class... R>
struct blocks_of_results {
  using type = opaque_types<R...>;
};
template <class First, class... X>
struct blocks_of_results<opaque_types<First, X...>> {
  using type = opaque_types<First>;
};

template <class R>
constexpr opaque_result result_of_blocks(rule_input const& in, int own_rank, int batch) {
  opaque_result made;
  made.element = dtype_of<typename R::element>();
  for (int d = 0; d < R::rank; ++d) {
    bool const follows = R::extents[d] == dynamic || requires { R::whole; };
    made.dims.push_back(batch + d);
    made.extents.push_back(follows ? in[R::like].extent(in[R::like].rank - own_rank + d) : R::extents[d]);
  }
  return made;
}
// Blocks have their ranks as their working dimensions; what operands have before them is the batch.
template <class Operands, class Results>
struct block_ranks;
template <class... X, class... Y>
struct block_ranks<opaque_types<X...>, opaque_types<Y...>> {
  static constexpr int rank[sizeof...(X) + 1]{X::rank..., 0};
  static constexpr void fill(opaque_shape& made, rule_input const& in, int batch) {
    int k = 0;
    ((made.result[k++] = result_of_blocks<Y>(in, rank[Y::like], batch)), ...);
  }
};
template <class Operands, class Results>
constexpr opaque_shape shape_of_blocks(rule_input const& in) {
  using own_ranks = block_ranks<Operands, Results>;
  opaque_shape made;
  int batch = 0;
  for (int k = 0; k < in.count; ++k) {
    int const own = in[k].rank - own_ranks::rank[k];
    if (own < 0) {
      made.refused = refuse(reason::ranks_disagree, -1, {}, in[k].rank, own_ranks::rank[k]);
      made.refused.operand = k;
      return made;
    }
    if (own > batch) batch = own;
    for (int d = own; d < in[k].rank; ++d) made.operand[k].push_back(d);
  }
  own_ranks::fill(made, in, batch);
  made.launches = true;
  return made;
}

// The base of an operation that calls a user's function for one block after the other, on the thread that runs the program.
template <class Self, class Operands, class Results>
struct on_blocks;
template <class Self, class... X, class... Y>
struct on_blocks<Self, opaque_types<X...>, opaque_types<Y...>>
    : ops::opaque<Self, sizeof...(X), ops::accepts::any, sizeof...(Y)> {
  static constexpr bool own_types = true;
  template <class>
  using operands = opaque_types<typename X::element...>;
  template <class>
  using results = opaque_types<typename Y::element...>;
  static constexpr opaque_shape shape(rule_input const& in) {
    return shape_of_blocks<opaque_types<X...>, opaque_types<Y...>>(in);
  }
};

}  // namespace detail
}  // namespace tessera
