// SPDX-License-Identifier: Apache-2.0
// A save on a thread beside the steps, and the numbered checkpoints of a run.

#include <tessera/checkpoint.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::P;
using ts::testing::own_folder;

auto filled(float value, std::int64_t = 0) {
  return ts::device_put<P<dp, mp>>(ts::host<512, 512>(std::vector<float>(512 * 512, value)),
                                   ts::make_mesh<grid>(ts::devices()));
}
template <class X>
void expect_all(X const& x, float value) {
  auto const host = x.to_host();
  EXPECT_EQ(std::count(host.begin(), host.end(), value), static_cast<std::ptrdiff_t>(host.size()));
}

// A step that takes the memory of its argument leaves alone what is being written.
TEST(SaveAsync, DonatedArgumentsKeepTheirValues) {
  own_folder const folder;
  auto const next = ts::jit([](auto x) { return x + 1.0f; });
  auto x = filled(0);
  for (int round = 0; round < 5; ++round) {
    auto saving = ts::save_async(folder / "x", x);
    for (int step = 0; step < 10; ++step) x = next(std::move(x));
    saving.wait();
    EXPECT_TRUE(saving.written());
    expect_all(ts::restore(folder / "x", x), static_cast<float>(10 * round));
    expect_all(x, static_cast<float>(10 * round + 10));
  }
}
TEST(SaveAsync, ErrorsAreThrownByWait) {
  own_folder const folder;
  auto const x = filled(1);
  ts::testing::write_file(folder / "x", "a file");
  EXPECT_THROW_TEXT(ts::save_async(folder / "x", x), "/x: is no folder");
  ts::save(folder / "y", x);
  {
    auto saving = ts::save_async(folder / "y", filled(2));  // nobody waits for it
  }
  expect_all(ts::restore(folder / "y", x), 2);
  ts::testing::write_file(folder / "y/notes.txt", "mine");
  EXPECT_THROW_TEXT(ts::save_async(folder / "y", x), "has other files: notes.txt");
  ts::pending_save none;
  none.wait();
  EXPECT_TRUE(none.written());
}

struct state {
  decltype(filled(0)) x;
  std::int64_t step = 0;
  static constexpr ts::names<2> names{"x", "step"};
};

TEST(Checkpoints, TheLastFewStay) {
  own_folder const folder;
  ts::checkpoints saved(folder / "run", 2);
  EXPECT_TRUE(saved.empty());
  EXPECT_THROW_TEXT(saved.last(), "/run: has no checkpoint");
  for (std::int64_t step = 10; step <= 50; step += 10)
    saved.save_async(step, state{filled(static_cast<float>(step)), step});
  saved.wait();
  EXPECT_EQ(saved.steps(), (std::vector<std::int64_t>{40, 50}));
  auto const last = saved.restore(state{filled(0), 0});
  EXPECT_EQ(last.step, 50);
  expect_all(last.x, 50);
  EXPECT_EQ(saved.restore<state>(ts::make_mesh<grid>(ts::devices())).step, 50);
  EXPECT_EQ(ts::restore(saved.path(40), last).step, 40);

  // From an earlier step on, those after it go first.
  EXPECT_THROW_TEXT(saved.save(45, last), "has a checkpoint of a later step, 50");
  saved.remove_after(40);
  saved.save(45, state{filled(45), 45});
  saved.save(45, state{filled(46), 46});
  EXPECT_EQ(saved.steps(), (std::vector<std::int64_t>{40, 45}));
  EXPECT_EQ(saved.restore(last).step, 46);
  EXPECT_THROW_TEXT(saved.save(-1, last), "steps count from 0");

  // What killed programs have left is not taken for a checkpoint, and goes.
  std::filesystem::create_directory(folder / "run/step-000000000099.saving-0123456789abcdef");
  ts::testing::write_file(folder / "run/step-000000000099.saving-0123456789abcdef/index.json", "{}");
  std::filesystem::create_directory(folder / "run/step-000000000098");
  std::filesystem::rename(folder / "run/step-000000000045", folder / "run/step-000000000045.saving-former");
  EXPECT_EQ(ts::checkpoints(folder / "run").last(), 45);
  EXPECT_EQ(saved.restore(last).step, 46);
  saved.save(60, state{filled(60), 60});
  EXPECT_EQ(saved.steps(), (std::vector<std::int64_t>{45, 60}));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/step-000000000099.saving-0123456789abcdef"));
}

}  // namespace
