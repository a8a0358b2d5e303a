// SPDX-License-Identifier: Apache-2.0
// Batches and .npy files of several processes: the rows are those of one process, each reads only what its devices hold, and
// all write one file together.

#include <tessera/api/processes.hpp>
#include <tessera/data.hpp>

#include "support/file_of.hpp"
#include "support/halves.hpp"
#include "support/on_grid.hpp"

#include <unistd.h>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::shape;

struct DataOfProcesses : testing::Test {
  void SetUp() override {
    if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  }
};
template <class X>
std::vector<float> gathered(X const& x) {
  auto const all = ts::process_allgather(x);
  return {all.begin(), all.end()};
}

constexpr std::int64_t rows = 45, width = 6, batch = 8;

// Row i has i * 10, i * 10 + 1, ...; counts what it is asked for.
class counting final : public ts::row_source {
public:
  std::int64_t count() const override { return rows; }
  ts::dtype element() const override { return ts::dtype::float32; }
  ts::extents_list extents() const override { return {width}; }
  void read(std::int64_t row, ts::region const& part, std::byte* out) const override {
    elements += part[0].size();
    for (std::int64_t k = part[0].start; k < part[0].stop; ++k, out += sizeof(float)) {
      auto const value = static_cast<float>(row * 10 + k);
      std::memcpy(out, &value, sizeof value);
    }
  }
  mutable std::int64_t elements = 0;
};

// What one process would have in its batches, computed beside the library's loader.
std::vector<std::vector<float>> expected(std::uint64_t key) {
  std::vector<std::vector<float>> batches;
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    ts::shuffled_order const order(rows, ts::detail::key_of(key, epoch));
    for (std::int64_t first = 0; first < rows; first += batch) {
      std::vector<float> values(batch * width);
      for (std::int64_t i = 0; i < batch && first + i < rows; ++i)
        for (std::int64_t k = 0; k < width; ++k) values[i * width + k] = static_cast<float>(order[first + i] * 10 + k);
      batches.push_back(values);
    }
  }
  return batches;
}

template <class S>
void expect_batches() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const source = std::make_shared<counting>();
  ts::loader<ts::array_type<float, shape<batch, width>, S, grid>> batches(
      mesh, {.key = 7, .last = ts::last_batch::padded, .ahead = 0}, ts::rows_of<float>(source));
  std::int64_t held = 0;
  for (auto const& values : expected(7)) {
    auto const [x] = batches.next();
    EXPECT_EQ(gathered(x), values);
    auto const local = ts::stored_block(x.stored().facts, mesh.value());
    held += local.size() * mesh.value().held_devices(local.varying);
  }
  EXPECT_LE(source->elements, held) << "nothing is read but the blocks of this process";
  EXPECT_GT(source->elements, 0);
}
TEST_F(DataOfProcesses, Batches) {
  expect_batches<P<>>();
  expect_batches<P<dp>>();
  expect_batches<P<mp, none>>();
  expect_batches<P<ts::axes<dp, mp>>>();
  expect_batches<P<dp, mp>>();
}

TEST_F(DataOfProcesses, OneFile) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::string const path = ts::testing::file_of::new_path(".npy");
  std::string common = testing::TempDir() + "tessera_ranks_" +
                       std::to_string(ts::broadcast_one_to_all(static_cast<int>(::getpid()))) + ".npy";
  std::vector<float> values(16 * 6);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  for (auto order : {ts::npy_order::c, ts::npy_order::fortran}) {
    ts::save_npy(path, ts::host<16, 6>(values), order);
    ts::save_npy(common, ts::device_put<P<dp, mp>>(ts::host<16, 6>(values), mesh), order);
    EXPECT_EQ(ts::testing::bytes_in(common), ts::testing::bytes_in(path));
    ts::save_npy(common, ts::device_put<P<none, mp>>(ts::host<16, 6>(values), mesh), order);
    EXPECT_EQ(ts::testing::bytes_in(common), ts::testing::bytes_in(path));
    EXPECT_EQ(gathered(ts::load_npy<P<mp, none>, shape<16, 6>, float>(common, mesh)), values);
  }
  std::string const said = ts::testing::said_by<ts::file_error>(
      [&] { ts::save_npy("no/such/folder/x.npy", ts::device_put<P<dp>>(ts::host<16, 6>(values), mesh)); });
  EXPECT_NE(said.find("Fix: "), std::string::npos) << said;
  ts::sync_global_devices("all have read");
  std::remove(path.c_str());
  if (ts::process_index() == 0) std::remove(common.c_str());
}

// The halves of the processes write a file each, the second one twice.
TEST_F(DataOfProcesses, AFileOfHalfOfTheProcesses) {
  if (!halves::there_are()) GTEST_SKIP() << "8 devices have two equal halves";
  int const half = halves::own();
  auto const mesh = halves::mesh_of_own();
  std::string const path = testing::TempDir() + "tessera_half_" + std::to_string(half) + "_" +
                           std::to_string(ts::broadcast_one_to_all(static_cast<int>(::getpid()))) + ".npy";
  std::vector<float> values(16 * 6);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + static_cast<float>(half);
  for (int turn = 0; turn <= half; ++turn) {
    ts::save_npy(path, ts::device_put<P<dp, mp>>(ts::host<16, 6>(values), mesh));
    EXPECT_EQ(gathered(ts::load_npy<P<mp, none>, shape<16, 6>, float>(path, mesh)), values);
  }
  ts::sync_global_devices("all have read");
  if (ts::process_index() % (ts::process_count() / 2) == 0) std::remove(path.c_str());
}

}  // namespace
