// SPDX-License-Identifier: Apache-2.0
// What happens at the ends of what memory, lists and launches can hold.

#include <tessera/engine/api/sized_programs.hpp>
#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/op/index/sort_kernel.hpp>
#include <tessera/op/linalg/linalg_host.hpp>
#include <tessera/tessera.hpp>

#include "support/on_grid.hpp"

#include <atomic>
#include <thread>

namespace {

namespace ts = tessera;
using namespace on_grid;

// Memory that nobody gave is not counted.
TEST(limits, memory_that_there_is_not) {
  auto const before = ts::memory_in_use();
  EXPECT_THROW(ts::buffer(std::size_t{1} << 46), std::bad_alloc);
  EXPECT_EQ(ts::memory_in_use().live_bytes, before.live_bytes);
  EXPECT_EQ(ts::memory_in_use().live_buffers, before.live_buffers);
}

TEST(limits, full_lists) {
  ts::inplace_list<int, 2> list{1, 2};
  EXPECT_THROW(list.push_back(3), std::length_error);
  EXPECT_EQ(list.size(), 2);
  ts::array_value x;
  for (int d = 0; d < ts::max_rank; ++d) x.add_dim(1);
  EXPECT_THROW(x.add_dim(1), std::length_error);
}
#if !defined(__CUDACC__)  // nvcc 13 takes no lambda in a concept for a constant
template <int Count>
concept list_of = requires {
  typename std::integral_constant<int, [] {
    ts::inplace_list<int, 2> list;
    for (int i = 0; i < Count; ++i) list.push_back(i);
    return list.size();
  }()>;
};
static_assert(list_of<2>);
static_assert(!list_of<3>);
#endif

// A ninth axis in one entry names one of the eight twice.
TEST(limits, nine_axes_in_one_entry) {
  ts::mesh_value mesh;
  ts::entry_value entry;
  for (int a = 0; a < ts::max_rank; ++a) {
    mesh.sizes[mesh.rank++] = 1;
    entry.append(a);
  }
  EXPECT_EQ(entry.count(), 8);
  EXPECT_EQ(ts::shared_front(entry, entry), 8);
  EXPECT_EQ(ts::joined(entry, {}), entry);
  EXPECT_EQ(entry.axis(8), -1);
  entry.append(7);
  EXPECT_EQ(entry.count(), 8);
  ts::array_value x;
  x.add_dim(1, entry);
  EXPECT_EQ(ts::rule::lawful(x, mesh).why, ts::reason::axis_used_twice);
}

// Three sizes that are not known multiply to no number below 0.
TEST(limits, paths_of_unknown_sizes) {
  ts::mesh_value mesh;
  for (std::int64_t size : {2, 3}) mesh.sizes[mesh.rank++] = size;
  ts::array_value x;
  for (int d = 0; d < 6; ++d) x.add_dim(ts::dynamic);
  ts::array_value y = x;
  x.entry(0) = ts::only(0);
  x.entry(1) = ts::only(1);
  y.entry(2) = ts::only(0);
  y.entry(3) = ts::only(1);
  auto const path = ts::find_path(mesh, x, ts::blocks_of(x), ts::blocks_of(y));
  ASSERT_EQ(path.size(), 2);
  for (auto const& move : path) EXPECT_EQ(move.what, ts::layout_move::kind::all_to_all);
}

void throwing_tile(void const*, std::byte* const*, std::int64_t tile) {
  if (tile == 5) throw std::runtime_error("tile 5");
}
TEST(limits, a_tile_that_throws) {
  for (std::int64_t bytes : {std::int64_t{0}, std::int64_t{1} << 30}) try {
      ts::detail::launch_tiles("throwing", {&throwing_tile, nullptr, nullptr}, 64, bytes);
      ADD_FAILURE() << "nothing was thrown";
    } catch (std::runtime_error const& e) {
      EXPECT_STREQ(e.what(), "tile 5");
    }
}

// LAPACK's workspace is counted in int: 2 n^2 + 6 n + 1, of gesdd less than 5 k^2 + 256 (n + m).
TEST(limits, lapack) {
  namespace linalg = ts::ops::linalg;
  static_assert(linalg::lapack_counts_eigh(32000));
  static_assert(!linalg::lapack_counts_eigh(32767));
  static_assert(linalg::lapack_counts(32767, 32767));
  static_assert(linalg::lapack_counts_svd<double>(20000, 20000) && linalg::lapack_counts_svd<double>(1000000, 30));
  static_assert(!linalg::lapack_counts_svd<double>(20001, 20001) &&
                !linalg::lapack_counts_svd<double>(std::int64_t{1} << 30, 30));
  static_assert(linalg::lapack_counts_svd<ts::complex64>(15000, 15000) &&
                !linalg::lapack_counts_svd<ts::complex64>(20000, 20000));
  static_assert(!linalg::lapack_counts(32767, std::int64_t{1} << 31));
}
TEST(limits, counters_of_both_widths_sort_alike) {
  std::vector<std::uint32_t> keys(1000), other, spare(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i * 2654435761u);
  other = keys;
  auto const own = [](std::uint32_t k) { return k; };
  auto* const wide = ts::ops::sorting::by_digits_counted<std::uint64_t>(keys.data(), spare.data(), 1000, own, 4);
  std::sort(other.begin(), other.end());
  EXPECT_TRUE(std::equal(other.begin(), other.end(), wide));
  EXPECT_NO_THROW(ts::ops::sorting::require_positions(std::int64_t{1} << 31));
  EXPECT_THROW(ts::ops::sorting::require_positions((std::int64_t{1} << 31) + 1), std::length_error);
}

// BLAS counts in int: products that do not fit are cut into panels, or computed by our own loops.
TEST(limits, blas) {
  ts::product tall;
  std::int64_t const rows = (std::int64_t{1} << 31) + 16;
  tall.m.push_back({rows, 4, 0, 4});
  tall.n.push_back({4, 0, 1, 1});
  tall.k.push_back({4, 1, 4, 0});
  auto const cut = ts::detail::prepare(tall);
  EXPECT_EQ(cut.way, ts::detail::product_way::blas);
  EXPECT_LE(cut.row_panel, std::numeric_limits<int>::max());
  EXPECT_GE(cut.row_panel * cut.row_panels, rows);
  ts::product deep;
  deep.m.push_back({4, 1, 0, 4});
  deep.n.push_back({4, 0, 1, 1});
  deep.k.push_back({rows, 4, 4, 0});
  EXPECT_NE(ts::detail::prepare(deep).way, ts::detail::product_way::blas);
}

// A contraction over several dimensions, one of them without elements, is 0 everywhere.
struct contracts {
  constexpr auto operator()(auto x, auto y) const { return ts::einsum<"iabc,cbaj->ij">(x, y); }
};
TEST(limits, empty_contraction) {
  for (int turn = 0; turn < 2; ++turn) {
    {
      auto const dirty = put<ts::P<>, 3, 4>(1);  // the pool's memory is not zero
      EXPECT_NE(dirty.to_host()[1], 0);
    }
    auto const x = put<ts::P<>, 3, 2, 0, 5>(1);
    auto const y = put<ts::P<>, 5, 0, 2, 4>(1);
    expect(run<contracts>(x, y), std::vector<double>(12, 0));
    expect(ts::jit<contracts>(x, y), std::vector<double>(12, 0));
  }
}

// Of an array whose sums are pending no device has the whole.
TEST(limits, pending_sums_are_not_replicated) {
  auto const x = put<ts::P<ts::none, mp>, 4, 2>(1);
  auto const w = put<ts::P<mp>, 2>(1);
  auto const pending = ts::matmul(x, w, ts::out_sharding<ts::P<ts::none, ts::unreduced<mp>>>);
  EXPECT_FALSE(pending.is_fully_replicated());
  EXPECT_FALSE(pending.sharding().is_fully_replicated());
  EXPECT_TRUE((put<ts::P<>, 4>(1).is_fully_replicated()));
}

// A shard keeps its memory when the array is gone.
TEST(limits, shards_outlive_their_array) {
  auto const shards = put<ts::P<dp>, 8>(counted(8)).addressable_shards();
  auto const again = put<ts::P<dp>, 8>(counted(8, 7));
  if (ts::runs_on_host) {
    EXPECT_EQ(shards[2].data[1], shards[2].to_host()[1]);
  }
  EXPECT_EQ(shards[2].to_host()[1], 3 + 2 * 0 + (shards[2].index[0].start - 2));
}

TEST(limits, one_list_of_devices) {
  auto const* const before = ts::local_devices().data();
  int argc = 0;
  char* argv[]{nullptr};
  { ts::runtime const same{argc, argv, ts::device_count()}; }
  EXPECT_THROW(ts::runtime(argc, argv, ts::device_count() + 1), std::logic_error);
  EXPECT_EQ(ts::local_devices().data(), before);
}

// Programs by sizes: planned by several threads at once, and no more than some are kept.
struct doubles {
  constexpr auto operator()(auto x) const { return x + x; }
};
TEST(limits, programs_of_many_sizes) {
  std::atomic<int> wrong{0};
  auto const work = [&](std::int64_t from) {
    for (std::int64_t n = from; n < from + 150; ++n) {
      auto const x = ts::asarray(std::vector<float>(static_cast<std::size_t>(n), 1));
      auto const y = run<doubles>(x).to_host();
      wrong += y.size() != static_cast<std::size_t>(n) || y[0] != 2 || y[y.size() - 1] != 2;
    }
  };
  std::thread one(work, 1), two(work, 75);
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
}
TEST(limits, programs_are_given_up) {
  ts::detail::sized_programs programs;
  ts::mesh_value const mesh;
  auto const of_size = [&](std::int64_t n) {
    ts::stored_array x;
    x.facts.add_dim(n);
    return std::vector<ts::stored_array>{x};
  };
  auto const make = [&](std::int64_t n) {
    ts::builder b;
    ts::array_value facts;
    facts.add_dim(n);
    b.recorded.outputs.push_back(b.argument(ts::info<ts::ops::argument>, facts).id);
    return std::make_shared<ts::detail::run_time_program>(std::move(b.recorded));
  };
  auto const first = programs.keep(mesh, of_size(1), make(1));
  for (std::int64_t n = 2; n < 300; ++n) {
    programs.keep(mesh, of_size(n), make(n));
    EXPECT_EQ(programs.find(mesh, of_size(1)), first);  // used again and again: kept
  }
  EXPECT_EQ(programs.size(), ts::detail::sized_programs::most);
  EXPECT_EQ(programs.find(mesh, of_size(2)), nullptr);
}

}  // namespace
