// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

namespace digits {

namespace {
struct first_parameters {
  constexpr auto operator()(auto key) const { return std::tuple{first_block<64, 128, 10>{}(key)}; }
};
}  // namespace

double train_standard(options const& o, int seed, data_set const& data) {
  return train<first_parameters>(o, seed, data);
}

}  // namespace digits
