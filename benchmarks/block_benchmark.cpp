// SPDX-License-Identifier: Apache-2.0
// nightly
// W6: the gradient of a pre-norm transformer block by its parameters and its input, batch over dp, heads over mp.
// --first-result: computes it once and prints when it was there, in ns of the monotonic clock.
// ctest: W6

#include "support/block.hpp"
#include "support/cases.hpp"
#include "support/dense_block.hpp"

#include <array>
#include <chrono>
#include <string_view>
#include <tuple>

using namespace cases;
using namespace cases::block_of_transformer;

namespace {

void gradient_of_block(benchmark::State& state, std::string const& name) {
  case_of_block<grid<4, 2>> const in;
  auto const p = in.parameters();
  auto const x = in.batches(in.host_x), weight = in.batches(in.host_weight);
  measure(
      state, name, 2e-3, [&] { std::get<1>(ts::jit<gradients>(p, x, weight)).block_until_ready(); },
      [&] { return in.wrong(ts::jit<block>(p, x), std::get<0>(ts::jit<gradients>(p, x, weight))); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--first-result") {
    int none = 1;
    ts::runtime const runtime{none, argv, 8};
    case_of_block<grid<4, 2>> const in;
    auto const made = ts::jit<gradients>(in.parameters(), in.batches(in.host_x), in.batches(in.host_weight));
    std::get<1>(made).block_until_ready();
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    std::printf("%lld\n", static_cast<long long>(std::chrono::nanoseconds(now).count()));
    return 0;
  }
  return main_of(argc, argv, 8, [] { add("W6.block_grad batch=8 d_model=512 mesh=4x2 seq=256", gradient_of_block); });
}
