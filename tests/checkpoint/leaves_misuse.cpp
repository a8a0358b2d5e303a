// SPDX-License-Identifier: Apache-2.0
// What a checkpoint cannot hold.

#include <tessera/checkpoint.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
using other = ts::mesh<ts::explicit_axis<dp, 4>>;
struct stream {
  int position = 0;
};
template <class S>
using eight = ts::array<ts::array_type<float, ts::shape<8>, S, line>>;

void save(std::tuple<eight<ts::P<dp>>, int> const& tree, ts::device_mesh<line> const& mesh) {
  ts::save("run", tree);
  static_cast<void>(ts::restore<std::tuple<eight<ts::P<dp>>, int>>("run", mesh));
#if TESSERA_MISUSE == 1
  // expect: a checkpoint has no leaves of this type.
  // expect-fix: names{...}
  ts::save("run", std::tuple{tree, stream{}});
#elif TESSERA_MISUSE == 2
  // expect: sums of an array of this tree are pending
  // expect-fix: reshard it before it is saved
  ts::save("run", ts::array<ts::array_type<float, ts::shape<8>, ts::P<ts::none>, line, ts::unreduced<dp>>>{});
#elif TESSERA_MISUSE == 3
  // expect: an array of the tree is on another type of mesh than the one that restore is given.
  // expect-fix: restore(path, tree)
  static_cast<void>(ts::restore<eight<ts::P<dp>>>("run", ts::device_mesh<other>{}));
#endif
}
