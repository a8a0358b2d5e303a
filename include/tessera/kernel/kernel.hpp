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
#include <tessera/kernel/kernel_call.hpp>
#include <tessera/kernel/split.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {

namespace detail {

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
    } else if constexpr ((is_poisoned<X> || ...)) {
      return absorbed(x...);
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
  if constexpr (detail::has_out_blocks<Out>) {
    using sorted = detail::results_and_scratches<Out, More...>;
    return detail::kernel_function<F, Grid, In, typename sorted::results, typename sorted::scratches>{f};
  } else {
    static_assert(detail::has_out_blocks<Out>,
                  "tessera: the third argument of kernel<...> is not out_block_specs<...> of out_block and sum_block. "
                  "Fix: out_block_specs<out_block<block_spec<...>, float, 256, 512>>; out_like<block_spec<...>, "
                  "decltype(x)> of an array or value x for a result of its type.");
    return detail::not_a_kernel{};
  }
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
