// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stand-ins for sizes that are known at run time only: with them a program can be traced and planned at compile time.
// Extents that must be equal get one number, and extents that must be a certain number get that number; refusals by the
// rules tell which. All others are different and large, and divisible by the stand-ins for mesh axes.

#include <tessera/graph/builder.hpp>

namespace tessera::detail {

// Traces the program with these sizes; `facts`: those of its arguments.
using record_function = builder (*)(mesh_value const& mesh, array_value const* facts);

// An extent of an argument.
struct argument_dim {
  int argument = 0, dim = 0;
};

// The sizes found. `Extents` is the number of unknown extents in the arguments' types.
template <std::size_t Extents>
struct stand_ins {
  bool found = false;
  bool independent = false;  // every extent is a number or an unknown; none depends on others
  mesh_value mesh{};
  by_dim<std::int64_t> other_sizes{};  // of axes: also accepted, one axis at a time
  std::array<argument_dim, Extents> dims{};
  std::array<std::int64_t, Extents> values{};
  std::array<int, Extents> unknowns{};  // which independent unknown it is; -1: it must be a number
  int unknown_count = 0;
};

class size_solver {
public:
  constexpr size_solver(record_function record, mesh_value const& mesh, growable<array_value> const& facts)
      : record_(record), mesh_(mesh), facts_(facts) {
    for (int a = 0; a < mesh.rank; ++a)
      if (mesh.size(a) != dynamic && divisor_ % mesh.size(a)) divisor_ *= mesh.size(a);
    for (std::size_t i = 0; i < facts.size(); ++i)
      for (int d = 0; d < facts[i].rank; ++d)
        if (facts[i].extent(d) == dynamic) {
          dims.push_back({static_cast<int>(i), d});
          same_.push_back(static_cast<int>(same_.size()));
          values_.push_back(number(static_cast<int>(values_.size())));
        }
  }
  constexpr void solve() {
    for (int a = 0; a < mesh_.rank; ++a) {
      known_[a] = mesh_.size(a) != dynamic;
      if (mesh_.size(a) == dynamic) set(a, 1);
    }
    found = false;
    for (std::size_t tries = 0; tries <= dims.size() && !found; ++tries) {
      builder const b = traced();
      found = b.refused.what.why == reason::none;
      if (!found && !learn(b.refused.what)) return;
    }
    for (int a = 0; a < mesh_.rank && found; ++a) {
      if (known_[a]) continue;
      found = choose(a, 1);
      auto const chosen = mesh_.size(a);
      choose(a, chosen);
      other_sizes[a] = mesh_.size(a);
      set(a, chosen);
    }
  }

  bool found = false;
  bool independent = true;
  growable<argument_dim> dims;
  by_dim<std::int64_t> other_sizes{};

  constexpr mesh_value const& mesh() const { return mesh_; }
  constexpr int root(int i) const {
    while (same_[i] != i) i = same_[i];
    return i;
  }
  constexpr std::int64_t value(int i) const { return values_[root(i)]; }
  constexpr bool is_number(int i) const { return value(i) != number(root(i)); }

private:
  static constexpr std::int64_t primes[]{11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71};
  // Different from all others; its quotients do not look like numbers that a user writes.
  constexpr std::int64_t number(int i) const {
    return divisor_ * (i < 16 ? primes[i] : 73 + 2 * static_cast<std::int64_t>(i));
  }
  constexpr void set(int axis, std::int64_t size) { mesh_.sizes[axis] = size; }

  constexpr builder traced() const {
    growable<array_value> facts = facts_;
    for (std::size_t i = 0; i < dims.size(); ++i)
      facts[dims[i].argument].extent(dims[i].dim) = value(static_cast<int>(i));
    return record_(mesh_, facts.data());
  }
  // Sets the axis to the first size, except `otherwise`, that the program accepts; if there is none, to `otherwise`.
  constexpr bool choose(int axis, std::int64_t otherwise) {
    for (std::int64_t const size : {2, 4, 3, 8, 6, 5, 7, 10}) {
      if (size == otherwise) continue;
      set(axis, size);
      if (traced().refused.what.why == reason::none) return true;
    }
    set(axis, otherwise);
    return false;
  }
  constexpr int holder_of(std::int64_t size) const {
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (same_[i] == static_cast<int>(i) && values_[i] == size) return static_cast<int>(i);
    return -1;
  }
  constexpr bool looks_derived(std::int64_t size) const {
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (size % number(static_cast<int>(i)) == 0) return true;
    return size > divisor_ * 11;
  }
  // Learns from a refusal because two sizes differ.
  constexpr bool learn(verdict const& refused) {
    if (refused.why != reason::shapes_disagree) return false;
    int const left = holder_of(refused.size), right = holder_of(refused.other);
    if (left >= 0 && right >= 0 && left != right) {
      int const first = left < right ? left : right, second = left < right ? right : left;
      same_[second] = first;
      auto& kept = values_[first];
      auto const other = values_[second];
      if (kept == number(first) && other != number(second)) kept = other;
      return true;
    }
    if (left < 0 && right < 0) return false;
    std::size_t const holder = left >= 0 ? left : right;
    auto const size = left >= 0 ? refused.other : refused.size;
    if (size < 0 || values_[holder] != number(static_cast<int>(holder))) return false;
    if (looks_derived(size)) independent = false;
    values_[holder] = size;
    return true;
  }

  record_function record_;
  mesh_value mesh_;
  growable<array_value> facts_;
  by_dim<bool> known_{};
  growable<int> same_;
  growable<std::int64_t> values_;
  std::int64_t divisor_ = 60;
};

template <class T>
struct sizes_of {
  static constexpr growable<array_value> arguments() {
    growable<array_value> facts;
    for (int id : T::program.inputs) facts.push_back(T::program.nodes[id].facts);
    return facts;
  }
  static constexpr std::size_t extents = [] {
    std::size_t n = 0;
    for (array_value const& x : arguments())
      for (int d = 0; d < x.rank; ++d) n += x.extent(d) == dynamic;
    return n;
  }();
  static constexpr stand_ins<extents> value = [] {
    size_solver solver(&T::record, T::mesh::value, arguments());
    solver.solve();
    stand_ins<extents> s;
    s.found = solver.found;
    s.independent = solver.independent;
    s.mesh = solver.mesh();
    s.other_sizes = solver.other_sizes;
    std::array<int, extents> numbered{};
    for (std::size_t i = 0; i != extents; ++i) {
      int const at = static_cast<int>(i), root = solver.root(at);
      s.dims[i] = solver.dims[i];
      s.values[i] = solver.value(at);
      if (root == at && !solver.is_number(at)) numbered[i] = s.unknown_count++;
      s.unknowns[i] = solver.is_number(at) ? -1 : numbered[root];
    }
    return s;
  }();

  // Traces the program with these sizes of axes and of unknown extents.
  static constexpr builder traced(mesh_value const& mesh, std::array<std::int64_t, extents> const& values) {
    growable<array_value> facts = arguments();
    for (std::size_t i = 0; i != extents; ++i) facts[value.dims[i].argument].extent(value.dims[i].dim) = values[i];
    return T::record(mesh, facts.data());
  }
};

}  // namespace tessera::detail
