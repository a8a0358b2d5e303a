// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

double digits::train_wide(options const& o, int seed, data_set const& data) {
  return train(o, seed, data, [](auto const& mesh, random_stream* random) {
    return std::tuple{make_block<64, 512, 10>(mesh, random)};
  });
}
