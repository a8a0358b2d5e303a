// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel on operands that are split over Explicit axes. If a parallel dimension of the grid is the block number along each
// split dimension, each device runs its part of that dimension on the blocks that it has: the kernel is that of a
// shard_map, its results are split likewise, and nothing is sent. Where instances add to a result, and its map does not
// name that dimension of the grid, devices have parts of the sums, which psum adds.

#include <tessera/kernel/alias.hpp>
#include <tessera/manual/axis_index.hpp>
#include <tessera/manual/psum.hpp>
#include <tessera/manual/shard_map.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>

namespace tessera::detail {

// By dimension of the grid: the entry of a spec over which it is split. Not `possible`: the kernel needs whole operands.
struct grid_split {
  bool any = false, possible = true;
  entry_value over[max_grid]{};
};

// Whether neighboring ids along grid dimension `dim` have neighboring blocks along dimension d: block number id, several ids for
// each (id / 4), or several blocks for each (4 * id + another id below 4). A table's numbers are in any order,
// and blocks by element overlap.
constexpr bool is_cut_by(block_value const& b, int d, grid_value const& g, int dim, std::int64_t devices) {
  grid_index rest = b.at[d];
  grid_index::part by{-1};
  rest.parts = {};
  for (grid_index::part const& p : b.at[d].parts) {
    if (p.dim != dim)
      rest.parts.push_back(p);
    else if (by.dim >= 0)
      return false;
    else
      by = p;
  }
  if (by.dim < 0 || rest.reads() || b.by_element[d] || by.modulo != 0 || g.extent[dim] % devices != 0 || !b.divides(d))
    return false;
  if (by.divided > 1 && (by.times != 1 || !rest.parts.empty())) return false;
  bool const within = most_of(rest, g, true) == 0 && most_of(rest, g, false) < by.times;
  return within && b.blocks(d) * by.divided == g.extent[dim] * by.times && g.extent[dim] / devices % by.divided == 0;
}
// Whether the blocks of an array are split with the grid, in the dimensions that `entry(d)` says.
template <class Entry>
constexpr bool splits_with(block_value const& b, grid_value const& g, grid_split const& split, mesh_value const& mesh,
                           Entry const& entry) {
  for (int p = 0; p < g.rank; ++p) {
    if (split.over[p].empty()) continue;
    int named = 0;
    for (int d = 0; d < b.rank; ++d) {
      if (!b.at[d].depends_on(p)) continue;
      ++named;
      if (!is_cut_by(b, d, g, p, mesh.devices(split.over[p].axes())) || !entry(d, split.over[p])) return false;
    }
    if (named > 1) return false;
  }
  return true;
}

constexpr entry_value entry_of_result(block_value const& b, grid_split const& split, int d) {
  for (int p = 0; p < max_grid; ++p)
    if (!split.over[p].empty() && b.at[d].depends_on(p)) return split.over[p];
  return {};
}
// Whether results that begin with an operand's values are split as it is.
constexpr bool aliases_are_split_alike(grid_value const& g, grid_split const& split, array_value const* operands) {
  for (int k = 0; k < g.outputs; ++k)
    for (int d = 0; d < g.output(k).rank && g.output(k).alias >= 0; ++d)
      if (!(entry_of_result(g.output(k), split, d) == operands[g.output(k).alias].entry(d))) return false;
  return true;
}

constexpr grid_split split_of(grid_value const& g, mesh_value const& mesh, array_value const* operands) {
  grid_split made;
  for (int k = 0; k < g.inputs; ++k) {
    array_value const& x = operands[k];
    made.possible = made.possible && x.unreduced.empty() && !g.blocks[k].refused;
    for (int d = 0; d < x.rank && made.possible; ++d) {
      if (x.entry(d).empty()) continue;
      made.any = true;
      int by = -1;
      for (int p = 0; p < g.parallel; ++p)
        if (is_cut_by(g.blocks[k], d, g, p, mesh.devices(x.entry(d).axes()))) by = p;
      made.possible = by >= 0 && (made.over[by].empty() || made.over[by] == x.entry(d));
      if (made.possible) made.over[by] = x.entry(d);
    }
  }
  for (int k = 0; k < g.inputs && made.possible; ++k)
    made.possible =
        splits_with(g.blocks[k], g, made, mesh, [&](int d, entry_value over) { return operands[k].entry(d) == over; });
  for (int k = 0; k < g.outputs && made.possible; ++k)
    made.possible =
        !g.output(k).refused && splits_with(g.output(k), g, made, mesh, [](int, entry_value) { return true; });
  made.possible = made.possible && aliases_are_split_alike(g, made, operands);
  axis_set used;
  for (entry_value const& over : made.over) {
    made.possible = made.possible && (used & over.axes()).empty();
    used |= over.axes();
  }
  return made;
}

template <class Axes>
struct index_along;
template <class A>
struct index_along {
  static constexpr auto of() { return functions::axis_index<A>(); }
};
template <class... A>
struct index_along<axes<A...>> {
  static constexpr auto of() { return functions::axis_index<A...>(); }
};

template <class Axes>
struct sum_along;
template <class A>
struct sum_along {
  template <class Y>
  static constexpr auto of(Y const& y) {
    return functions::psum<A>(y);
  }
};
template <class... A>
struct sum_along<axes<A...>> {
  template <class Y>
  static constexpr auto of(Y const& y) {
    return functions::psum<A...>(y);
  }
};
template <class Out>
struct as_sum;
template <class Spec, class T, std::int64_t... Extents>
struct as_sum<out_block<Spec, T, Extents...>> {
  using type = sum_block<Spec, T, Extents...>;
};

// Grid, results and function of one device's part of the kernel.
template <class Grid, class M, class Split, class Tables>
struct kernel_part {
  static constexpr std::int64_t devices(int dim) { return M::value.devices(Split::value.over[dim].axes()); }
  template <int Dim>
  static constexpr auto extent() {
    constexpr std::int64_t own = Grid::value.extent[Dim] / devices(Dim);
    if constexpr (Dim < Grid::value.parallel)
      return own;
    else
      return sequential{own};
  }
  template <std::size_t... I>
  static auto grid_of(std::index_sequence<I...>) -> kernel_grid<extent<static_cast<int>(I)>()...>;
  using grid = decltype(grid_of(std::make_index_sequence<static_cast<std::size_t>(Grid::rank)>{}));

  // Whether devices have parts of the grid that a result's map does not name, whose blocks are added.
  static constexpr bool misses(block_value const& blocks, int dim) {
    return !Split::value.over[dim].empty() && !depends_on(blocks, dim);
  }
  template <auto const& Blocks>
  static constexpr bool is_partial = [] {
    bool any = false;
    for (int d = 0; d < Grid::rank; ++d) any = any || misses(Blocks, d);
    return any;
  }();
  template <auto const& Blocks, int Dim, class Y>
  static constexpr auto summed(Y const& y) {
    if constexpr (Dim == Grid::rank)
      return y;
    else if constexpr (misses(Blocks, Dim))
      return summed<Blocks, Dim + 1>(sum_along<entry_at<M, Split::value.over[Dim].code>>::of(y));
    else
      return summed<Blocks, Dim + 1>(y);
  }

  template <class Out>
  struct result;
  template <class Spec, class T, std::int64_t... Extents>
  struct result<out_block<Spec, T, Extents...>> {
    using out = out_block<Spec, T, Extents...>;
    static constexpr int added = -1;
    static constexpr block_value blocks = blocks_in<Spec, Grid, Tables>(out::shape);
    template <std::size_t D>
    static constexpr entry_value entry = entry_of_result(blocks, Split::value, static_cast<int>(D));
    template <std::size_t... D>
    static auto cut(std::index_sequence<D...>)
        -> out_block<Spec, T, (out::shape[static_cast<int>(D)] / M::value.devices(entry<D>.axes()))...>;
    template <std::size_t... D>
    static auto spec_of(std::index_sequence<D...>) -> P<entry_at<M, entry<D>.code>...>;
    using type = decltype(cut(std::make_index_sequence<sizeof...(Extents)>{}));
    using spec = decltype(spec_of(std::make_index_sequence<sizeof...(Extents)>{}));
  };
  template <class Spec, class T, std::int64_t... Extents>
  struct result<sum_block<Spec, T, Extents...>> : result<out_block<Spec, T, Extents...>> {
    using type = typename as_sum<typename result<out_block<Spec, T, Extents...>>::type>::type;
  };
  // Devices that each have a part of the sum do not each begin with the operand: `finished` adds it.
  template <int Operand, class Out>
  struct result<aliased_block<Operand, Out>> : result<Out> {
    static constexpr int added = is_partial<result<Out>::blocks> ? Operand : -1;
    using own = typename result<Out>::type;
    using type = std::conditional_t < added<0, aliased_block<Operand, own>, own>;
  };
  template <class... Out>
  static constexpr bool sums = (is_partial<result<Out>::blocks> || ...);

  // Result Out of the whole grid from a device's part of it.
  template <class Out, class Y, class... X>
  static constexpr auto finished(Y const& y, X const&... x) {
    auto const sum = summed<result<Out>::blocks, 0>(y);
    if constexpr (result<Out>::added < 0)
      return sum;
    else
      return sum + std::get<static_cast<std::size_t>(result<Out>::added)>(std::tie(x...));
  }

  // F with the ids that programs have in the whole grid.
  template <class F>
  struct function {
    [[no_unique_address]] F f{};
    template <int Dim, class Id>
    static constexpr auto whole_id(Id const& id) {
      constexpr entry_value over = Split::value.over[Dim];
      if constexpr (over.empty())
        return id;
      else
        return id + index_along<entry_at<M, over.code>>::of() * (Grid::value.extent[Dim] / devices(Dim));
    }
    template <class... Id, std::size_t... I>
    static constexpr auto whole(kernel_program<Id...> const& program, std::index_sequence<I...>) {
      auto const ids = std::make_tuple(whole_id<static_cast<int>(I)>(std::get<I>(program.ids))...);
      return whole_program(ids);
    }
    template <class... Id>
    static constexpr auto whole_program(std::tuple<Id...> const& ids) {
      kernel_program<Id...> made{ids, {}};
      for (std::size_t d = 0; d < sizeof...(Id); ++d) made.count[d] = Grid::value.extent[d];
      return made;
    }
    template <class Program>
    using whole_of = decltype(whole(std::declval<Program const&>(),
                                    std::make_index_sequence<static_cast<std::size_t>(Grid::rank)>{}));

    template <class... B>
      requires(!KernelProgram<std::remove_cvref_t<B>> && ...)
    &&std::is_invocable_v<F const&, B...> constexpr void operator()(B&&... block) const { f(block...); }
    template <KernelProgram Program, class... B>
      requires std::is_invocable_v<F const&, whole_of<Program>, B...>
    constexpr void operator()(Program const& program, B&&... block) const {
      f(whole(program, std::make_index_sequence<static_cast<std::size_t>(Grid::rank)>{}), block...);
    }
  };
};

// A device's part of a kernel, and the sums over devices that its results need.
template <class Part, class Own, class... Out>
struct added_over_devices {
  Own own;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = own(x...);
    if constexpr (sizeof...(Out) == 1)
      return (Part::template finished<Out>(parts, x...), ...);
    else
      return std::apply([&](auto const&... y) { return std::tuple{Part::template finished<Out>(y, x...)...}; }, parts);
  }
};

}  // namespace tessera::detail
