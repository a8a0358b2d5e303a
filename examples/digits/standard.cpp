// SPDX-License-Identifier: Apache-2.0
#include "train.hpp"

double digits::train_standard(options const& o, int seed, images_and_labels const& all) {
  return train(o, seed, all, [](auto const& mesh, random_stream* random) {
    return std::tuple{make_block<64, 128, 10>(mesh, random)};
  });
}
