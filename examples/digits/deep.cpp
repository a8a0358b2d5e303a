// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

double digits::train_deep(options const& o, int seed, data_set const& data) {
  return train(o, seed, data, [](auto const& mesh, random_stream* random) {
    auto first = make_block<64, 128, 64>(mesh, random);
    auto second = make_block<64, 128, 10>(mesh, random);
    return std::tuple{first, second};
  });
}
