// SPDX-License-Identifier: Apache-2.0
// expect: the operands live on different meshes.
// expect-fix: take both as arguments of the vmap with an axis name
// points-at: return ts::sum(row) * ts::pmean<inner>(x);
// Of two vmaps with axis names the inner one reads a slice of the outer one that is not its argument.

#include <tessera/types.hpp>

namespace ts = tessera;

struct outer : ts::axis {};
struct inner : ts::axis {};

struct all_pairs {
  constexpr auto operator()(auto rows, auto xs) const {
    return ts::vmap<ts::axis_names<outer>>([&](auto row) {
#ifdef TESSERA_MISUSE
      return ts::vmap<ts::axis_names<inner>>([&](auto x) { return ts::sum(row) * ts::pmean<inner>(x); })(xs);
#else
      return ts::vmap<ts::in_axes<ts::unmapped, 0>, ts::axis_names<inner>>(
          [](auto row, auto x) { return ts::sum(row) * ts::pmean<inner>(x); })(row, xs);
#endif
    })(rows);
  }
};

template <class Shape>
using floats = ts::array_type<float, Shape, ts::P<>, ts::no_mesh>;

int main() { ts::check<all_pairs, floats<ts::shape<2, 3>>, floats<ts::shape<4>>>(); }
