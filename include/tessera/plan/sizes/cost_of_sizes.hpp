// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communication of a program of unknown sizes, as a constant: bytes are polynomials in the sizes.
//   constexpr auto const& cost = comm_of<step, ...>;      // on mesh<explicit_axis<dp, dynamic>, ...>
//   static_assert(cost.at({4, 2, 512}).bytes() == 7168);  // sizes in the order of cost.names()
// The program is lowered with stand-ins for its sizes, each of them changed in turn; the ratio of a block's bytes gives
// the power of the size. If a block depends on a size in another way, or if other sizes have other messages, there is
// no such constant. An axis of one device sends nothing, in agreement with the formulas. Which small messages are
// joined depends on their sizes: here each is counted by itself; at() joins them.

#include <tessera/error/bytes_round_up.hpp>
#include <tessera/error/bytes_vary.hpp>
#include <tessera/graph/canonical.hpp>
#include <tessera/plan/cost/partitioned.hpp>
#include <tessera/plan/lower/link.hpp>
#include <tessera/plan/lower/lower.hpp>
#include <tessera/plan/message/join_messages.hpp>
#include <tessera/plan/sizes/communication_of_sizes.hpp>
#include <tessera/plan/sizes/size_polynomial.hpp>
#include <tessera/plan/sizes/stand_in.hpp>

namespace tessera {

namespace detail {

// The messages of a lowered program for several choices of its sizes.
template <class T>
class cost_finder {
  using sizes = sizes_of<T>;
  static constexpr mesh_value const& typed() { return T::mesh::value; }

public:
  growable<message> messages;
  growable<size_term> blocks;
  size_names names;
  bool found = false;

  constexpr cost_finder() {
    if (!sizes::value.found || !sizes::value.independent || !typed().uneven.empty()) return;
    growable<int> axes;
    for (int a = 0; a < typed().rank; ++a)
      if (typed().size(a) == dynamic) axes.push_back(a);
    if (axes.size() + static_cast<std::size_t>(sizes::value.unknown_count) > max_sizes) return;
    point const base{sizes::value.mesh, sizes::value.values};
    messages = sent_at(base);
    for (message const& m : messages)
      if (m.times == dynamic) return;
    for (message& m : messages) blocks.push_back({m.block, 1, {}});
    point last = base;
    for (int a : axes) {
      point there = base;
      auto const from = base.mesh.size(a), to = sizes::value.other_sizes[a];
      there.mesh.sizes[a] = to;
      last.mesh.sizes[a] = to;
      if (from == to || !follow(sent_at(there), from, to)) return;
      names.push_back({typed().name(a), -1, -1});
    }
    for (int u = 0; u < sizes::value.unknown_count; ++u) {
      point there = base;
      std::int64_t from = 0, to = 0;
      for (std::size_t i = sizes::extents; i-- > 0;) {
        if (sizes::value.unknowns[i] != u) continue;
        from = base.values[i];
        to = from * (2 + u % 2);
        there.values[i] = last.values[i] = to;
        first_ = sizes::value.dims[i];
      }
      if (!follow(sent_at(there), from, to)) return;
      names.push_back({{}, first_.argument, first_.dim});
    }
    // All sizes changed at once, except those of mesh axes.
    last.mesh = base.mesh;
    size_list list;
    for (int a : axes) list.push_back(last.mesh.size(a));
    for (int u = 0; u < sizes::value.unknown_count; ++u)
      for (std::size_t i = 0; i != sizes::extents; ++i)
        if (sizes::value.unknowns[i] == u) {
          list.push_back(last.values[i]);
          break;
        }
    growable<message> const other = sent_at(last);
    found = same_messages(other);
    for (std::size_t i = 0; i < messages.size() && found; ++i)
      found = blocks[i].at(list) == size_term{other[i].block, 1, {}};
  }

private:
  struct point {
    mesh_value mesh;
    std::array<std::int64_t, sizes::extents> values;
  };
  static constexpr growable<message> sent_at(point const& p) {
    growable_graph const traced = partitioned(canonical(sizes::traced(p.mesh, p.values).recorded));
    lowering lowered = lower(traced.view());
    find_kin(lowered);
    return all_messages(lowered);
  }
  constexpr bool same_messages(growable<message> const& other) const {
    if (other.size() != messages.size()) return false;
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (other[i].kind != messages[i].kind || !(other[i].axes == messages[i].axes) ||
          other[i].times != messages[i].times || other[i].kin != messages[i].kin)
        return false;
    return true;
  }
  // Finds the power in each block of the next size of `names`, which changed from `from` to `to`.
  constexpr bool follow(growable<message> const& there, std::int64_t from, std::int64_t to) {
    if (!same_messages(there)) return false;
    std::size_t const at = names.size();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      size_term const ratio = reduced(there[i].block, messages[i].block);
      size_term power{1, 1, {}};
      int p = 0;
      for (; p <= 4; ++p) {
        if (ratio == power || ratio == size_term{power.denominator, power.numerator, {}}) break;
        power = power * reduced(to, from);
      }
      if (p > 4) return false;
      if (!(ratio == power)) p = -p;
      blocks[i].powers[at] = static_cast<std::int8_t>(p);
      for (int k = p; k != 0; k += k < 0 ? 1 : -1) (k > 0 ? blocks[i].denominator : blocks[i].numerator) *= from;
      blocks[i].reduce();
    }
    return true;
  }
  static constexpr size_term reduced(std::int64_t n, std::int64_t d) {
    size_term t{n, d, {}};
    t.reduce();
    return t;
  }

  argument_dim first_{};
};

template <class T>
struct cost_of_sizes {
  using refused = std::conditional_t<T::mesh::value.uneven.empty(), error::bytes_vary<T>, error::bytes_round_up<T>>;
  static constexpr std::size_t count = [] {
    cost_finder<T> const f;
    return f.found ? f.messages.size() : static_cast<std::size_t>(-1);
  }();
  static constexpr bool found = count != static_cast<std::size_t>(-1);
  static constexpr communication_of_sizes<typename T::mesh, found ? count : 0> value = [] {
    cost_finder<T> const f;
    std::array<message, found ? count : 0> messages{};
    std::array<size_term, found ? count : 0> blocks{};
    for (std::size_t i = 0; i != messages.size(); ++i) {  // nvcc warns of `i < 0`
      messages[i] = f.messages[i];
      messages[i].bytes = messages[i].block = dynamic;
      if (messages[i].cause) messages[i].cause = messages[i].cause->bare;
      blocks[i] = f.blocks[i];
    }
    return communication_of_sizes < typename T::mesh, found ? count : 0 > (messages, blocks, f.names);
  }();
};

}  // namespace detail
}  // namespace tessera
