// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

double digits::train_standard(options const& o, int seed, data_set const& data) {
  return train(o, seed, data, [](auto const& mesh, random_stream* random) {
    return std::tuple{make_block<64, 128, 10>(mesh, random)};
  });
}
