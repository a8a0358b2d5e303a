// SPDX-License-Identifier: Apache-2.0
#pragma once
// The call of a kernel's function: the types of its blocks, and what is wrong with it.

#include <tessera/error/malformed_kernel.hpp>
#include <tessera/kernel/alias.hpp>

namespace tessera {

namespace ops {
struct kernel {
  static constexpr std::string_view name = "kernel";
  static constexpr op_class kind = op_class::loop;
};
}  // namespace ops

namespace detail {

template <class Holder>
struct facts_of_block {
  static constexpr array_value facts = Holder::block;
};
template <class Holder>
struct facts_of_array {
  static constexpr array_value facts = Holder::whole;
};

// An operand of a kernel, its blocks, and their types on mesh M.
template <class Grid, class Tables, class Spec, ArrayType A>
struct kernel_operand {
  static constexpr array_value whole = A::value;
  static constexpr block_value blocks = blocks_in<Spec, Grid, Tables>(whole.shape());
  static constexpr array_value block = block_facts(blocks, whole, Tables::varying);
};
// A result or scratch memory, which differs between devices as the operands together do.
template <class T>
constexpr array_value own_facts(extents_list const& shape, axis_set varying) {
  array_value made{dtype_of<T>()};
  for (int d = 0; d < shape.size(); ++d) made.add_dim(shape[d]);
  made.varying = varying;
  return made;
}
template <class Grid, class Tables, class Out, std::uint32_t Varying>
struct kernel_result {
  static constexpr array_value whole = own_facts<typename Out::element>(Out::shape, axis_set{Varying});
  static constexpr block_value blocks = result_blocks<Out, Grid, Tables>();
  static constexpr array_value block = block_facts(blocks, whole, {});
};
template <class Scratch, std::uint32_t Varying>
struct kernel_scratch {
  static constexpr array_value block = own_facts<typename Scratch::element>(Scratch::shape, axis_set{Varying});
};
struct kernel_id {
  static constexpr array_value block{dtype::int32};
};

// What is wrong with the operands, before their blocks are looked at.
template <class Grid, class... In, class... Out, class... X>
constexpr grid_fault fault_of_operands(in_block_specs<In...>, out_block_specs<Out...>, std::type_identity<X>...) {
  if (Grid::fault != grid_fault::none) return Grid::fault;
  if (!Grid::ordered) return grid_fault::grid_order;
  if (sizeof...(In) != sizeof...(X)) return grid_fault::operand_count;
  if (sizeof...(Out) < 1 || sizeof...(Out) > max_outputs) return grid_fault::result_count;
  if (((Out::summed && dtype_of<typename Out::element>() == dtype::boolean) || ...)) return grid_fault::sum_of_flags;
  if (((type_of_leaf<X>::value.size() == dynamic) || ...)) return grid_fault::dynamic_extent;
  if constexpr (sizeof...(In) == sizeof...(X)) {
    if (!tables_of_call<Grid, in_block_specs<In...>, X...>::numbers) return grid_fault::table_type;
    if (!(alias_fits<Out, X...>() && ...)) return grid_fault::alias;
  }
  auto const whole = [](array_value const& x) { return x.sharded_axes().empty() && x.unreduced.empty(); };
  return (whole(type_of_leaf<X>::value) && ...) ? grid_fault::none : grid_fault::split_operand;
}

template <class Grid, class In, class Out, class Scratches, class... X>
struct kernel_shape {
  static constexpr grid_verdict verdict{fault_of_operands<Grid>(In{}, Out{}, std::type_identity<X>{}...)};
};
template <class Grid, class... In, class... Out, class... Scratch, class... X>
  requires(fault_of_operands<Grid>(in_block_specs<In...>{}, out_block_specs<Out...>{}, std::type_identity<X>{}...) ==
           grid_fault::none)
struct kernel_shape<Grid, in_block_specs<In...>, out_block_specs<Out...>, std::tuple<Scratch...>, X...> {
  static constexpr axis_set varying = (axis_set{} | ... | type_of_leaf<X>::value.varying);
  using tables = tables_of_call<Grid, in_block_specs<In...>, X...>;
  template <class Spec, class A>
  using operand = kernel_operand<Grid, tables, Spec, type_of_leaf<A>>;
  template <class O>
  using result = kernel_result<Grid, tables, O, varying.bits>;
  using operands = std::tuple<operand<In, X>...>;
  using results = std::tuple<result<Out>...>;
  using scratches = std::tuple<kernel_scratch<Scratch, varying.bits>...>;
  static constexpr block_value blocks[]{operand<In, X>::blocks..., result<Out>::blocks...};
  static constexpr grid_value grid = [] {
    grid_value g = Grid::value;
    g.inputs = static_cast<int>(sizeof...(In));
    g.outputs = static_cast<int>(sizeof...(Out));
    g.scratches = static_cast<int>(sizeof...(Scratch));
    g.blocks = blocks;
    return g;
  }();
  static constexpr grid_verdict verdict = judge_grid<growable<std::int64_t>>(grid);
};

// The types of a kernel's variables on mesh M, as tuples.
template <class Holders, Mesh M>
struct kernel_blocks;
template <class... Holder, Mesh M>
struct kernel_blocks<std::tuple<Holder...>, M> {
  using type = std::tuple<traced<array_type_of<facts_of_block<Holder>, M>>...>;
};
template <class Shape, Mesh M>
struct kernel_arguments {
  using operands = typename kernel_blocks<typename Shape::operands, M>::type;
  using results = typename kernel_blocks<typename Shape::results, M>::type;
  using scratches = typename kernel_blocks<typename Shape::scratches, M>::type;
  using id = traced<array_type_of<facts_of_block<kernel_id>, M>>;
  template <std::size_t... I>
  static auto program_of(std::index_sequence<I...>) -> kernel_program<std::enable_if_t<(I < max_rank), id>...>;
  template <int Rank>
  using program = decltype(program_of(std::make_index_sequence<static_cast<std::size_t>(Rank)>{}));
};

struct no_program {};
template <class F, class Program, class Operands, class Variables>
inline constexpr bool takes_program = false;
template <class F, class Program, class... X, class... Y>
inline constexpr bool takes_program<F, Program, std::tuple<X...>, std::tuple<Y...>> =
    std::is_invocable_v<F const&, Program const&, X const&..., Y&...> &&
    !std::is_invocable_v<F const&, no_program const&, X const&..., Y&...>;
template <class F, class Operands, class Variables>
inline constexpr bool takes_blocks_alone = false;
template <class F, class... X, class... Y>
inline constexpr bool takes_blocks_alone<F, std::tuple<X...>, std::tuple<Y...>> =
    std::is_invocable_v<F const&, X const&..., Y&...>;

// Whether a function takes variable K of Y... as an rvalue: then it does not assign the kernel's own.
template <class F, std::size_t K, class I, class... Y>
inline constexpr bool takes_rvalue = false;
template <class F, std::size_t K, std::size_t... I, class... Before, class... Y>
inline constexpr bool takes_rvalue<F, K, std::index_sequence<I...>, std::tuple<Before...>, std::tuple<Y...>> =
    std::is_invocable_v<F const&, Before const&..., std::conditional_t<I == K, Y&&, Y&>...>;
template <class F, class Before, class Variables>
inline constexpr bool holds_a_result = false;
template <class F, class Before, class... Y>
inline constexpr bool holds_a_result<F, Before, std::tuple<Y...>> = [
]<std::size_t... I>(std::index_sequence<I...> all) {
  return (takes_rvalue<F, I, decltype(all), Before, std::tuple<Y...>> || ...);
}
(std::index_sequence_for<Y...>{});

// The call of a kernel's function for operands X on mesh M: its shape, and what is wrong with it.
template <class F, class Grid, class In, class Out, class Scratches, class M, class... X>
struct kernel_call {
  using shape = kernel_shape<Grid, In, Out, Scratches, X...>;

private:
  static constexpr bool judged_well = shape::verdict.fault == grid_fault::none;
  // Whether the function takes the blocks, behind the program or alone, or, Held, some of its variables wrongly.
  template <bool Program, bool Held = false>
  static constexpr bool takes() {
    if constexpr (judged_well) {
      using given = kernel_arguments<shape, M>;
      using program = typename given::template program<Grid::rank>;
      using operands = typename given::operands;
      using variables =
          decltype(std::tuple_cat(std::declval<typename given::results>(), std::declval<typename given::scratches>()));
      if constexpr (Held && Program)
        return holds_a_result<
            F, decltype(std::tuple_cat(std::declval<std::tuple<program>>(), std::declval<operands>())), variables>;
      else if constexpr (Held)
        return holds_a_result<F, operands, variables>;
      else if constexpr (Program)
        return takes_program<F, program, operands, variables>;
      else
        return takes_blocks_alone<F, operands, variables>;
    } else {
      return false;
    }
  }

public:
  static constexpr bool with_program = !takes<false>() && takes<true>();
  static constexpr grid_verdict verdict = [] {
    grid_verdict found = shape::verdict;
    if (judged_well && !takes<false>() && !with_program) found.fault = grid_fault::function;
    if (found.fault == grid_fault::none && takes<with_program, true>()) found.fault = grid_fault::held_result;
    return found;
  }();
  using refused = error::malformed_kernel<ops::kernel, error::in_kernel<verdict.fault, verdict.operand, verdict.dim>>;
};

}  // namespace detail

}  // namespace tessera
