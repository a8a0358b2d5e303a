// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of a kernel that begin with an operand's values: alias<operand, result>, behind out_block_specs. A block
// begins as what the result holds there, at first the operand's block, and blocks that no instance writes keep the
// operand's values. The operand has the result's type, and keeps its values: the whole of it is copied once, unless
// each block is written and the function does not read what the result held. If it is donated, and the function does
// not read its block, the result has its memory.
// Source: JAX 0.10.2 pallas.pallas_call(input_output_aliases={operand: result}).

#include <tessera/kernel/prefetch.hpp>

namespace tessera::detail {

// A result that begins with the values of operand Operand; -2: no operand can be meant.
template <int Operand, class Out>
struct aliased_block : Out {
  static constexpr int alias = Operand;
};

// Whether this is out_block_specs<...> of results.
template <class T>
inline constexpr bool is_out_block = false;
template <class Spec, class T, std::int64_t... Extents>
inline constexpr bool is_out_block<out_block<Spec, T, Extents...>> = true;
template <class Spec, class T, std::int64_t... Extents>
inline constexpr bool is_out_block<sum_block<Spec, T, Extents...>> = true;
template <class T>
inline constexpr bool has_out_blocks = false;
template <class... Out>
inline constexpr bool has_out_blocks<out_block_specs<Out...>> = (is_out_block<Out> && ...);
// What is left of a kernel without them, whose error is said.
struct not_a_kernel {
  template <class... X>
  constexpr not_a_kernel operator()(X const&...) const {
    return {};
  }
};

template <class T>
inline constexpr bool is_alias = false;
template <int Operand, int Result>
inline constexpr bool is_alias<alias<Operand, Result>> = true;
template <class T>
inline constexpr int aliased_operand = -1;
template <int Operand, int Result>
inline constexpr int aliased_operand<alias<Operand, Result>> = Operand >= 0 ? Operand : -2;
template <class T>
inline constexpr int aliased_result = -1;
template <int Operand, int Result>
inline constexpr int aliased_result<alias<Operand, Result>> = Result;

// What stands behind out_block_specs: the aliases, as parts of the results, and the scratch memory.
template <class Out, class... More>
struct results_and_scratches;
template <class... Out, class... More>
struct results_and_scratches<out_block_specs<Out...>, More...> {
private:
  static constexpr int operand_of(int result) {
    int found = -1;
    int const operands[]{aliased_operand<More>..., -1}, results[]{aliased_result<More>..., -1};
    bool const aliases[]{is_alias<More>..., false};
    for (std::size_t i = 0; i < sizeof...(More); ++i) {
      if (!aliases[i]) continue;
      bool const none = results[i] < 0 || results[i] >= static_cast<int>(sizeof...(Out));
      if (none || (results[i] == result && found != -1))
        found = -2;
      else if (results[i] == result)
        found = operands[i];
    }
    return found;
  }
  template <class O, int Operand>
  using with = std::conditional_t<Operand == -1, O, aliased_block<Operand, O>>;
  template <std::size_t... I>
  static auto outs(std::index_sequence<I...>) -> out_block_specs<with<Out, operand_of(static_cast<int>(I))>...>;
  template <class T>
  using kept = std::conditional_t<is_alias<T>, std::tuple<>, std::tuple<T>>;

public:
  using results = decltype(outs(std::index_sequence_for<Out...>{}));
  using scratches = decltype(std::tuple_cat(std::declval<kept<More>>()...));
};

// Whether a result that begins with an operand's values has its type.
template <class Out, class... X>
constexpr bool alias_fits() {
  array_value const all[]{type_of_leaf<X>::value..., array_value{}};
  if (Out::alias == -1) return true;
  if (Out::alias < 0 || Out::alias >= static_cast<int>(sizeof...(X))) return false;
  array_value const& x = all[Out::alias];
  return x.element == dtype_of<typename Out::element>() && x.shape() == Out::shape;
}
template <class Out, class Grid, class Tables>
constexpr block_value result_blocks() {
  block_value b = blocks_in<typename Out::spec, Grid, Tables>(Out::shape);
  b.alias = Out::alias;
  b.summed = Out::summed;
  return b;
}

}  // namespace tessera::detail
