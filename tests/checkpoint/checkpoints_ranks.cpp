// SPDX-License-Identifier: Apache-2.0
// Checkpoints of real processes: all write, all read, some alone.

#include <tessera/api/processes.hpp>
#include <tessera/checkpoint.hpp>

#include "support/halves.hpp"
#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::own_folder;

// One for all processes, which the first of them makes.
class shared_folder {
public:
  shared_folder() {
    if (ts::process_index() == 0) own_ = std::make_unique<own_folder>();
    std::vector<char> path(own_ ? own_->path().begin() : path_.begin(), own_ ? own_->path().end() : path_.end());
    path.resize(static_cast<std::size_t>(ts::broadcast_one_to_all(static_cast<int>(path.size()))));
    path = ts::broadcast_one_to_all(path);
    path_.assign(path.begin(), path.end());
  }
  ~shared_folder() { ts::sync_global_devices("nobody reads any more"); }
  std::string operator/(std::string const& name) const { return path_ + "/" + name; }

private:
  std::unique_ptr<own_folder> own_;
  std::string path_;
};

template <class M>
auto state_on(ts::device_mesh<M> const& mesh, float shift) {
  std::vector<float> values(72 * 72);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + shift;
  auto const whole = ts::host<72, 72>(values);
  return std::tuple{ts::device_put<P<dp, mp>>(whole, mesh), ts::device_put<P<none, ts::axes<mp, dp>>>(whole, mesh),
                    ts::device_put<P<>>(whole, mesh), static_cast<double>(shift)};
}
template <class State>
void expect_state(State const& state, float shift) {
  auto const check = [&](auto const& x) {
    auto const all = ts::process_allgather(x);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) wrong += all[i] != static_cast<float>(i) + shift;
    EXPECT_EQ(wrong, 0u);
  };
  check(std::get<0>(state));
  check(std::get<1>(state));
  check(std::get<2>(state));
  EXPECT_EQ(std::get<3>(state), static_cast<double>(shift));
}
template <class M>
void on_all() {
  shared_folder const folder;
  auto const mesh = ts::make_mesh<M>(ts::devices());
  auto const first = state_on(mesh, 0.5f);
  ts::save(folder / "x", first);
  expect_state(ts::restore(folder / "x", state_on(mesh, 0)), 0.5f);
  ts::checkpoints run(folder / "run", 2);
  for (int step = 1; step <= 4; ++step) run.save_async(step, state_on(mesh, static_cast<float>(step)));
  run.wait();
  EXPECT_EQ(run.steps(), (std::vector<std::int64_t>{3, 4}));
  expect_state(run.template restore<std::remove_const_t<decltype(first)>>(mesh), 4);
  // Each by itself, all of it.
  auto const own = ts::restore<std::tuple<ts::array<ts::array_type<float, ts::shape<72, 72>, P<>, ts::no_mesh>>>>(
      folder / "x", ts::device_mesh<ts::no_mesh>::on(ts::default_device()));
  EXPECT_EQ(std::get<0>(own).to_host()[71], 71.5f);
  ts::save(folder / ("own-" + std::to_string(ts::process_index())), own);
}

TEST(Checkpoints, OfAllProcesses) {
  using nine = ts::mesh<ts::explicit_axis<dp, 3>, ts::explicit_axis<mp, 3>>;
  if (ts::device_count() == 9)
    on_all<nine>();
  else
    on_all<grid>();
}

// Meshes over half of the processes each: the halves save and restore at the same time, without waiting for each other.
TEST(Checkpoints, OfHalfOfTheProcesses) {
  if (!halves::there_are()) GTEST_SKIP() << "8 devices have two equal halves";
  int const half = halves::own();
  auto const mesh = halves::mesh_of_own();
  shared_folder const folder;
  auto const own = folder / ("half-" + std::to_string(half));
  float const shift = static_cast<float>(half) + 0.25f;
  for (int turn = 0; turn <= 2 * half; ++turn) {  // the second half saves three times
    ts::save(own, state_on(mesh, shift));
    expect_state(ts::restore(own, state_on(mesh, 0)), shift);
  }
  ts::checkpoints run(own + "-run", 1);
  run.save_async(1, state_on(mesh, shift + 1));
  run.wait();
  expect_state(run.template restore<decltype(state_on(mesh, 0))>(mesh), shift + 1);
}

}  // namespace
