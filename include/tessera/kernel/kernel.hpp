// SPDX-License-Identifier: Apache-2.0
#pragma once
// kernel<grid, in_block_specs<...>, out_block_specs<...>, scratch<...>...>(f): f on blocks of arrays, once for each instance of a grid:
//   struct add_blocks {
//     constexpr void operator()(auto const& x, auto const& y, auto& out) const { out = x + y; }
//   };
//   constexpr auto row = [](auto i) { return std::tuple{i, 0}; };
//   using rows = block_spec<row, 64, 512>;
//   auto z = kernel<kernel_grid<4>, in_block_specs<rows, rows>, out_block_specs<out_block<rows, float, 256, 512>>>(add_blocks{})(x, y);
// kernel/blocks.hpp has the grid and the blocks. f(x..., out&..., scratch&...) -> void gets values of traced code: blocks of the
// operands, and variables that it assigns. Its operations are those of any function: products, reductions, where, cond,
// fori_loop; no collectives, and nothing is read from around it. f(KernelProgram auto program, x..., ...) also gets the program ids:
// program_id<0>(program), an int32, and num_programs<0>(program).
//   out = value       the block of this instance
//   out += value      over the sequential dimensions of the grid: a block begins as zeros, and is kept as long as its number
//                     stays the same
//   scratch           begins as zeros, is kept over the sequential dimensions
// The result is an array or a std::tuple of several. Operands are whole on each device, as in shard_map, or split over Explicit
// axes along dimensions whose block number is a parallel program id: then each device runs its part of the grid, and the
// results are split likewise. On the host instances run on all threads, each with its own memory: what its body needs for one block.
// Moves 0 bytes between devices. No gradient: custom_vjp gives one.
// Source: JAX 0.10.2 pallas.pallas_call. In JAX a block begins undefined, and all dimensions may be sequential.

#include <tessera/control/recordable.hpp>
#include <tessera/error/malformed_kernel.hpp>
#include <tessera/kernel/split.hpp>
#include <tessera/trace/refused_call.hpp>

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

// The call of a kernel's function for operands X on mesh M: its shape, and what is wrong with it.
template <class F, class Grid, class In, class Out, class Scratches, class M, class... X>
struct kernel_call {
  using shape = kernel_shape<Grid, In, Out, Scratches, X...>;

private:
  static constexpr bool judged_well = shape::verdict.fault == grid_fault::none;
  // Whether the function takes the blocks, behind the program or alone.
  template <bool Program>
  static constexpr bool takes() {
    if constexpr (judged_well) {
      using given = kernel_arguments<shape, M>;
      using variables =
          decltype(std::tuple_cat(std::declval<typename given::results>(), std::declval<typename given::scratches>()));
      if constexpr (Program)
        return takes_program<F, typename given::template program<Grid::rank>, typename given::operands, variables>;
      else
        return takes_blocks_alone<F, typename given::operands, variables>;
    } else {
      return false;
    }
  }

public:
  static constexpr bool with_program = !takes<false>() && takes<true>();
  static constexpr grid_verdict verdict = [] {
    grid_verdict found = shape::verdict;
    if (judged_well && !takes<false>() && !with_program) found.fault = grid_fault::function;
    return found;
  }();
  using refused = error::malformed_kernel<ops::kernel, error::in_kernel<verdict.fault, verdict.operand, verdict.dim>>;
};

// Arguments of the body.
struct enter_block {
  builder* graph;
  growable<int>* inputs;
  template <class Block>
  constexpr void operator()(Block& block) const {
    inputs->push_back(graph->push(info<ops::argument>, nullptr, 0, {}, Block::type::value));
    block = Block{graph, inputs->back()};
  }
};

// A kernel's body must not communicate, nor read values around it.
constexpr void check_body(builder& b, int loop, int operands, site at) {
  static_assert(op_register<ops::kernel>::done);
  if (loop < 0) return;
  b.in_regions(loop, [&](int id) {
    node const& n = b.at(id);
    if (n.op->message != collective::none)
      b.refuse(refusal{
          refuse(reason::collective_in_kernel, -1, axes_joined(n.attrs)), n.op, n.at.line ? n.at : at, n.facts, {}, 1});
  });
  for (int k = operands; k < b.at(loop).operand_count; ++k) {
    int const id = b.recorded.operands[b.at(loop).first_operand + k];
    op_class const kind = b.at(id).op->kind;
    if (kind != op_class::literal && kind != op_class::iota)
      b.refuse(refusal{refuse(reason::kernel_reads_around), &bare_info<ops::kernel>, at, b.facts(id), {}, 1});
  }
}

template <class F, class Grid, class In, class Out, class Scratches, class... X>
struct kernel_run : recordable<kernel_run<F, Grid, In, Out, Scratches, X...>> {
  F f;
  std::tuple<X...> given;
  site at;
  constexpr kernel_run(F const& body, site where, X const&... x) : f(body), given(x...), at(where) {}

  template <class M>
  constexpr auto in(builder& b) const {
    deeper const inside(b);
    auto const xs = tree_map(place_leaf<M>{}, given);
    return std::apply([&](auto const&... x) { return record<M>(b, x...); }, xs);
  }
  template <class Probed>
  static constexpr auto like(Probed const& probed) {
    return std::get<0>(probed);
  }

private:
  template <class M, class... Y>
  constexpr auto record(builder& b, Y const&... y) const {
    if constexpr ((is_poisoned<Y> || ...)) {
      return absorbed(y...);
    } else {
      using call = kernel_call<F, Grid, In, Out, Scratches, M, Y...>;
      if constexpr (call::verdict.fault == grid_fault::none)
        return run<M, call>(b, y...);
      else
        return refused<typename call::refused>(b);
    }
  }
  template <class Refused>
  constexpr auto refused(builder& b) const {
    refusal const found{refuse(reason::malformed_kernel), &bare_info<ops::kernel>, at, {}, {}, 0};
    b.refuse(found);
    return poisoned<Refused>{found, &b};
  }
  template <class M, class Call, class... Y>
  constexpr auto run(builder& b, Y const&... y) const {
    using given_types = kernel_arguments<typename Call::shape, M>;
    b.here = at;
    growable<int> arrays, inputs, outputs;
    (enter_leaves{&b, &arrays}(y), ...);
    int const first = b.size();
    typename given_types::operands x;
    typename given_types::results out;
    typename given_types::scratches kept;
    typename given_types::template program<Grid::rank> program{};
    enter_block const enter{&b, &inputs};
    auto const each = [](auto const& f, auto&... one) { (f(one), ...); };
    std::apply([&](auto&... one) { each(enter, one...); }, x);
    std::apply([&](auto&... one) { each(enter, one...); }, out);
    std::apply([&](auto&... one) { each(enter, one...); }, kept);
    std::apply([&](auto&... one) { each(enter, one...); }, program.ids);
    for (std::size_t d = 0; d < program.count.size(); ++d) program.count[d] = Grid::value.extent[d];
    std::apply(
        [&](auto&... variable) {
          std::apply(
              [&](auto const&... block) {
                if constexpr (Call::with_program)
                  f(program, block..., variable...);
                else
                  f(block..., variable...);
              },
              x);
        },
        std::tuple_cat(std::apply([](auto&... o) { return std::tie(o...); }, out),
                       std::apply([](auto&... s) { return std::tie(s...); }, kept)));
    b.here = at;
    auto const leave = [&](auto const& one) { outputs.push_back(one.node); };
    std::apply([&](auto&... one) { each(leave, one...); }, out);
    std::apply([&](auto&... one) { each(leave, one...); }, kept);
    growable<graph_region> regions;
    regions.push_back(b.close_region(first, inputs, outputs));
    loop_shape shape;
    shape.kind = loop_kind::grid;
    shape.sliced = static_cast<int>(sizeof...(Y));
    shape.length = Call::shape::grid.instances();
    shape.grid = &Call::shape::grid;
    int const loop = push_loop<ops::kernel>(b, regions, arrays, shape);
    check_body(b, loop, shape.sliced, at);
    return results<M>(b, loop, typename Call::shape::results{});
  }
  template <class M, class... Result>
  static constexpr auto results(builder& b, int loop, std::tuple<Result...>) {
    int k = 0;
    auto const one = [&]<class R>(std::type_identity<R>) {
      return traced<array_type_of<facts_of_array<R>, M>>{&b, loop_result(b, loop, k++, R::whole).id};
    };
    if constexpr (sizeof...(Result) == 1)
      return (one(std::type_identity<Result>{}), ...);
    else
      return std::tuple{one(std::type_identity<Result>{})...};
  }
};

// How a call on operands X is split with the grid.
template <class Grid, class... X, class... In, class... Out>
constexpr grid_split split_of_call(in_block_specs<In...>, out_block_specs<Out...>) {
  if constexpr (sizeof...(In) == sizeof...(X) && sizeof...(X) > 0 && (Operand<X> && ...) &&
                fault_of_operands<Grid>(in_block_specs<In...>{}, out_block_specs<Out...>{},
                                        std::type_identity<X>{}...) == grid_fault::split_operand) {
    using tables = tables_of_call<Grid, in_block_specs<In...>, X...>;
    array_value const operands[]{type_of_leaf<X>::value...};
    block_value const blocks[]{blocks_in<In, Grid, tables>(type_of_leaf<X>::value.shape())...,
                               result_blocks<Out, Grid, tables>()...};
    grid_value g = Grid::value;
    g.inputs = static_cast<int>(sizeof...(In));
    g.outputs = static_cast<int>(sizeof...(Out));
    g.blocks = blocks;
    return split_of(g, mesh_of_leaves<std::tuple<X...>>::value, operands);
  } else {
    return {};
  }
}

template <class F, class Grid, class In, class Out, class Scratches>
struct kernel_function {
  [[no_unique_address]] F f{};
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<kernel_function, X...>;
      call::refused::explain();
      return call::run(x...);
    } else if constexpr (splits<X...>::value.any && splits<X...>::value.possible) {
      return by_devices(Out{}, x...);
    } else {
      auto const probed = std::make_tuple(x...);
      auto const results = kernel_run<F, Grid, In, Out, Scratches, X...>(f, site{}, x...).recorded(probed);
      said_here<decltype(results)>::explain();
      return as_said(results);
    }
  }

private:
  template <class... X>
  struct splits {
    static constexpr grid_split value = split_of_call<Grid, X...>(In{}, Out{});
  };
  template <class... R, class... X>
  constexpr auto by_devices(out_block_specs<R...>, X const&... x) const {
    using M = mesh_of_leaves<std::tuple<X...>>;
    using part = kernel_part<Grid, M, splits<X...>, tables_of_call<Grid, In, X...>>;
    using own = kernel_function<typename part::template function<F>, typename part::grid, In,
                                out_block_specs<typename part::template result<R>::type...>, Scratches>;
    using specs = out_specs<typename part::template result<R>::spec...>;
    if constexpr (part::template sums<R...>)
      return functions::shard_map<specs>(added_over_devices<part, own, R...>{{{f}}})(x...);
    else
      return functions::shard_map<specs>(own{{f}})(x...);
  }
};

}  // namespace detail

namespace functions {

// More: alias<operand, result>, and scratch memory.
template <class Grid, class In, class Out, class... More, class F>
constexpr auto kernel(F const& f) {
  using sorted = detail::results_and_scratches<Out, More...>;
  return detail::kernel_function<F, Grid, In, typename sorted::results, typename sorted::scratches>{f};
}

// The number of the instance along dimension D of the grid, and how many there are.
template <int D, class... Id>
constexpr auto program_id(kernel_program<Id...> const& program) {
  static_assert(D >= 0 && D < static_cast<int>(sizeof...(Id)),
                "tessera: program_id of a dimension that the grid does not have.");
  return std::get<D>(program.ids);
}
template <int D, class... Id>
constexpr std::int64_t num_programs(kernel_program<Id...> const& program) {
  static_assert(D >= 0 && D < static_cast<int>(sizeof...(Id)),
                "tessera: num_programs of a dimension that the grid does not have.");
  return program.count[D];
}

}  // namespace functions

}  // namespace tessera
