// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

namespace digits {

namespace {
struct first_parameters {
  constexpr auto operator()(auto key) const {
    auto const [first, second] = ts::random::split(key);
    return std::tuple{first_block<64, 128, 64>{}(first), first_block<64, 128, 10>{}(second)};
  }
};
}  // namespace

double train_deep(options const& o, int seed, data_set const& data) { return train<first_parameters>(o, seed, data); }

}  // namespace digits
