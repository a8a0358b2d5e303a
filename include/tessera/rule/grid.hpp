// SPDX-License-Identifier: Apache-2.0
#pragma once
// The grid of a kernel as plain values: its extents, the block of each operand and result, and which block an instance
// of the program works on. Checks of both. kernel/kernel.hpp has the types that users write.

#include <tessera/base/inplace_list.hpp>

#include <concepts>
#include <cstdint>

namespace tessera {

inline constexpr int max_grid = 6;            // dimensions of a grid, without those of vmap
inline constexpr int max_batches = max_rank;  // of vmap: rule/batched_grid.hpp
inline constexpr int max_outputs = 8;         // results of a kernel
using program_ids = std::int64_t[max_grid + max_batches];

// A number as a function of the program ids: constant + sum of times * (id / divided % modulo), and maybe a number that a
// table holds, which is known when the kernel runs. Index maps compute with them: + and - of two, * / and % by constants.
// What has another form is not `valid`.
struct grid_index {
  struct part {
    int dim = 0;
    std::int64_t divided = 1, modulo = 0, times = 1;  // modulo 0: none
    constexpr bool operator==(part const&) const = default;
    // Rounds down, as JAX does.
    constexpr std::int64_t of(std::int64_t x) const {
      x = x / divided - (x % divided < 0);
      if (modulo > 0) x = (x % modulo + modulo) % modulo;
      return times * x;
    }
  };
  static constexpr int most_parts = 4;
  // value.of(element constant + sum of parts of a table, in row-major order); value.dim is the operand that is the table.
  struct lookup {
    part value{-1, 1, 0, 0};
    std::int64_t constant = 0;
    inplace_list<part, most_parts + max_batches> parts{};
  };
  std::int64_t constant = 0;
  inplace_list<part, most_parts> parts{};
  lookup read{};
  bool valid = true, outside_table = false;

  constexpr grid_index() = default;
  template <std::integral I>
  constexpr grid_index(I number) : constant(static_cast<std::int64_t>(number)) {}
  static constexpr grid_index of(int dim) {
    grid_index id;
    id.parts.push_back({dim});
    return id;
  }

  // Element `flat` of a table.
  static constexpr grid_index read_from(int operand, grid_index const& flat) {
    grid_index made;
    made.read = {{operand}, flat.constant};
    for (part const& p : flat.parts) made.read.parts.push_back(p);
    made.valid = flat.valid && !flat.reads();
    return made;
  }

  constexpr bool reads() const { return read.value.dim >= 0; }
  constexpr bool is_constant() const { return parts.empty() && !reads(); }
  // tables: by operand, what it holds; for a number that reads none: nothing.
  constexpr std::int64_t at(std::int64_t const* ids, std::int32_t const* const* tables = nullptr) const {
    std::int64_t const value = sum_at(constant, parts.begin(), parts.end(), ids);
    if (!reads()) return value;
    return value + read.value.of(tables[read.value.dim][element_at(ids)]);
  }
  // Which element of the table is read.
  constexpr std::int64_t element_at(std::int64_t const* ids) const {
    return sum_at(read.constant, read.parts.begin(), read.parts.end(), ids);
  }
  constexpr bool depends_on(int dim) const {
    for (part const& p : parts)
      if (p.dim == dim) return true;
    for (part const& p : read.parts)
      if (p.dim == dim) return true;
    return false;
  }
  // Whether it is program id `dim` itself.
  constexpr bool is_id(int dim) const {
    return constant == 0 && parts.size() == 1 && parts[0] == part{dim} && !reads();
  }

  friend constexpr grid_index operator+(grid_index x, grid_index const& y) {
    x.constant += y.constant;
    x.valid = x.valid && y.valid && !(x.reads() && y.reads());
    x.outside_table = x.outside_table || y.outside_table;
    if (y.reads()) x.read = y.read;
    for (part const& p : y.parts) {
      if (x.parts.size() == x.parts.capacity())
        x.valid = false;
      else
        x.parts.push_back(p);
    }
    return x;
  }
  friend constexpr grid_index operator*(grid_index const& x, grid_index const& y) {
    bool const valid = x.valid && y.valid && (x.is_constant() || y.is_constant());
    grid_index made = x.is_constant() ? y.scaled(x.constant) : x.scaled(y.constant);
    made.valid = valid;
    return made;
  }
  friend constexpr grid_index operator-(grid_index const& x, grid_index const& y) { return x + y.scaled(-1); }
  friend constexpr grid_index operator/(grid_index const& x, grid_index const& y) { return x.taken_apart(y, false); }
  friend constexpr grid_index operator%(grid_index const& x, grid_index const& y) { return x.taken_apart(y, true); }

private:
  // No template of the lists: clang 19 does not know it in constants of templates.
  static constexpr std::int64_t sum_at(std::int64_t constant, part const* p, part const* end, std::int64_t const* ids) {
    for (; p != end; ++p) constant += p->of(ids[p->dim]);
    return constant;
  }
  // The quotient or remainder of a constant, or of one id or number of a table that is no remainder.
  constexpr grid_index taken_apart(grid_index const& by, bool remainder) const {
    grid_index made = *this;
    std::int64_t const n = by.constant;
    if (!by.valid || !by.is_constant() || n <= 0) {
      made.valid = false;
      return made;
    }
    if (is_constant()) {
      made.constant = remainder ? constant % n : constant / n;
      return made;
    }
    part& only = reads() ? made.read.value : made.parts[0];
    if (parts.size() + reads() > 1 || constant != 0 || only.times != 1 || only.modulo != 0)
      made.valid = false;
    else if (remainder)
      only.modulo = n;
    else
      only.divided *= n;
    return made;
  }
  constexpr grid_index scaled(std::int64_t by) const {
    grid_index made = *this;
    made.constant *= by;
    for (int i = 0; i < made.parts.size(); ++i) made.parts[i].times *= by;
    made.read.value.times *= by;
    return made;
  }
};

// The blocks of one array: `extent` elements along each of its dimensions, at block number `at`. Squeezed dimensions, of
// extent 1, are left out of what the kernel sees. By element: `at` is the first element of the block, in the array with
// `before` and `behind` zeros around it.
struct block_value {
  int rank = 0;
  by_dim<std::int64_t> whole{}, extent{}, before{}, behind{};
  by_dim<bool> squeezed{}, by_element{};
  by_dim<grid_index> at{};
  bool refused = false;   // written with another number of extents or map results than the array has dimensions
  bool takes_ids = true;  // not: its map does not take the program ids
  int alias = -1;         // of a result: the operand whose values it begins with; -1: it begins as zeros
  bool summed = false;    // of a result: instances add to it

  // The numbers that blocks have: 0 to blocks(d) - 1.
  constexpr std::int64_t blocks(int d) const {
    if (by_element[d]) return before[d] + whole[d] + behind[d] - extent[d] + 1;
    return extent[d] > 0 ? (whole[d] + extent[d] - 1) / extent[d] : 1;
  }
  // Elements between the beginnings of blocks of neighboring numbers.
  constexpr std::int64_t step(int d) const { return by_element[d] ? 1 : extent[d]; }
  constexpr bool divides(int d) const {
    if (by_element[d]) return !padded(d);
    return extent[d] > 0 && whole[d] % extent[d] == 0;
  }
  constexpr bool padded(int d) const { return before[d] > 0 || behind[d] > 0; }
  // Whether all blocks lie within the array.
  constexpr bool divides() const {
    for (int d = 0; d < rank; ++d)
      if (!divides(d)) return false;
    return true;
  }
  // Whether a block's number is known only when the kernel runs.
  constexpr bool reads() const {
    for (int d = 0; d < rank; ++d)
      if (at[d].reads()) return true;
    return false;
  }
  // Whether a block is one run of the array's row-major memory.
  constexpr bool is_run() const {
    bool inner_whole = true;
    for (int d = rank - 1; d >= 0; --d) {
      if (!inner_whole && extent[d] != 1) return false;
      inner_whole = inner_whole && extent[d] == whole[d];
    }
    return true;
  }
};

// The first `parallel` dimensions are independent instances; the others run in order, the last one fastest.
struct grid_value {
  int rank = 0, parallel = 0;
  std::int64_t extent[max_grid + max_batches]{};
  int inputs = 0, outputs = 0, scratches = 0;
  block_value const* blocks = nullptr;  // of the inputs, then of the outputs

  constexpr std::int64_t instances(int first, int last) const {
    std::int64_t all = 1;
    for (int d = first; d < last; ++d) all *= extent[d];
    return all;
  }
  constexpr std::int64_t instances() const { return instances(0, rank); }
  // Program ids of dimensions first .. last - 1 for instance `number` of these.
  constexpr void ids_at(std::int64_t number, int first, int last, std::int64_t* ids) const {
    for (int d = last - 1; d >= first; --d) {
      ids[d] = number % extent[d];
      number /= extent[d];
    }
  }
  constexpr block_value const& output(int k) const { return blocks[inputs + k]; }
};

// What is wrong with a kernel: error/malformed_kernel.hpp has a sentence for each.
enum class grid_fault : std::uint8_t {
  none,
  grid_extents,  // more than 6, or one below 1
  grid_order,    // a parallel dimension behind a sequential one
  operand_count,
  result_count,
  alias,
  dynamic_extent,
  split_operand,
  block_rank,
  map_arguments,
  map_form,
  table_type,
  table_index,
  block_extent,
  outside,
  outside_elements,
  element_zeros,
  element_result,
  written_twice,
  sum_of_flags,  // blocks of bool are added
  not_covered,
  function,     // it does not take the blocks
  held_result,  // it takes a result or scratch memory by value, or as a constant
};
struct grid_verdict {
  grid_fault fault = grid_fault::none;
  int operand = -1, dim = -1;  // of the inputs, then of the outputs
};

namespace detail {

// The instances that are tried one by one while compiling.
inline constexpr std::int64_t most_tried = 1 << 14;

constexpr std::int64_t most_of(grid_index const& x, grid_value const& g, bool least) {
  std::int64_t value = x.constant;
  for (grid_index::part const& p : x.parts) {
    std::int64_t last = (g.extent[p.dim] - 1) / p.divided;
    if (p.modulo > 0 && last > p.modulo - 1) last = p.modulo - 1;
    if ((p.times < 0) == least) value += p.times * last;
  }
  return value;
}
constexpr bool depends_on(block_value const& b, int dim) {
  for (int d = 0; d < b.rank; ++d)
    if (b.at[d].depends_on(dim)) return true;
  return false;
}
// Whether each grid dimension of more than one instance that a map names is one of its results as it is, so that
// instances that differ in one of them work on different blocks.
constexpr bool is_one_to_one(block_value const& b, grid_value const& g) {
  for (int dim = 0; dim < g.rank; ++dim) {
    bool itself = g.extent[dim] == 1 || !depends_on(b, dim);
    for (int d = 0; d < b.rank; ++d) itself = itself || b.at[d].is_id(dim);
    if (!itself) return false;
  }
  return true;
}
constexpr std::int64_t block_count(block_value const& b) {
  std::int64_t all = 1;
  for (int d = 0; d < b.rank; ++d) all *= b.blocks(d);
  return all;
}

// Whether results are written once by the parallel instances, and wholly unless they begin with values; where a table says
// the block, the run does. `seen`: by block, the instance that writes it.
template <class Seen>
constexpr grid_fault judge_output(block_value const& b, grid_value const& g, Seen& seen) {
  if (b.summed) return grid_fault::none;
  std::int64_t const blocks = block_count(b);
  for (int d = 0; d < g.parallel; ++d)
    if (g.extent[d] > 1 && !depends_on(b, d)) return grid_fault::written_twice;
  if (b.reads()) return grid_fault::none;
  if (is_one_to_one(b, g)) {
    std::int64_t written = 1;
    for (int d = 0; d < g.rank; ++d)
      if (depends_on(b, d)) written *= g.extent[d];
    return written == blocks || b.alias >= 0 ? grid_fault::none : grid_fault::not_covered;
  }
  if (g.instances() > most_tried || blocks > most_tried) return grid_fault::map_form;
  seen.resize(blocks, -1);
  std::int64_t const turns = g.instances(g.parallel, g.rank);
  for (std::int64_t i = 0; i < g.instances(); ++i) {
    program_ids ids{};
    g.ids_at(i, 0, g.rank, ids);
    std::int64_t block = 0;
    for (int d = 0; d < b.rank; ++d) block = block * b.blocks(d) + b.at[d].at(ids);
    auto& by = seen[block];
    if (by >= 0 && by != i / turns) return grid_fault::written_twice;
    by = i / turns;
  }
  for (std::int64_t k = 0; k < blocks && b.alias < 0; ++k)
    if (seen[k] < 0) return grid_fault::not_covered;
  return grid_fault::none;
}

// Seen: a list of std::int64_t that can grow.
template <class Seen>
constexpr grid_verdict judge_grid(grid_value const& g) {
  for (int k = 0; k < g.inputs + g.outputs; ++k) {
    block_value const& b = g.blocks[k];
    if (b.refused) return {b.takes_ids ? grid_fault::block_rank : grid_fault::map_arguments, k};
    for (int d = 0; d < b.rank; ++d) {
      if (b.at[d].outside_table) return {grid_fault::table_index, k, d};
      if (!b.at[d].valid) return {grid_fault::map_form, k, d};
      if (b.extent[d] <= 0) return {grid_fault::block_extent, k, d};
      if (b.by_element[d] && k >= g.inputs) return {grid_fault::element_result, k, d};
      if (b.before[d] < 0 || b.behind[d] < 0) return {grid_fault::element_zeros, k, d};
      if (b.by_element[d] && b.blocks(d) < 1) return {grid_fault::outside_elements, k, d};
      if (b.at[d].reads()) continue;
      if (most_of(b.at[d], g, true) < 0 || most_of(b.at[d], g, false) >= b.blocks(d))
        return {b.by_element[d] ? grid_fault::outside_elements : grid_fault::outside, k, d};
    }
    if (k < g.inputs) continue;
    Seen seen;
    if (grid_fault const found = judge_output(b, g, seen); found != grid_fault::none) return {found, k};
  }
  return {};
}

}  // namespace detail
}  // namespace tessera
