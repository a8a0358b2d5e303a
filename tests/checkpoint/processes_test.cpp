// SPDX-License-Identifier: Apache-2.0
// Checkpoints of several processes, for which threads of this one stand: saved by some, restored by others.

#include <tessera/api/processes.hpp>
#include <tessera/checkpoint.hpp>
#include <tessera/comm/threads/threads.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/engine/checkpoint/read_pieces.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::own_folder;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 37 % 1009) - 300.5f;
  return values;
}
void in_processes(int ranks, std::function<void()> const& f) {
  if (ranks == 1) return f();
  ts::run_ranks(ranks, [&](std::shared_ptr<ts::channel> world) {
    ts::detail::join_world_as_thread(world);
    f();
    ts::detail::join_world_as_thread(nullptr);
  });
}

// Of 48 devices, which 1, 2, 3, 4 and 6 processes divide, the first ones of each.
template <int Dp, int Mp>
using sized = ts::mesh<ts::explicit_axis<dp, Dp>, ts::explicit_axis<mp, Mp>>;
using uneven = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;

template <class M>
auto state_on(ts::device_mesh<M> const& mesh, float shift) {
  auto values = numbers(24 * 24);
  for (auto& v : values) v += shift;
  auto const whole = ts::host<24, 24>(values);
  return std::tuple{ts::device_put<P<dp, mp>>(whole, mesh),
                    ts::device_put<P<none, dp>>(whole, mesh),
                    ts::device_put<P<ts::axes<mp, dp>>>(whole, mesh),
                    ts::device_put<P<>>(whole, mesh),
                    ts::device_put(whole),
                    17};
}
template <class State>
void expect_state(State const& state, float shift) {
  auto values = numbers(24 * 24);
  for (auto& v : values) v += shift;
  EXPECT_EQ(std::get<5>(state), 17);
  auto const check = [&](auto const& x) {
    auto const all = ts::process_allgather(x);
    EXPECT_TRUE(std::equal(all.begin(), all.end(), values.begin(), values.end()));
  };
  check(std::get<0>(state));
  check(std::get<1>(state));
  check(std::get<2>(state));
  check(std::get<3>(state));
  auto const own = std::get<4>(state).to_host();
  EXPECT_TRUE(std::equal(own.begin(), own.end(), values.begin(), values.end()));
}
template <class M>
void written_by(int ranks, own_folder const& folder) {
  in_processes(ranks, [&] {
    auto const mesh = ts::make_mesh<M>(ts::devices());
    ts::save(folder / "x", state_on(mesh, 0));
    auto saving = ts::save_async(folder / "y", state_on(mesh, 1));
    saving.wait();
  });
}
template <class M>
void read_by(int ranks, own_folder const& folder) {
  in_processes(ranks, [&] {
    auto const mesh = ts::make_mesh<M>(ts::devices());
    using state = decltype(state_on(mesh, 0));
    expect_state(ts::restore<state>(folder / "x", mesh), 0);
    expect_state(ts::restore(folder / "y", state_on(mesh, 5)), 1);
  });
}
void read_by_all(own_folder const& folder) {
  for (int ranks : {1, 2, 4}) read_by<sized<4, 2>>(ranks, folder);
  for (int ranks : {1, 4}) read_by<sized<2, 4>>(ranks, folder);
  read_by<sized<8, 1>>(8, folder);
  for (int ranks : {1, 3}) read_by<sized<3, 2>>(ranks, folder);
  read_by<sized<1, 1>>(1, folder);
}

TEST(CheckpointsOfProcesses, OneWrites) {
  own_folder const folder;
  written_by<sized<4, 2>>(1, folder);
  read_by_all(folder);
}
TEST(CheckpointsOfProcesses, TwoWrite) {
  own_folder const folder;
  written_by<sized<4, 2>>(2, folder);
  EXPECT_TRUE(std::filesystem::exists(folder / "x/arrays-00001-of-00002.safetensors"));
  read_by_all(folder);
}
TEST(CheckpointsOfProcesses, ThreeWrite) {
  own_folder const folder;
  written_by<sized<3, 2>>(3, folder);
  read_by_all(folder);
}

#ifndef TESSERA_BY_DAY
TEST(CheckpointsOfProcesses, FourWrite) {
  own_folder const folder;
  written_by<sized<2, 4>>(4, folder);
  read_by_all(folder);
}
TEST(CheckpointsOfProcesses, EachBlockIsWrittenOnce) {
  own_folder const folder;
  written_by<sized<4, 2>>(4, folder);
  std::uintmax_t bytes = 0;
  for (int r = 0; r < 4; ++r) {
    auto const size =
        std::filesystem::file_size(folder / ("x/arrays-0000" + std::to_string(r) + "-of-00004.safetensors"));
    bytes += size - 4096;
  }
  EXPECT_EQ(bytes, 5u * 24 * 24 * 4);
}
TEST(CheckpointsOfProcesses, UnevenBlocks) {
  own_folder const folder;
  auto const values = numbers(7 * 5);
  auto const on = [&] {
    return ts::device_put<P<dp, mp>>(ts::host<7, 5>(values), ts::make_mesh<uneven>(ts::devices()));
  };
  for (int writers : {4, 2, 1})
    for (int readers : {1, 2, 4}) {
      in_processes(writers, [&] { ts::save(folder / "x", on()); });
      in_processes(readers, [&] {
        auto const x = ts::restore<decltype(on())>(folder / "x", ts::make_mesh<uneven>(ts::devices()));
        auto const all = ts::process_allgather(x);
        EXPECT_TRUE(std::equal(all.begin(), all.end(), values.begin(), values.end()));
      });
    }
}

// A process reads the bytes of its own blocks, and of another split the MiBs that have some of them.
TEST(CheckpointsOfProcesses, ReadWhatTheyNeed) {
  own_folder const folder;
  constexpr std::int64_t rows = 2048, columns = 1024;
  in_processes(4, [&] {
    auto const mesh = ts::make_mesh<sized<4, 2>>(ts::devices());
    auto const x = ts::device_put<P<dp>>(ts::host<rows, columns>(numbers(rows * columns)), mesh);
    ts::save(folder / "four", x);
    if (ts::process_index() == 0)
      ts::save(folder / "one", ts::device_put(ts::host<rows, columns>(numbers(rows * columns))));
    ts::sync_global_devices("saved");
    auto const read = [&](std::string const& name, auto const& as) {
      auto const opened = ts::detail::open_checkpoint(folder / name);
      std::vector<std::byte> memory(as.stored().memory.size());
      auto const parts = ts::detail::local_parts(as.stored().facts, as.mesh(), memory.data());
      ts::detail::piece_reader reader(opened);
      reader.want(opened.index.arrays.at(0), parts);
      reader.read_all();
      return reader.bytes_read();
    };
    EXPECT_EQ(read("four", x), rows * columns);  // a quarter, of four bytes
    EXPECT_EQ(read("one", x), rows * columns);
    auto const both = ts::device_put<P<mp, dp>>(x);
    EXPECT_EQ(read("one", both), 4 * rows * columns);
    EXPECT_EQ(read("one", ts::device_put(ts::host<rows, columns>(numbers(rows * columns)))), 4 * rows * columns);
  });
}

// Either all processes go on or all say why not.
TEST(CheckpointsOfProcesses, OneThatCannotIsHeardByAll) {
  own_folder const folder;
  auto const x = [] { return state_on(ts::make_mesh<sized<4, 2>>(ts::devices()), 0); };
  std::atomic<int> thrown{0};
  in_processes(4, [&] {
    auto const state = x();
    ts::save(folder / "x", state);
    auto const file = folder / "x/arrays-00003-of-00004.safetensors";
    if (ts::process_index() == 0) {
      auto bytes = ts::testing::bytes_of_file(file);
      bytes.back() = static_cast<char>(bytes.back() ^ 1);
      ts::testing::write_file(file, bytes);
    }
    ts::sync_global_devices("damaged");
    try {
      (void)ts::restore(folder / "x", state);
    } catch (ts::checkpoint_error const& error) {
      thrown += std::string(error.what()).find("does not have the hash") != std::string::npos;
    }
    // Nothing is changed where one has no memory any more.
    auto gone = state;
    if (ts::process_index() == 2) std::get<0>(gone).release();
    try {
      ts::save(folder / "x", gone);
    } catch (ts::checkpoint_error const& error) {
      thrown += std::string(error.what()).find("0: has no memory") != std::string::npos;
    }
    try {
      ts::save(folder / "nobody/\n\\x" + std::string(300, 'x'), state);
    } catch (ts::checkpoint_error const& error) {
      thrown += std::string(error.what()).find("File name too long") != std::string::npos;
    }
  });
  EXPECT_EQ(thrown, 12);
}
#endif

}  // namespace
