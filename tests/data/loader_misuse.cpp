// SPDX-License-Identifier: Apache-2.0
// Loaders whose sources and types do not belong together.

#include <tessera/data.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using other = ts::mesh<ts::explicit_axis<dp, 8>>;

template <class T, class M, std::int64_t... E>
using split = ts::array_type<T, ts::shape<E...>, ts::P<dp>, M>;

auto use(ts::device_mesh<grid> const& mesh, ts::rows_of<float> const& images,
         [[maybe_unused]] ts::rows_of<std::int32_t> const& labels) {
#if TESSERA_MISUSE == 1
  // expect: a source's numbers are of another dtype than the array of the batch.
  // expect-fix: as columns<float>() and rows<float>() give them
  ts::loader<split<float, grid, 8, 64>, split<float, grid, 8>> batches(mesh, {}, images, labels);
#elif TESSERA_MISUSE == 2
  // expect: a loader has one source for each of its types.
  ts::loader<split<float, grid, 8, 64>, split<std::int32_t, grid, 8>> batches(mesh, {}, images);
#elif TESSERA_MISUSE == 3
  // expect: the arrays of a batch have as many rows each.
  ts::loader<split<float, grid, 8, 64>, split<std::int32_t, grid, 16>> batches(mesh, {}, images, labels);
#elif TESSERA_MISUSE == 4
  // expect: the arrays of a batch are on one mesh.
  ts::loader<split<float, grid, 8, 64>, split<std::int32_t, other, 8>> batches(mesh, {}, images, labels);
#elif TESSERA_MISUSE == 5
  // expect: this loader is gone before the loop over its epoch begins.
  // expect-fix: batches.epoch()
  int batches_seen = 0;
  for ([[maybe_unused]] auto const& batch :
       ts::loader<split<float, grid, 8, 64>, split<std::int32_t, grid, 8>>(mesh, {}, images, labels).epoch())
    ++batches_seen;
  return batches_seen;
#else
  ts::loader<split<float, grid, 8, 64>, split<std::int32_t, grid, 8>> batches(mesh, {}, images, labels);
#endif
#if TESSERA_MISUSE != 5
  return batches.batches();
#endif
}
